import { expect, test } from "vitest";
import { dateAndTime, dayMonthYear } from "./dates";
import { NOT_KNOWN } from "./format";

test("writes dates in one way, without a leading zero", () => {
  const ms = Date.parse("2026-10-09T07:12:30Z");
  expect(dayMonthYear(ms, "Europe/Oslo")).toBe("9 Oct 2026");
  expect(dateAndTime(ms, "Europe/Oslo")).toBe("9 Oct 2026, 09:12");
  expect(dateAndTime(NaN, "UTC")).toBe(NOT_KNOWN);
});
