import { describe, expect, test } from "vitest";
import { movedAxis, slotsAt, stripLabel, stripPaths, type StripAxis } from "./strip";

const SLOT_MS = 15 * 60_000;
const AXIS: StripAxis = { fromMs: 0, untilMs: 4 * SLOT_MS, slotMs: SLOT_MS };

describe("the axis of the strips", () => {
  test("stays while the present is in its last slot, then moves by whole slots", () => {
    expect(movedAxis(AXIS, 4 * SLOT_MS)).toEqual(AXIS);
    expect(movedAxis(AXIS, 4 * SLOT_MS + 1)).toMatchObject({
      fromMs: SLOT_MS,
      untilMs: 5 * SLOT_MS,
    });
    expect(movedAxis(AXIS, 6 * SLOT_MS)).toMatchObject({ fromMs: 2 * SLOT_MS });
  });

  test("marks slots beyond the record as not observed, never as empty", () => {
    const moved = movedAxis(AXIS, 6 * SLOT_MS);
    expect(slotsAt("cf..", AXIS, moved, Infinity)).toBe("..uu");
  });

  test("marks slots without a run as not observed from the start of blindness", () => {
    expect(slotsAt("cf..", AXIS, AXIS, 2.5 * SLOT_MS)).toBe("cfuu");
    expect(slotsAt("c...", AXIS, AXIS, 3 * SLOT_MS)).toBe("c..u");
    // A recorded run stays.
    expect(slotsAt("...i", AXIS, AXIS, 3 * SLOT_MS)).toBe("...i");
    expect(slotsAt("c...", AXIS, AXIS, -1)).toBe("cuuu");
    expect(slotsAt("c...", AXIS, AXIS, Infinity)).toBe("c...");
  });
});

describe("the paths of a strip", () => {
  test("have one path per kind, each tick in its slot and position", () => {
    expect(stripPaths("ccf.")).toEqual({
      base: "M0 15.5h12",
      unseen: "",
      other: "",
      ticks: [
        { outcome: "completed", path: "M0.5 10h2v6h-2zM3.5 10h2v6h-2z" },
        { outcome: "failed", path: "M6.5 0h2v16h-2z" },
      ],
    });
  });

  test("have hatching and no base line in unobserved slots", () => {
    expect(stripPaths(".uu.u")).toMatchObject({
      base: "M0 15.5h3M9 15.5h3",
      unseen: "M3 0h6v16h-6zM12 0h3v16h-3z",
      ticks: [],
    });
  });
});

test("are named by runs, failures and gaps", () => {
  const counts = { seen: 23, notCompleted: 3 };
  expect(stripLabel(counts, "c.uu.f")).toBe(
    "Past 24 hours: 23 runs seen, 3 not completed, 1 gap not checked",
  );
  expect(stripLabel({ seen: 1, notCompleted: 0 }, "c.")).toBe(
    "Past 24 hours: 1 run seen, 0 not completed",
  );
  expect(stripLabel(counts, "u.uu")).toMatch(/2 gaps not checked$/);
});
