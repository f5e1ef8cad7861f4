import fc from "fast-check";
import { expect, test } from "vitest";
import { DAY_MS } from "@/lib/domain/time/units";
import { countedMs, exceededMs, restedMs, restsOf, shiftedMs, type Rests } from "./rest";
import { anyWeek } from "./week-fixture";

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

test("exceed an amount at the first millisecond that counts more", () => {
  expect(exceededMs([{ fromMs: 10, untilMs: 20 }], 5, 5)).toBe(21);
  fc.assert(
    fc.property(
      anyRests,
      instant,
      fc.double({ min: 0, max: 500, noNaN: true }),
      (rests, at, ms) => {
        const firstMs = exceededMs(rests, at, ms);
        expect(countedMs(rests, at, firstMs)).toBeGreaterThan(ms);
        expect(countedMs(rests, at, firstMs - 1)).toBeLessThanOrEqual(ms);
      },
    ),
  );
});

test("are the same for feeds that rest at the same times, and follow the day", () => {
  const nowMs = Date.parse("2026-11-19T13:32:07Z");
  fc.assert(
    fc.property(anyWeek, fc.nat(40), (week, days) => {
      const atMs = nowMs + days * DAY_MS;
      expect(restsOf({ ...week, since: "2026-11-02T00:00:00Z" }, atMs)).toBe(restsOf(week, atMs));
      const [all, next] = [restsOf(week, atMs), restsOf(week, atMs + DAY_MS)];
      const both = (rests: Rests) => restedMs(rests, atMs - 12 * DAY_MS, atMs + 7 * DAY_MS);
      expect(both(next)).toBe(both(all));
    }),
  );
});
