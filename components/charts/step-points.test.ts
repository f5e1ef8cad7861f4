import * as fc from "fast-check";
import { expect, test } from "vitest";
import { niceScale } from "./nice-scale";
import { shareOf, stepPoints, unseenOf, type StepPoint } from "./step-points";

const point = (atMs: number, value: number | null): StepPoint => ({ atMs, value });

test("holds a reading until the next and until the end", () => {
  expect(stepPoints([point(0, 5), point(10, 7)], [], 20)).toEqual([
    point(0, 5),
    point(10, 7),
    point(20, 7),
  ]);
});

test("draws nothing in a gap, and nothing after it until a new reading", () => {
  const unseen = [{ fromMs: 4, untilMs: 12 }];
  expect(stepPoints([point(0, 5), point(8, 6), point(16, 7)], unseen, 20)).toEqual([
    point(0, 5),
    point(4, 5),
    point(4, null),
    point(16, 7),
    point(20, 7),
  ]);
});

test("treats a missing reading as unseen until the next one", () => {
  const points = [point(0, 5), point(5, null), point(10, null), point(15, 7), point(20, null)];
  const unseen = unseenOf(points, [], { fromMs: 0, untilMs: 25 });
  expect(unseen).toEqual([
    { fromMs: 5, untilMs: 15 },
    { fromMs: 20, untilMs: 25 },
  ]);
  expect(stepPoints(points, unseen, 25).filter(({ value }) => value !== null)).toEqual([
    point(0, 5),
    point(5, 5),
    point(15, 7),
    point(20, 7),
  ]);
});

test("draws no value where nothing was observed, whatever is missing", () => {
  const readings = fc
    .uniqueArray(fc.integer({ min: 0, max: 100 }), { maxLength: 30 })
    .chain((instants) =>
      fc.tuple(
        ...instants
          .toSorted((a, b) => a - b)
          .map((atMs) => fc.option(fc.nat(50)).map((value) => point(atMs, value))),
      ),
    );
  const gaps = fc.array(fc.tuple(fc.nat(100), fc.integer({ min: 1, max: 30 })), { maxLength: 5 });
  fc.assert(
    fc.property(readings, gaps, (points, periods) => {
      const axis = { fromMs: 0, untilMs: 100 };
      const given = periods.map(([fromMs, lengthMs]) => ({ fromMs, untilMs: fromMs + lengthMs }));
      const unseen = unseenOf(points, given, axis);
      const drawn = stepPoints(points, unseen, axis.untilMs);
      for (const [at, { atMs, value }] of drawn.entries()) {
        if (value === null) continue;
        expect(unseen.some(({ fromMs, untilMs }) => fromMs < atMs && atMs < untilMs)).toBe(false);
        const next = drawn[at + 1];
        if (next !== undefined)
          expect(unseen.some(({ fromMs }) => atMs < fromMs && fromMs < next.atMs)).toBe(false);
      }
    }),
  );
});

test("maps positions to shares of the axis, clamped to its ends", () => {
  const axis = { fromMs: 100, untilMs: 200 };
  expect([0, 100, 150, 200, 300].map((ms) => shareOf(ms, axis))).toEqual([0, 0, 0.5, 1, 1]);
});

test("starts a scale at 0, ends it at a round number above everything, with a whole middle", () => {
  expect(niceScale(1499)).toEqual([0, 1000, 2000]);
  expect(niceScale(2017)).toEqual([0, 1250, 2500]);
  expect(niceScale(0)).toEqual([0, 1, 2]);
  expect(niceScale(3)).toEqual([0, 2, 4]);
  fc.assert(
    fc.property(fc.nat(10_000_000), (max) => {
      const [, middle, top] = niceScale(max);
      expect(top).toBeGreaterThanOrEqual(max);
      expect(middle * 2).toBe(top);
      expect(Number.isInteger(middle)).toBe(true);
    }),
  );
});
