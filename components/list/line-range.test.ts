import { describe, expect, test } from "vitest";
import { offsetsOf, rangeWithin } from "./line-range";

test("has offsets where lines start and where the last one ends", () => {
  expect(offsetsOf([32, 30, 30])).toEqual([0, 32, 62, 92]);
  expect(offsetsOf([])).toEqual([0]);
});

describe("the lines to render", () => {
  const offsets = offsetsOf(Array.from({ length: 5000 }, () => 30));

  test("at the top are those in the window and three more below", () => {
    expect(rangeWithin(offsets, -200, 700)).toEqual({ first: 0, end: 27 });
  });

  test("in the middle include three beyond either edge, however many lines there are", () => {
    expect(rangeWithin(offsets, 60_000, 60_900)).toEqual({ first: 1997, end: 2034 });
  });

  test("stop at the end, without lines beyond it", () => {
    expect(rangeWithin(offsets, 149_500, 150_400)).toEqual({ first: 4980, end: 5000 });
    expect(rangeWithin(offsets, 900_000, 900_900)).toEqual({ first: 4997, end: 5000 });
    expect(rangeWithin([0], 0, 900)).toEqual({ first: 0, end: 0 });
  });

  test("are correct for lines of different heights", () => {
    const mixed = offsetsOf([32, ...Array.from({ length: 20 }, () => 69)]);
    expect(rangeWithin(mixed, 32 + 69 * 10, 32 + 69 * 11 - 1)).toEqual({ first: 8, end: 15 });
  });
});
