import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isFlipped, layLanes } from "./lanes";

test("puts names on the first lane with room", () => {
  const marks = [0, 0.05, 0.2, 0.21].map((share) => ({ share, widthShare: 0.1 }));
  expect(layLanes(marks, 3)).toEqual([0, 1, 0, 1]);
  expect(
    layLanes(
      [0.1, 0.1, 0.1, 0.1].map((share) => ({ share, widthShare: 0.1 })),
      3,
    ),
  ).toEqual([0, 1, 2, null]);
});

test("never overlaps two names on one lane", () => {
  const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 30 });
  fc.assert(
    fc.property(shares, fc.double({ min: 0.01, max: 0.3, noNaN: true }), (list, widthShare) => {
      const marks = list.toSorted((a, b) => a - b).map((share) => ({ share, widthShare }));
      const lanes = layLanes(marks, 3);
      for (const lane of [0, 1, 2]) {
        const from = marks
          .filter((_, at) => lanes[at] === lane)
          .map((mark) => (isFlipped(mark) ? mark.share - widthShare : mark.share));
        for (const [at, begin] of from.entries())
          expect(begin).toBeGreaterThanOrEqual((from[at - 1] ?? -1) + widthShare - 1e-9);
      }
    }),
  );
});
