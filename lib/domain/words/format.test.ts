import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { zoneName } from "@/lib/domain/time/zone-name";
import {
  absoluteTime,
  ago,
  clockTime,
  clockTimeWithSeconds,
  dayAndZone,
  duration,
  moment,
  narrowMoment,
  runDuration,
  span,
} from "./format";
import { atMoment, datedMoment } from "./dates";
import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

const ZONE = "Europe/Berlin";
const NOW_MS = Date.parse("2026-11-19T13:32:07Z");

describe("durations", () => {
  test.each([
    [0, "0 s"],
    [41_999, "41 s"],
    [59_999, "59 s"],
    [MINUTE_MS, "1 m"],
    [9 * MINUTE_MS + 59_999, "9 m"],
    [HOUR_MS, "1 h 00 m"],
    [66 * MINUTE_MS, "1 h 06 m"],
    [130 * MINUTE_MS, "2 h 10 m"],
    [26 * HOUR_MS + 12 * MINUTE_MS, "26 h 12 m"],
    [2 * DAY_MS - 1, "47 h 59 m"],
    [2 * DAY_MS, "2 d 0 h"],
    [3 * DAY_MS + 4 * HOUR_MS, "3 d 4 h"],
    [-5000, "0 s"],
    [Number.NaN, "not known"],
  ])("formats %d ms as %j", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  test("shows runs to the second up to an hour", () => {
    expect(runDuration(14_000)).toBe("14 s");
    expect(runDuration(92_000)).toBe("1 m 32 s");
    expect(runDuration(10 * MINUTE_MS)).toBe("10 m 00 s");
    expect(runDuration(64 * MINUTE_MS)).toBe("1 h 04 m");
  });

  test("omits empty units in cadences and allowances", () => {
    expect(span(15 * MINUTE_MS)).toBe("15 m");
    expect(span(HOUR_MS)).toBe("1 h");
    expect(span(90 * MINUTE_MS)).toBe("1 h 30 m");
    expect(span(20 * HOUR_MS)).toBe("20 h");
    expect(span(7 * DAY_MS)).toBe("7 d");
  });

  test("rounds down and uses at most two units", () => {
    const unitMs = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS };
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 * DAY_MS }), (ms) => {
        const parts = duration(ms).split(" ");
        expect([2, 4]).toContain(parts.length);
        let totalMs = 0;
        for (let index = 0; index < parts.length; index += 2)
          totalMs += Number(parts[index]) * unitMs[parts[index + 1] as keyof typeof unitMs];
        expect(totalMs).toBeLessThanOrEqual(ms);
        expect(ms - totalMs).toBeLessThan(unitMs[parts.at(-1) as keyof typeof unitMs]);
      }),
    );
  });

  test("formats ago", () => {
    expect(ago(3 * MINUTE_MS)).toBe("3 m ago");
  });
});

describe("clock times", () => {
  test("names the zone and the day in absolute times", () => {
    expect(absoluteTime(Date.parse("2026-11-19T11:22:07Z"), ZONE)).toBe(
      "12:22:07 CET, Thu 19 Nov 2026",
    );
    expect(absoluteTime(Date.parse("2026-09-01T22:00:00Z"), "UTC")).toBe(
      "22:00:00 UTC, Tue 1 Sep 2026",
    );
  });

  test("shows midnight as 00, not 24", () => {
    expect(clockTime(Date.parse("2026-11-18T23:00:00Z"), ZONE)).toBe("00:00");
  });

  test("shows seconds, zone and day in the clock", () => {
    expect(clockTimeWithSeconds(NOW_MS, ZONE)).toBe("14:32:07");
    expect(zoneName(NOW_MS, ZONE)).toBe("CET");
    expect(dayAndZone(NOW_MS, ZONE)).toBe("Thu 19 Nov 2026, CET");
  });

  test("adds the date to a time of another day in a sentence", () => {
    const wednesday = Date.parse("2026-11-18T17:20:00Z");
    expect(datedMoment(NOW_MS - 70 * MINUTE_MS, NOW_MS, ZONE)).toBe("13:22");
    expect(datedMoment(wednesday, NOW_MS, ZONE)).toBe("Wed 18 Nov, 18:20");
    expect(datedMoment(wednesday, Date.parse("2027-01-02T12:00:00Z"), ZONE)).toBe(
      "Wed 18 Nov 2026, 18:20",
    );
    expect(atMoment(NOW_MS - 70 * MINUTE_MS, NOW_MS, ZONE)).toBe("at 13:22");
    expect(atMoment(wednesday, NOW_MS, ZONE)).toBe("on Wed 18 Nov at 18:20");
    expect(atMoment(Number.NaN, NOW_MS, ZONE)).toBe("at an unknown time");
  });

  test("uses the common name of the zone", () => {
    expect(absoluteTime(NOW_MS, "America/New_York")).toBe("08:32:07 EST, Thu 19 Nov 2026");
    expect(absoluteTime(NOW_MS, "Asia/Kathmandu")).toBe("19:17:07 Kathmandu time, Thu 19 Nov 2026");
    expect(dayAndZone(NOW_MS, "Asia/Tokyo")).toBe("Thu 19 Nov 2026, JST");
  });

  test("names the day in short times unless it is today", () => {
    expect(moment(NOW_MS - 70 * MINUTE_MS, NOW_MS, ZONE)).toBe("13:22");
    expect(moment(Date.parse("2026-11-18T17:20:00Z"), NOW_MS, ZONE)).toBe("Wed 18:20");
    expect(moment(Date.parse("2026-11-12T17:20:00Z"), NOW_MS, ZONE)).toBe("Thu 12 Nov, 18:20");
    expect(moment(Date.parse("2025-11-19T13:20:00Z"), NOW_MS, ZONE)).toBe("Wed 19 Nov 2025, 14:20");
    expect(["13:22", "Wed 18:20", "Thu 12 Nov, 18:20"].map(narrowMoment)).toEqual([
      "13:22",
      "Wed 18:20",
      "Thu 12 Nov",
    ]);
  });

  test("takes today from the reader's zone", () => {
    const lateEvening = Date.parse("2026-11-18T23:30:00Z");
    expect(moment(lateEvening, NOW_MS, ZONE)).toBe("00:30");
    expect(moment(lateEvening, NOW_MS, "UTC")).toBe("Wed 23:30");
  });

  test("doesn't throw for an invalid instant", () => {
    for (const ms of [Number.NaN, Infinity, 9e15])
      expect([clockTime(ms, ZONE), absoluteTime(ms, ZONE), moment(ms, NOW_MS, ZONE)]).toEqual([
        "not known",
        "not known",
        "not known",
      ]);
  });
});
