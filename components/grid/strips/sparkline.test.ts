import { expect, test } from "vitest";
import { sparkline } from "./sparkline";

test("draws readings as steps from zero up to their maximum", () => {
  expect(sparkline([10, 20]).line).toBe("M0 8.8H35V2H70");
  expect(sparkline([10, 20]).area).toBe("M0 8.8H35V2H70V16H0Z");
});

test("breaks the line at unobserved values, instead of dropping to zero", () => {
  const { line, area } = sparkline([10, null, 10, 10, null]);
  expect(line).toBe("M0 2H14M28 2H42V2H56");
  expect(area).toBe("M0 2H14V16H0ZM28 2H42V2H56V16H28Z");
});

test("draws a line at the bottom for zeros only, and nothing without readings", () => {
  expect(sparkline([0, 0]).line).toBe("M0 15.5H35V15.5H70");
  expect(sparkline([null, null])).toEqual({ line: "", area: "" });
  expect(sparkline([])).toEqual({ line: "", area: "" });
});
