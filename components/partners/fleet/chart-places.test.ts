import * as fc from "fast-check";
import { expect, test } from "vitest";
import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { chartPlaces, isTickNearNow, isTickShown } from "./chart-places";

const NOW_MS = Date.parse("2026-11-24T14:20:00Z");
const ago = (minutes: number) => NOW_MS - minutes * MINUTE_MS;

test("puts the trouble so far, now and the attempts to come beside each other", () => {
  const { fromMs, untilMs, stairs, nowX, peak, attempts } = chartPlaces({
    steps: [
      { atMs: ago(20), companies: 3 },
      { atMs: ago(10), companies: 9 },
      { atMs: ago(5), companies: 6 },
    ],
    attemptsMs: [NOW_MS + 6 * MINUTE_MS, ago(1), NOW_MS + HOUR_MS],
    nowMs: NOW_MS,
  });
  expect([fromMs, untilMs]).toEqual([ago(27), NOW_MS + 15 * MINUTE_MS]);
  expect(stairs.map(({ y }) => Math.round(y))).toEqual([29, 88, 59]);
  expect(peak).toMatchObject({ atMs: ago(10), companies: 9 });
  expect(nowX).toBeCloseTo((27 / 42) * 100);
  // One attempt is past, another is too far ahead.
  expect(attempts).toHaveLength(1);
  expect(attempts[0]).toBeGreaterThan(nowX);
});

test("stays within its width, however long the trouble lasts", () => {
  const step = fc.record({
    atMs: fc.integer({ min: ago(40_000), max: NOW_MS + MINUTE_MS }),
    companies: fc.integer({ min: 0, max: 500 }),
  });
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 20 }),
      fc.array(fc.integer({ min: ago(60), max: NOW_MS + 24 * HOUR_MS })),
      (steps, attemptsMs) => {
        const ordered = steps.toSorted((a, b) => a.atMs - b.atMs);
        const places = chartPlaces({ steps: ordered, attemptsMs, nowMs: NOW_MS });
        for (const { x, y } of places.stairs) {
          expect(x).toBeGreaterThanOrEqual(0);
          expect(x).toBeLessThanOrEqual(places.nowX);
          expect(y).toBeLessThanOrEqual(88);
        }
        for (const x of places.attempts) expect(x).toBeLessThanOrEqual(100);
        expect(places.attempts.length).toBeLessThanOrEqual(100);
      },
    ),
  );
});

test("shows no tick whose label would leave the chart or cover that of now", () => {
  const axis = { fromMs: 0, untilMs: 100 };
  const shown = [1, 4, 5, 42, 44, 50, 56, 58, 95, 96, 99.5].filter((ms) =>
    isTickShown(ms, axis, 50),
  );
  expect(shown).toEqual([5, 42, 58, 95]);
});

test("knows the ticks whose labels would touch that of now on a phone", () => {
  const axis = { fromMs: 0, untilMs: 100 };
  const near = [30, 33, 34, 44, 56, 66, 67, 70].filter((ms) => isTickNearNow(ms, axis, 50));
  expect(near).toEqual([34, 44, 56, 66]);
});
