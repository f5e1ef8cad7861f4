import { describe, expect, test } from "vitest";
import { callLine, lineSentence } from "./call-line";

const AT = (time: string) => Date.parse(`2026-03-02T${time}Z`);
const view = {
  as_of: "2026-03-02T12:10:00.000Z",
  from: "2026-03-02T11:00:00.000Z",
  until: "2026-03-02T12:30:00.000Z",
  gaps: [
    { from: "2026-03-02T11:20:00.000Z", until: "2026-03-02T11:40:00.000Z", reason: "stopped" },
  ],
  series: [
    { kind: "partner" as const, key: "A", label: "A", points: points(1000, null, 1250) },
    { kind: "endpoint" as const, key: "A", label: "rfis", points: points(3, null, 4) },
  ],
};

function points(...values: (number | null)[]): [number, number | null][] {
  return values.map((value, at) => [AT("11:00:00") + at * 30 * 60_000, value]);
}

describe("a line over time", () => {
  test("ends at the last reading, not at the end of the current slot", () => {
    const line = callLine(view, "partner", "A");
    expect(line?.untilMs).toBe(AT("12:10:00"));
    expect(line?.points.at(-1)).toEqual({ atMs: AT("12:00:00"), value: 1250 });
  });

  test("distinguishes a partner and an endpoint of the same name, and has none for a missing one", () => {
    expect(callLine(view, "endpoint", "A")?.points[0]?.value).toBe(3);
    expect(callLine(view, "partner", "B")).toBeNull();
  });

  test("extends the axis as unobserved while nothing is read", () => {
    const gaps = [{ from: "2026-03-02T12:00:00.000Z", until: null, reason: "unreachable" }];
    const line = callLine({ ...view, gaps }, "partner", "A");
    expect(line?.gaps).toEqual([{ fromMs: AT("12:00:00"), untilMs: AT("12:30:00") }]);
    expect(line?.untilMs).toBe(AT("12:30:00"));
  });

  test("has a sentence with range, last value, gaps, and the meaning of the figure", () => {
    const line = callLine(view, "partner", "A");
    if (line === null) throw new Error("there is a line");
    const text = lineSentence("A, 24 hours", line, "UTC");
    expect(text).toContain("between 1,000 and 1,250, last 1,250 at 12:00:00 UTC");
    expect(text).toContain("1 gap not checked. Rolling 24 h.");
    const empty = { ...line, points: [{ atMs: AT("11:00:00"), value: null }] };
    expect(lineSentence("A", empty, "UTC")).toMatch(/no data\.$/);
  });
});
