import { expect, test } from "vitest";
import { niceScale, scaleText } from "./nice-scale";

const labels = (max: number) => {
  const scale = niceScale(max);
  return scale.map((line) => scaleText(line, scale));
};

test("labels of a scale are whole counts, and shortened where they are longer than the axis", () => {
  expect(labels(7_300)).toEqual(["0", "4,000", "8,000"]);
  expect(labels(79_999)).toEqual(["0", "40,000", "80,000"]);
  expect(labels(99_999)).toEqual(["0", "50K", "100K"]);
  expect(labels(2_469_134)).toEqual(["0", "1.25M", "2.5M"]);
  expect(labels(13_580_237)).toEqual(["0", "10M", "20M"]);
});

test("a shortened label is exact", () => {
  for (let max = 100_000; max < 10 ** 12; max *= 1.7) {
    const [, half, top] = niceScale(max);
    const digits = { K: 10 ** 3, M: 10 ** 6, B: 10 ** 9, T: 10 ** 12 };
    for (const [at, line] of [half, top].entries()) {
      const [, figure, unit] = /^([\d.]+)([KMBT])$/.exec(labels(max)[at + 1] ?? "") ?? [];
      expect(Number(figure) * digits[unit as keyof typeof digits]).toBe(line);
    }
  }
});
