import fc from "fast-check";
import { expect, test } from "vitest";
import { reportDayAfter, reportDayAt, reportDayIn, type ReportDay } from "./report-day";

const at = (text: string) => Date.parse(text);
const shown = ({ day, fromMs, untilMs }: ReportDay) =>
  [day, new Date(fromMs).toISOString(), (untilMs - fromMs) / 3_600_000] as const;

test("starts at midnight in the company's zone, also when clocks change", () => {
  expect(shown(reportDayAt(at("2026-10-24T23:00:00Z"), "Europe/Oslo"))).toEqual([
    "2026-10-25",
    "2026-10-24T22:00:00.000Z",
    25,
  ]);
  expect(shown(reportDayAt(at("2026-03-29T12:00:00Z"), "Europe/Oslo"))).toEqual([
    "2026-03-29",
    "2026-03-28T23:00:00.000Z",
    23,
  ]);
});

test("neither skips nor repeats time when the time zone is changed", () => {
  const utc = reportDayAt(at("2026-10-10T12:00:00Z"), "UTC");
  expect(shown(reportDayAfter(utc, "Europe/Oslo"))).toEqual([
    "2026-10-11",
    "2026-10-11T00:00:00.000Z",
    22,
  ]);
  expect(shown(reportDayAfter(utc, "America/New_York"))).toEqual([
    "2026-10-11",
    "2026-10-11T00:00:00.000Z",
    28,
  ]);
});

test("chains days without overlap, each with its own date, in any zones", () => {
  const zone = fc.constantFrom(
    "UTC",
    "Europe/Oslo",
    "America/New_York",
    "Pacific/Kiritimati",
    "Pacific/Pago_Pago",
    "Asia/Kathmandu",
  );
  fc.assert(
    fc.property(fc.array(zone, { minLength: 2, maxLength: 60 }), ([first = "UTC", ...zones]) => {
      let last = reportDayAt(at("2026-03-01T05:00:00Z"), first);
      for (const next of zones) {
        const after = reportDayAfter(last, next);
        expect(after.fromMs).toBe(last.untilMs);
        expect(after.untilMs).toBeGreaterThan(after.fromMs);
        expect(after.day > last.day).toBe(true);
        last = after;
      }
    }),
  );
});

test("is as long as the zone's clocks make it, at any offset from UTC", () => {
  const hours = (day: string) => {
    const { fromMs, untilMs } = reportDayIn(day, "Pacific/Auckland");
    return (untilMs - fromMs) / 3_600_000;
  };
  expect(["2026-04-04", "2026-04-05", "2026-04-06", "2026-09-27"].map(hours)).toEqual([
    24, 25, 24, 23,
  ]);
});
