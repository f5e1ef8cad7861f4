import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  backoffMs,
  differences,
  isFinal,
  nextLookMs,
  OUTCOMES,
  secondsLeft,
  type ComparedFile,
  type Difference,
} from "./deletion";

const file: ComparedFile = {
  name: "Tower, rev 14.xer",
  is_baseline: false,
  created_at: "2026-03-02T10:00:00Z",
  customer_project: { id: 7, name: "Tower" },
};

describe("differences", () => {
  const cases: [string, Partial<ComparedFile>, Difference[]][] = [
    ["identical files", {}, []],
    ["another name", { name: "Tower, rev 15.xer" }, ["name"]],
    ["a name with an extra blank", { name: "Tower, rev 14.xer " }, ["name"]],
    ["a name in different case", { name: "tower, rev 14.xer" }, ["name"]],
    ["a file that became a baseline", { is_baseline: true }, ["is_baseline"]],
    ["the same instant in another zone", { created_at: "2026-03-02T11:00:00.000+01:00" }, []],
    ["a millisecond later", { created_at: "2026-03-02T10:00:00.001Z" }, ["created_at"]],
    ["another project", { customer_project: { id: 8, name: "Tower" } }, ["customer_project"]],
    ["a renamed project", { customer_project: { id: 7, name: "Mast" } }, ["customer_project"]],
    ["a file whose project was removed", { customer_project: null }, ["customer_project"]],
  ];
  it.each(cases)("compares %s", (_, change, expected) => {
    expect(differences(file, { ...file, ...change })).toEqual(expected);
  });

  it("reads upload times without a zone as UTC, as pages do, not in the server's zone", () => {
    const unzoned = { ...file, created_at: "2026-03-02T10:00:00" };
    expect(differences(file, unzoned)).toEqual([]);
    expect(differences(unzoned, { ...file, created_at: "2026-03-02T15:00:00Z" })).toEqual([
      "created_at",
    ]);
  });

  it("compares text that isn't an instant as text", () => {
    const odd = { ...file, created_at: "March 2, 2026" };
    expect(differences(odd, odd)).toEqual([]);
    expect(differences(odd, { ...file, created_at: "March 3, 2026" })).toEqual(["created_at"]);
    expect(differences(odd, file)).toEqual(["created_at"]);
    // Engines read it as 2 March.
    const noDay = { ...file, created_at: "2026-02-30T10:00:00Z" };
    expect(differences(noDay, file)).toEqual(["created_at"]);
  });

  it("ignores the project if it was not confirmed, and detects a file without one", () => {
    const { customer_project: _, ...unsaid } = file;
    expect(differences(unsaid, file)).toEqual([]);
    const none = { ...file, customer_project: null };
    expect(differences(none, none)).toEqual([]);
    expect(differences(none, unsaid)).toEqual([]);
    expect(differences(none, file)).toEqual(["customer_project"]);
  });

  it("is empty for a file and itself, and symmetric for any two files", () => {
    const project = fc.option(fc.record({ id: fc.nat(2), name: fc.constantFrom("a", "b") }));
    const any = fc.record({
      name: fc.constantFrom("x", "y"),
      is_baseline: fc.boolean(),
      created_at: fc.constantFrom(
        "2026-01-01T00:00:00Z",
        "2026-01-01T01:00:00+01:00",
        "2026-02-01",
      ),
      customer_project: project,
    });
    fc.assert(
      fc.property(any, any, (a, b) => {
        expect(differences(a, structuredClone(a))).toEqual([]);
        expect(differences(a, b)).toEqual(differences(b, a));
      }),
    );
  });
});

describe("outcomes", () => {
  it("are final unless null or unknown", () => {
    expect([null, ...OUTCOMES].filter((outcome) => !isFinal(outcome))).toEqual([null, "unknown"]);
  });

  it("schedules the first read after an unknown outcome within 5 s, then at growing intervals, without end", () => {
    expect(nextLookMs(0)).toBeLessThanOrEqual(5_000);
    expect([1, 2, 3, 4, 99].map(nextLookMs)).toEqual([15_000, 60_000, 60_000, 300_000, 300_000]);
  });
});

describe("backoffMs", () => {
  it("waits 5 s, 15 s, then a minute after every failed attempt", () => {
    expect([1, 2, 3, 4, 50].map(backoffMs)).toEqual([5_000, 15_000, 60_000, 60_000, 60_000]);
  });
});

describe("secondsLeft", () => {
  const progress = {
    pending: 10,
    settled: 5,
    firstOutcomeMs: 1_000,
    lastOutcomeMs: 9_000,
    waitingUntilMs: null,
    filesPerMinute: null,
  };

  it("follows from the pace so far", () => {
    expect(secondsLeft(progress, 9_000)).toBe(20);
  });

  it("is never less than the current wait", () => {
    expect(secondsLeft({ ...progress, waitingUntilMs: 69_000 }, 9_000)).toBe(60);
  });

  it("is no less than the budget allows, and is known from the budget alone", () => {
    expect(secondsLeft({ ...progress, filesPerMinute: 20 }, 9_000)).toBe(30);
    expect(secondsLeft({ ...progress, settled: 0, filesPerMinute: 20 }, 9_000)).toBe(30);
    expect(secondsLeft({ ...progress, filesPerMinute: 60 }, 9_000)).toBe(20);
  });

  it("is unknown before there is a pace, and when only unknown outcomes are left", () => {
    expect(secondsLeft({ ...progress, settled: 1, lastOutcomeMs: 1_000 }, 9_000)).toBeNull();
    expect(secondsLeft({ ...progress, pending: 0 }, 9_000)).toBeNull();
    expect(
      secondsLeft({ ...progress, settled: 0, firstOutcomeMs: null, lastOutcomeMs: null }, 0),
    ).toBeNull();
  });
});
