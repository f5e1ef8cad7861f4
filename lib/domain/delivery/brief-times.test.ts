import { expect, test } from "vitest";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { briefTimesBetween } from "./brief-times";
import type { BriefTimes } from "./rule";

const between = (brief: BriefTimes, from: string, until: string) =>
  briefTimesBetween(brief, { fromMs: Date.parse(from), untilMs: Date.parse(until) }).map((ms) =>
    new Date(ms).toISOString(),
  );

test("is due on its days at its time of day across clock changes", () => {
  const brief: BriefTimes = { days: ["fri", "mon"], at: "08:00", time_zone: "America/New_York" };
  expect(between(brief, "2026-10-29T00:00:00Z", "2026-11-03T00:00:00Z")).toEqual([
    "2026-10-30T12:00:00.000Z",
    "2026-11-02T13:00:00.000Z",
  ]);
});

test("is due at the jump if the clock skips its time, and once if the clock repeats it", () => {
  const brief: BriefTimes = { days: ["sun"], at: "02:30", time_zone: "America/New_York" };
  expect(between(brief, "2026-03-07T00:00:00Z", "2026-03-09T00:00:00Z")).toEqual([
    "2026-03-08T07:00:00.000Z",
  ]);
  expect(
    between({ ...brief, at: "01:30" }, "2026-10-31T00:00:00Z", "2026-11-02T00:00:00Z"),
  ).toEqual(["2026-11-01T05:30:00.000Z"]);
});

test("is due in exactly one of two adjoining ranges", () => {
  const brief: BriefTimes = { days: WEEKDAYS, at: "23:59", time_zone: "UTC" };
  const due = "2026-11-19T23:59:00.000Z";
  expect(between(brief, "2026-11-19T12:00:00Z", due)).toEqual([due]);
  expect(between(brief, due, "2026-11-20T12:00:00Z")).toEqual([]);
});
