import * as fc from "fast-check";
import { expect, test } from "vitest";
import { dueBarFraction } from "./bar-geometry";

test("reaches the due line at one cadence and the end at eight", () => {
  const at = (cadences: number) => dueBarFraction(cadences * 1000, 1000);
  expect(at(0)).toEqual({ fraction: 0, overflow: false });
  expect(at(0.5)).toEqual({ fraction: 0.25, overflow: false });
  expect(at(1)).toEqual({ fraction: 0.5, overflow: false });
  expect(at(2)?.fraction).toBeCloseTo(2 / 3);
  expect(at(4)?.fraction).toBeCloseTo(5 / 6);
  expect(at(8)).toEqual({ fraction: 1, overflow: true });
  expect(at(1000)).toEqual({ fraction: 1, overflow: true });
});

test("draws no bar without an age or a cadence", () => {
  expect(dueBarFraction(null, 1000)).toBeNull();
  expect(dueBarFraction(1000, null)).toBeNull();
  expect(dueBarFraction(1000, 0)).toBeNull();
});

test("never shrinks as data ages, and never leaves its cell", () => {
  fc.assert(
    fc.property(fc.nat(), fc.nat(), fc.integer({ min: 1 }), (a, b, cadence) => {
      const younger = dueBarFraction(Math.min(a, b), cadence)?.fraction ?? -1;
      const older = dueBarFraction(Math.max(a, b), cadence)?.fraction ?? -1;
      expect(younger).toBeGreaterThanOrEqual(0);
      expect(older).toBeLessThanOrEqual(1);
      expect(older).toBeGreaterThanOrEqual(younger);
    }),
  );
});
