import fc from "fast-check";
import { expect, test } from "vitest";
import { restedMs, shiftedMs, type Rests } from "./rest";

const anyRests: fc.Arbitrary<Rests> = fc
  .uniqueArray(fc.integer({ min: 0, max: 1000 }), { minLength: 0, maxLength: 12 })
  .map((edges) => edges.toSorted((a, b) => a - b))
  .map((edges) =>
    Array.from({ length: Math.floor(edges.length / 2) }, (_, at) => ({
      fromMs: edges[2 * at] ?? 0,
      untilMs: edges[2 * at + 1] ?? 0,
    })),
  );
const instant = fc.integer({ min: -100, max: 1100 });

test("sums the rests within a range", () => {
  const rests = [
    { fromMs: 10, untilMs: 20 },
    { fromMs: 30, untilMs: 40 },
  ];
  expect(restedMs(rests, 0, 50)).toBe(20);
  expect(restedMs(rests, 15, 31)).toBe(6);
  expect(restedMs(rests, 20, 30)).toBe(0);
  expect(restedMs(rests, 50, 0)).toBe(0);
  expect(restedMs([], 0, 50)).toBe(0);
});

test("goes as far ahead and back as time outside the rests passes", () => {
  const rests = [{ fromMs: 10, untilMs: 20 }];
  expect(shiftedMs(rests, 5, 5)).toBe(10);
  expect(shiftedMs(rests, 5, 6)).toBe(21);
  expect(shiftedMs(rests, 15, 1)).toBe(21);
  expect(shiftedMs(rests, 25, -5)).toBe(20);
  expect(shiftedMs(rests, 25, -6)).toBe(9);
  expect(shiftedMs(rests, 15, -1)).toBe(9);
});

test("is the inverse of the time outside the rests", () => {
  fc.assert(
    fc.property(anyRests, instant, fc.integer({ min: 0, max: 500 }), (rests, atMs, ms) => {
      const aheadMs = shiftedMs(rests, atMs, ms);
      expect(aheadMs - atMs - restedMs(rests, atMs, aheadMs)).toBe(ms);
      const beforeMs = shiftedMs(rests, atMs, -ms);
      expect(atMs - beforeMs - restedMs(rests, beforeMs, atMs)).toBe(ms);
    }),
  );
});
