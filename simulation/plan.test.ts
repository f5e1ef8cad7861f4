import { expect, test } from "vitest";
import { daysOf, MAX_DAYS } from "./plan";

test("a run is shorter than it takes to learn a week", () => {
  expect(MAX_DAYS).toBeLessThan(4 * 7 - 6);
  expect(daysOf(MAX_DAYS)).toBe(MAX_DAYS);
  expect(daysOf(0.15)).toBe(0.15);
  expect(() => daysOf(MAX_DAYS + 1)).toThrow("a week is learned");
  expect(() => daysOf(0)).toThrow("more than 0");
});
