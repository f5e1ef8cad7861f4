import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { iso } from "@/lib/domain/time/instant";
import {
  isQuietAt,
  quietFrom,
  quietSinceMs,
  quietUntilMs,
  quietWithin,
  type PlannedQuiet,
  type Weekly,
} from "./planned-quiet";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { concerns } from "./concerns";
import { DAY_MS } from "@/lib/domain/time/units";

const at = (text: string) => Date.parse(text);

function planned(changes: Partial<PlannedQuiet> = {}): PlannedQuiet {
  return {
    partner: null,
    endpointId: null,
    fromMs: at("2026-01-01T00:00:00Z"),
    untilMs: null,
    weekly: null,
    endedMs: null,
    ...changes,
  };
}
function weekly(changes: Partial<Weekly> = {}): PlannedQuiet {
  const hours = { days: WEEKDAYS, from: "22:00", until: "06:00", timeZone: "UTC" };
  return planned({ weekly: { ...hours, ...changes } });
}
function periodsIn(one: PlannedQuiet, from: string, until: string): string[] {
  const periods = quietWithin(one, { fromMs: at(from), untilMs: at(until) });
  return periods.map(({ fromMs, untilMs }) => `${iso(fromMs)} ${iso(untilMs)}`);
}

test("names the next start or end of several quiet times", () => {
  const night = weekly();
  const once = planned({ fromMs: at("2026-01-05T12:00:00Z"), untilMs: at("2026-01-05T13:00:00Z") });
  const next = (now: string) => {
    const untilMs = quietUntilMs([night, once], at(now));
    return iso(untilMs);
  };
  expect(next("2026-01-05T01:00:00Z")).toBe("2026-01-05T06:00:00.000Z");
  expect(next("2026-01-05T06:00:00Z")).toBe("2026-01-05T12:00:00.000Z");
  expect(next("2026-01-05T12:00:00Z")).toBe("2026-01-05T13:00:00.000Z");
  expect(next("2026-01-05T13:00:00Z")).toBe("2026-01-05T22:00:00.000Z");
  expect(quietUntilMs([once], at("2026-01-06T00:00:00Z"))).toBe(Infinity);
});

test("applies only to its endpoint, partner or company", () => {
  const endpoint = { id: "e1", partner: "Procore" };
  expect(concerns({ partner: null, endpointId: null }, endpoint)).toBe(true);
  expect(concerns({ partner: "Procore", endpointId: null }, endpoint)).toBe(true);
  expect(concerns({ partner: "Aconex", endpointId: null }, endpoint)).toBe(false);
  expect(concerns({ partner: "Procore", endpointId: "e2" }, endpoint)).toBe(false);
  // The endpoint's id decides, even if its partner changed.
  expect(concerns({ partner: "Aconex", endpointId: "e1" }, endpoint)).toBe(true);
});

describe("a single quiet time", () => {
  const once = planned({
    fromMs: at("2026-11-20T18:00:00Z"),
    untilMs: at("2026-11-23T06:00:00Z"),
  });

  test("is quiet from its start until its end", () => {
    const quiet = ["17:59:59.999", "18:00:00.000"].map((time) =>
      isQuietAt(once, at(`2026-11-20T${time}Z`)),
    );
    expect(quiet).toEqual([false, true]);
    expect(isQuietAt(once, at("2026-11-23T05:59:59.999Z"))).toBe(true);
    expect(isQuietAt(once, at("2026-11-23T06:00:00Z"))).toBe(false);
  });

  test("is over when ended early, and keeps its past", () => {
    const ended = { ...once, endedMs: at("2026-11-21T00:00:00Z") };
    expect(periodsIn(ended, "2026-11-01T00:00:00Z", "2026-12-01T00:00:00Z")).toEqual([
      "2026-11-20T18:00:00.000Z 2026-11-21T00:00:00.000Z",
    ]);
    expect(quietFrom(ended, at("2026-11-21T00:00:00Z"))).toBeNull();
  });

  test("is never quiet if ended before its start", () => {
    const ended = { ...once, endedMs: at("2026-11-20T00:00:00Z") };
    expect(quietFrom(ended, at("2026-11-19T00:00:00Z"))).toBeNull();
  });
});

describe("a weekly quiet time", () => {
  test("counts a night to the day on which it starts", () => {
    const fridays = weekly({ days: ["fri"] });
    expect(periodsIn(fridays, "2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z")).toEqual([
      "2026-11-20T22:00:00.000Z 2026-11-21T06:00:00.000Z",
    ]);
    expect(isQuietAt(fridays, at("2026-11-20T03:00:00Z"))).toBe(false);
  });

  test("merges a weekend until 24:00 into one quiet time in its zone", () => {
    const weekends = weekly({
      days: ["sat", "sun"],
      from: "00:00",
      until: "24:00",
      timeZone: "America/New_York",
    });
    expect(periodsIn(weekends, "2026-11-16T12:00:00Z", "2026-11-26T00:00:00Z")).toEqual([
      "2026-11-21T05:00:00.000Z 2026-11-23T05:00:00.000Z",
    ]);
    expect(quietFrom(weekends, at("2026-11-22T12:00:00Z"))).toEqual({
      fromMs: at("2026-11-22T12:00:00Z"),
      untilMs: at("2026-11-23T05:00:00Z"),
    });
    expect(quietFrom(weekends, at("2026-11-23T05:00:00Z"))?.fromMs).toBe(
      at("2026-11-28T05:00:00Z"),
    );
  });

  test("lasts until it is ended or expires if its hours cover the whole week", () => {
    const always = weekly({ from: "00:00", until: "24:00" });
    const fromMs = at("2026-11-22T12:00:00Z");
    expect(quietFrom(always, fromMs)).toEqual({ fromMs, untilMs: null });
    const untilMs = at("2027-02-01T00:00:00Z");
    expect(quietFrom({ ...always, untilMs }, fromMs)).toEqual({ fromMs, untilMs });
  });

  test.each([
    // Clocks skip from 02:00 to 03:00.
    ["Europe/Berlin", "2026-03-29", "01:30", "04:00", "00:30 02:00"],
    ["Europe/Berlin", "2026-03-29", "02:30", "04:00", "01:00 02:00"],
    ["Europe/Berlin", "2026-03-29", "02:15", "02:45", null],
    ["America/New_York", "2026-03-08", "02:30", "04:00", "07:00 08:00"],
    // Clocks go from 03:00 back to 02:00, and from 02:00 back to 01:00.
    ["Europe/Berlin", "2026-10-25", "02:30", "04:00", "00:30 03:00"],
    ["Europe/Berlin", "2026-10-25", "01:00", "02:30", "23:00 00:30"],
    ["America/New_York", "2026-11-01", "01:30", "02:00", "05:30 07:00"],
    // A change of half an hour.
    ["Australia/Lord_Howe", "2026-10-04", "02:10", "03:00", "15:30 16:00"],
    // Clocks change at midnight: the day starts at 01:00.
    ["America/Santiago", "2026-09-06", "00:00", "02:00", "04:00 05:00"],
  ])("in %s on %s from %s until %s is %s", (timeZone, day, from, until, expected) => {
    const dayMs = at(`${day}T00:00:00Z`);
    const weekday = WEEKDAYS[(new Date(dayMs).getUTCDay() + 6) % 7] ?? "mon";
    const one = weekly({ days: [weekday], from, until, timeZone });
    const found = quietWithin(one, { fromMs: dayMs - DAY_MS / 2, untilMs: dayMs + DAY_MS });
    expect(
      found.map(
        ({ fromMs, untilMs }) => `${iso(fromMs).slice(11, 16)} ${iso(untilMs).slice(11, 16)}`,
      ),
    ).toEqual(expected === null ? [] : [expected]);
  });
});

describe("at any time in any zone", () => {
  const zone = fc.constantFrom(
    "UTC",
    "Europe/Berlin",
    "America/New_York",
    "Australia/Lord_Howe",
    "Asia/Kathmandu",
    "Pacific/Apia",
    "America/Santiago",
  );
  const time = fc
    .integer({ min: 0, max: 1439 })
    .map(
      (m) => `${String(Math.floor(m / 60)).padStart(2, "0")}:${String(m % 60).padStart(2, "0")}`,
    );
  const plan = fc
    .record({
      days: fc.subarray([...WEEKDAYS], { minLength: 1 }),
      from: time,
      until: fc.oneof(time, fc.constant("24:00")),
      timeZone: zone,
    })
    .filter(({ from, until }) => from !== until)
    .map((given) => weekly(given));
  const moment = fc
    .integer({ min: at("2026-02-01T00:00:00Z") / 1000, max: at("2027-02-01T00:00:00Z") / 1000 })
    .map((seconds) => seconds * 1000);

  test("agrees with the ranges around an instant, however they are cut", () => {
    fc.assert(
      fc.property(plan, moment, fc.integer({ min: 1, max: 20 }), (one, atMs, days) => {
        const within = { fromMs: atMs - days * DAY_MS, untilMs: atMs + days * DAY_MS };
        const periods = quietWithin(one, within);
        const holds = periods.some(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
        expect(isQuietAt(one, atMs)).toBe(holds);
      }),
      { numRuns: 500 },
    );
  });

  test("finds the next quiet time, quiet until its end, with none before it", () => {
    fc.assert(
      fc.property(plan, moment, (one, atMs) => {
        const found = quietFrom(one, atMs);
        if (found === null) throw new Error("every week has one");
        expect(isQuietAt(one, found.fromMs)).toBe(true);
        expect(quietWithin(one, { fromMs: atMs, untilMs: found.fromMs })).toEqual([]);
        if (found.untilMs === null) return;
        expect(isQuietAt(one, found.untilMs - 1)).toBe(true);
        expect(isQuietAt(one, found.untilMs)).toBe(false);
      }),
      { numRuns: 500 },
    );
  });

  test("has been quiet since its start, and wasn't before", () => {
    fc.assert(
      fc.property(plan, moment, (one, atMs) => {
        const found = quietFrom(one, atMs);
        if (found === null) throw new Error("every week has one");
        const sinceMs = quietSinceMs(one, found.fromMs);
        expect(sinceMs).toBeLessThanOrEqual(found.fromMs);
        expect(isQuietAt(one, sinceMs)).toBe(true);
        expect(isQuietAt(one, sinceMs - 1)).toBe(false);
        expect(quietWithin(one, { fromMs: sinceMs, untilMs: found.fromMs + 1 })).toHaveLength(1);
      }),
      { numRuns: 500 },
    );
  });

  test("is never quiet before it was planned or after it was ended", () => {
    fc.assert(
      fc.property(plan, moment, moment, moment, (one, fromMs, endedMs, atMs) => {
        if (!isQuietAt({ ...one, fromMs, endedMs }, atMs)) return;
        expect(atMs).toBeGreaterThanOrEqual(fromMs);
        expect(atMs).toBeLessThan(endedMs);
      }),
      { numRuns: 500 },
    );
  });
});
