import { expect, test } from "vitest";
import { dayOrdinal, monthAndYear, monthName } from "./calendar-names";

test("months and days have their English names", () => {
  expect([monthName("2026-10"), monthName("2026-01-31")]).toEqual(["October", "January"]);
  expect(monthAndYear("2026-12")).toBe("December 2026");
  expect(
    ["01", "02", "03", "04", "11", "12", "13", "21", "22", "23", "31"].map((day) =>
      dayOrdinal(`2026-10-${day}`),
    ),
  ).toEqual(["1st", "2nd", "3rd", "4th", "11th", "12th", "13th", "21st", "22nd", "23rd", "31st"]);
});
