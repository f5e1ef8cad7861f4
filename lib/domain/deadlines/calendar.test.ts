import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import {
  compatibleMs,
  deadlineDay,
  deadlineDays,
  hasDeadlineDate,
  isDeadlineDate,
  nextDeadlineDay,
  windowFromMs,
} from "./calendar";
import { daysInMonth, isDate } from "./dates";
import { anyRule, deadline, rule } from "./deadline-fixture";

const at = (text: string) => Date.parse(text);
const dates = (changes: Parameters<typeof rule>[0], month: string) =>
  Array.from(
    { length: daysInMonth(`${month}-01`) },
    (_, n) => `${month}-${String(n + 1).padStart(2, "0")}`,
  ).filter((date) => isDeadlineDate(rule(changes), date));

describe("a local time", () => {
  test.each([
    // Clocks skip from 02:00 to 03:00: as if they hadn't changed.
    ["2026-03-29", "02:30", "Europe/Berlin", "2026-03-29T01:30:00.000Z"],
    ["2026-03-08", "02:30", "America/New_York", "2026-03-08T07:30:00.000Z"],
    // Clocks go back: the first of two.
    ["2026-10-25", "02:30", "Europe/Berlin", "2026-10-25T00:30:00.000Z"],
    ["2026-11-01", "01:30", "America/New_York", "2026-11-01T05:30:00.000Z"],
    // Half an hour.
    ["2026-10-04", "02:10", "Australia/Lord_Howe", "2026-10-03T15:40:00.000Z"],
    ["2026-04-05", "01:45", "Australia/Lord_Howe", "2026-04-04T14:45:00.000Z"],
    ["2026-09-27", "03:00", "Pacific/Chatham", "2026-09-26T14:15:00.000Z"],
    // At midnight.
    ["2026-09-06", "00:30", "America/Santiago", "2026-09-06T04:30:00.000Z"],
    ["2026-11-26", "07:00", "Asia/Kathmandu", "2026-11-26T01:15:00.000Z"],
    // A whole day was skipped.
    ["2011-12-30", "07:00", "Pacific/Apia", "2011-12-30T17:00:00.000Z"],
  ])("%s %s in %s is %s", (date, time, zone, expected) => {
    const [hours = 0, minutes = 0] = time.split(":").map(Number);
    expect(iso(compatibleMs(date, hours * 60 + minutes, zone))).toBe(expected);
  });

  /** All zones of the test have offsets in quarters of an hour. */
  const QUARTER_MS = 15 * MINUTE_MS;
  const shows = (ms: number, zone: string) =>
    new Intl.DateTimeFormat("sv-SE", {
      timeZone: zone,
      dateStyle: "short",
      timeStyle: "short",
    }).format(ms);

  test("is the first instant at which clocks show it, or the one after the jump that is as late", () => {
    fc.assert(
      fc.property(anyRule, fc.integer({ min: 0, max: 3000 }), ({ timeZone }, n) => {
        const date = new Date(at("2024-01-01T00:00:00Z") + n * DAY_MS).toISOString().slice(0, 10);
        const minutes = ((n * 7) % 96) * 15;
        const found = compatibleMs(date, minutes, timeZone);
        const time = `${String(Math.floor(minutes / 60)).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
        const wallMs = at(`${date}T${time}:00Z`);
        const around = Array.from(
          { length: 118 },
          (_, k) => wallMs - 15 * HOUR_MS + k * QUARTER_MS,
        );
        const first = around.find((ms) => shows(ms, timeZone) === `${date} ${time}`);
        if (first !== undefined) expect(found).toBe(first);
        else {
          const shown = Date.parse(`${shows(found, timeZone).replace(" ", "T")}:00Z`);
          expect(shown - wallMs).toBeGreaterThan(0);
          expect(shown - wallMs).toBeLessThanOrEqual(HOUR_MS);
        }
      }),
      { numRuns: 150 },
    );
  });
});

describe("the days of a deadline", () => {
  test("are weekdays without holidays, and nothing moves", () => {
    const workdays = WEEKDAYS.slice(0, 5);
    expect(dates({ days: workdays, holidays: ["2026-12-25"] }, "2026-12")).toHaveLength(22);
    expect(dates({ days: ["sat"] }, "2026-11")).toEqual([
      "2026-11-07",
      "2026-11-14",
      "2026-11-21",
      "2026-11-28",
    ]);
  });

  test("are days of the month, which a shorter month lacks", () => {
    const monthDays = (...of: (number | "last" | "first_workday" | "last_workday")[]) => ({
      days: null,
      monthDays: of,
    });
    expect(dates(monthDays(15, 31), "2026-11")).toEqual(["2026-11-15"]);
    expect(dates(monthDays("last"), "2024-02")).toEqual(["2024-02-29"]);
    expect(dates(monthDays("last"), "2026-02")).toEqual(["2026-02-28"]);
    expect(dates(monthDays("first_workday", "last_workday"), "2026-11")).toEqual([
      "2026-11-02",
      "2026-11-30",
    ]);
    const holidays = ["2027-01-01", "2027-01-29"];
    expect(dates({ ...monthDays("first_workday", "last_workday"), holidays }, "2027-01")).toEqual([
      "2027-01-04",
      "2027-01-28",
    ]);
  });

  test("lie within the first and the last one", () => {
    expect(dates({ from: "2026-11-10", until: "2026-11-12" }, "2026-11")).toEqual([
      "2026-11-10",
      "2026-11-11",
      "2026-11-12",
    ]);
  });

  test("are the next one until its allowance is over, and none after the last", () => {
    const one = deadline({ allowanceMinutes: 30, until: "2026-11-26" });
    expect(nextDeadlineDay(one, at("2026-11-26T07:29:00Z"))?.date).toBe("2026-11-26");
    expect(nextDeadlineDay(one, at("2026-11-26T07:30:00Z"))).toBeNull();
    const holidays = Array.from({ length: 400 }, (_, n) =>
      iso(at("2026-11-26T00:00:00Z") + n * DAY_MS).slice(0, 10),
    );
    expect(nextDeadlineDay(deadline({ holidays }), at("2026-11-26T00:00:00Z"))?.date).toBe(
      "2027-12-31",
    );
  });

  test("are looked for in a range that begins before year 0", () => {
    const fromMs = at("0000-01-01T00:00:00Z") - 5 * DAY_MS;
    const untilMs = fromMs + 10 * DAY_MS;
    expect(deadlineDays(rule({ from: "1970-01-01" }), { fromMs, untilMs })).toEqual([]);
  });

  test("are the same in one range as in its parts", () => {
    fc.assert(
      fc.property(anyRule, fc.integer({ min: 0, max: 20 }), (one, cut) => {
        const fromMs = at("2026-10-15T00:00:00Z");
        const untilMs = fromMs + 40 * DAY_MS;
        const cutMs = fromMs + cut * 2 * DAY_MS;
        const whole = deadlineDays(one, { fromMs, untilMs });
        const parts = [
          ...deadlineDays(one, { fromMs, untilMs: cutMs }),
          ...deadlineDays(one, { fromMs: cutMs, untilMs }),
        ];
        expect(parts).toEqual(whole);
        expect(new Set(whole.map(({ date }) => date)).size).toBe(whole.length);
      }),
      { numRuns: 200 },
    );
  });
});

describe("the window", () => {
  const windowOf = (
    changes: Parameters<typeof rule>[0],
    cadenceMs: number | null,
    status = "active",
  ) => {
    const day = deadlineDay(rule(changes), "2026-11-26");
    if (day === null) throw new Error("it is a day of the deadline");
    return iso(windowFromMs(day, { status, cadenceMs })).slice(11, 16);
  };

  test("begins two cadences before, or with the day", () => {
    expect(windowOf({}, HOUR_MS)).toBe("05:00");
    expect(windowOf({}, DAY_MS)).toBe("00:00");
    expect(windowOf({}, null)).toBe("00:00");
    expect(windowOf({ timeZone: "Asia/Kathmandu" }, DAY_MS)).toBe("18:15");
  });

  test("begins with the day for a webhook, however often its data came", () => {
    expect(windowOf({}, HOUR_MS, "webhook")).toBe("00:00");
    expect(windowOf({ dataFrom: "03:00" }, HOUR_MS, "webhook")).toBe("03:00");
  });

  test("begins when its data does, whatever the cadence", () => {
    expect(windowOf({ dataFrom: "03:00" }, HOUR_MS)).toBe("03:00");
    expect(windowOf({ dataFrom: "03:00" }, null)).toBe("03:00");
  });

  test("never begins after the deadline where clocks skip its beginning", () => {
    const skipped = { by: "03:00", dataFrom: "02:30", timeZone: "Europe/Berlin" };
    const day = deadlineDay(rule(skipped), "2026-03-29");
    const pace = { status: "active", cadenceMs: HOUR_MS };
    expect(day === null ? null : windowFromMs(day, pace) - day.dueMs).toBe(0);
  });
});

test("has a date if one of its days lies between its first and last", () => {
  // Thursday to Sunday.
  const range = { from: "2026-11-26", until: "2026-11-29" };
  const has = (changes: Parameters<typeof rule>[0], since: string | null = null) =>
    hasDeadlineDate(rule(changes), since);
  expect(has({ ...range, days: ["fri"] })).toBe(true);
  expect(has({ ...range, days: ["fri"] }, "2026-11-28")).toBe(false);
  expect(has({ ...range, days: ["mon"] }, "2026-11-23")).toBe(false);
  expect(has({ ...range, days: ["fri"], holidays: ["2026-11-27"] })).toBe(false);
  expect(has({ ...range, days: null, monthDays: [31] })).toBe(false);
  expect(has({ days: ["mon"], until: "2026-11-29" })).toBe(true);
  expect(has({ days: ["mon"], until: "2026-11-29" }, "2026-11-26")).toBe(false);
  expect(has({ days: ["mon"], from: "2026-11-26" })).toBe(true);
});

test.each([
  ["2026-11-26", true],
  ["2026-02-29", false],
  ["2024-02-29", true],
  ["2026-13-01", false],
  ["26-11-2026", false],
  ["2026-11-26T00:00", false],
  ["1970-01-01", true],
  ["1969-12-31", false],
  ["0000-01-01", false],
  ["9998-12-31", true],
  ["9999-01-01", false],
])("%s is a date: %s", (text, expected) => {
  expect(isDate(text)).toBe(expected);
});
