import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PACE_DAYS, paceOf } from "./pace";

const days = (value: (day: number) => number | null) =>
  Array.from({ length: PACE_DAYS + 1 }, (_, day) => value(day));

describe("distance from the figure 24 hours later", () => {
  test("is the median over the days that can be compared", () => {
    expect(paceOf(days(() => 100))).toEqual({ typical: 0, pairs: 28 });
    // Every day 10% above or below the one before, but for one weekend.
    const readings = days((day) => (day % 2 === 0 ? 100 : 110));
    expect(paceOf(readings)?.typical).toBeCloseTo((0.1 + 1 / 11) / 2);
    expect(paceOf(readings.with(10, 900))?.typical).toBeCloseTo((0.1 + 1 / 11) / 2);
  });

  test("is unknown when the figure moves by more than a quarter on most days", () => {
    expect(paceOf(days((day) => (day % 2 === 0 ? 100 : 200)))).toBeNull();
    expect(paceOf(days((day) => 100 * 1.25 ** day))?.typical).toBeCloseTo(0.25);
    expect(paceOf(days((day) => 100 * 1.26 ** day))).toBeNull();
    expect(paceOf(days((day) => (day % 2 === 0 ? 0 : 5)))).toBeNull();
  });

  test("needs two weeks of pairs, and never bridges a missing reading", () => {
    expect(paceOf(days((day) => (day < 14 ? null : 100)))).toEqual({ typical: 0, pairs: 14 });
    expect(paceOf(days((day) => (day < 15 ? null : 100)))).toBeNull();
    expect(paceOf(days((day) => (day % 2 === 0 ? null : 100)))).toBeNull();
    expect(paceOf([])).toBeNull();
  });

  test("depends on proportions only, and is at most a quarter", () => {
    const anyReadings = fc.array(fc.option(fc.nat(10_000)), { maxLength: 40 });
    fc.assert(
      fc.property(anyReadings, fc.integer({ min: 1, max: 64 }), (readings, factor) => {
        const pace = paceOf(readings);
        const scaled = paceOf(readings.map((value) => (value === null ? null : value * factor)));
        expect(scaled?.pairs).toBe(pace?.pairs);
        if (pace === null) return;
        expect(scaled?.typical).toBeCloseTo(pace.typical);
        expect(pace.typical).toBeGreaterThanOrEqual(0);
        expect(pace.typical).toBeLessThanOrEqual(0.25);
        expect(pace.pairs).toBeGreaterThanOrEqual(14);
      }),
    );
  });
});
