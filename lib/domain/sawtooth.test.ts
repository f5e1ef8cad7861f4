import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sawtooth, type Corner } from "./sawtooth";
import { HOUR_MS } from "@/lib/domain/time/units";

const AXIS = { fromMs: 0, untilMs: 24 * HOUR_MS };
const HOURLY = { cadenceMs: HOUR_MS, staleAfterMs: 2 * HOUR_MS };
const at = (hours: number) => hours * HOUR_MS;

const instants = fc
  .uniqueArray(fc.integer({ min: -at(6), max: at(24) }), { maxLength: 40 })
  .map((list) => list.toSorted((a, b) => a - b));
const gapList = fc
  .array(fc.tuple(fc.integer({ min: -at(2), max: at(25) }), fc.integer({ min: 1, max: at(5) })), {
    maxLength: 6,
  })
  .map((list) => list.map(([fromMs, lengthMs]) => ({ fromMs, untilMs: fromMs + lengthMs })));

const msOf = ({ x }: Corner) => x * AXIS.untilMs;

describe("sawtooth", () => {
  test("rises to due in one cadence, bends beyond, and falls at the landing", () => {
    const { lines, overdue } = sawtooth([at(0), at(1), at(5)], [], AXIS, HOURLY);
    expect(lines).toHaveLength(1);
    const [line] = lines;
    expect(line?.slice(0, 3)).toEqual([
      { x: 0, y: 0 },
      { x: 1 / 24, y: 0.5 },
      { x: 1 / 24, y: 0 },
    ]);
    // Four cadences after the landing of 01:00: 1/2 + log2(4)/6.
    const peak = line?.findLast(({ x }) => x === 5 / 24);
    expect(peak?.y).toBe(0);
    expect(Math.max(...(overdue[0]?.corners ?? []).map(({ y }) => y))).toBeCloseTo(0.5 + 2 / 6);
    expect(overdue[0]?.corners[0]?.y).toBe(0.5);
    expect(overdue[0]?.corners.at(-1)?.y).toBe(0.5);
  });

  test("tells ages that make a feed stale from late ones", () => {
    const overdue = (staleAfterMs: number | null) =>
      sawtooth([at(0), at(3), at(7)], [], AXIS, { ...HOURLY, staleAfterMs }).overdue.map(
        ({ isStale }) => isStale,
      );
    expect(overdue(2 * HOUR_MS)).toEqual([false, true, true]);
    expect(overdue(null)).toEqual([false, false, false]);
  });

  test("is empty without a cadence, a landing or a width", () => {
    const none = { lines: [], overdue: [] };
    expect(sawtooth([at(1)], [], AXIS, { ...HOURLY, cadenceMs: null })).toEqual(none);
    expect(sawtooth([at(1)], [], AXIS, { ...HOURLY, cadenceMs: 0 })).toEqual(none);
    expect(sawtooth([], [], AXIS, HOURLY)).toEqual(none);
    expect(sawtooth([at(1)], [], { fromMs: 5, untilMs: 5 }, HOURLY)).toEqual(none);
  });

  test("agrees with the recorded landings at every corner, and draws nothing in a gap", () => {
    fc.assert(
      fc.property(instants, gapList, (landingsMs, gaps) => {
        const { lines, overdue } = sawtooth(landingsMs, gaps, AXIS, HOURLY);
        for (const line of lines) {
          for (const [index, corner] of line.entries()) {
            const ms = msOf(corner);
            expect(corner.x).toBeGreaterThanOrEqual(0);
            expect(corner.x).toBeLessThanOrEqual(1);
            // At a landing the line has two ends: the old age and 0.
            const ages = [
              landingsMs.findLast((landed) => landed <= ms + 1),
              landingsMs.findLast((landed) => landed < ms - 1),
            ].flatMap((landed) => (landed === undefined ? [] : [heightOf(ms - landed)]));
            expect(ages.some((y) => Math.abs(y - corner.y) < 1e-4)).toBe(true);
            const before = line[index - 1];
            if (before !== undefined) expect(corner.x).toBeGreaterThanOrEqual(before.x);
          }
          const [first] = line;
          const last = line.at(-1);
          if (first === undefined || last === undefined) continue;
          for (const gap of gaps)
            expect(gap.fromMs >= msOf(last) - 1 || gap.untilMs <= msOf(first) + 1).toBe(true);
        }
        for (const shape of overdue)
          for (const { y } of shape.corners) expect(y).toBeGreaterThanOrEqual(0.5);
      }),
    );
  });
});

function heightOf(ageMs: number): number {
  const cadences = Math.max(0, ageMs) / HOUR_MS;
  return cadences <= 1 ? cadences / 2 : Math.min(1, 0.5 + Math.log2(cadences) / 6);
}
