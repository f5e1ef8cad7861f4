import { expect, test } from "vitest";
import { daysOf, MAX_DAYS } from "./plan";
import { WEEKS_LEARNED_AFTER_DAYS } from "./world";

test("a run has at most thirty days, of which the last may have learned weeks", () => {
  expect(MAX_DAYS).toBeGreaterThan(WEEKS_LEARNED_AFTER_DAYS);
  expect(daysOf(MAX_DAYS)).toBe(30);
  expect(daysOf(0.15)).toBe(0.15);
  expect(() => daysOf(MAX_DAYS + 1)).toThrow("at most 30");
  expect(() => daysOf(0)).toThrow("more than 0");
});
