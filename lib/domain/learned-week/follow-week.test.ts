import { expect, test } from "vitest";
import type { Period } from "@/lib/domain/history";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { followWeek, isForCadence, NO_WEEK, type WeekState } from "./follow-week";
import { recentDays } from "./learn-week";
import { silencesOf, syncsOf } from "./silences";
import type { WeekSpan } from "./week-span";

/** A Monday. */
const BEGIN_MS = Date.parse("2026-06-01T00:00:00Z");
const at = (days: number, hours = 0) => BEGIN_MS + days * DAY_MS + hours * HOUR_MS;
const WEEKEND: WeekSpan = { from: 5 * 1440, until: 7 * 1440 };

/** Days on which there is data. */
type HasData = (day: number) => boolean;
const onWorkdays: HasData = (day) => day % 7 < 5;
const and =
  (...days: number[]): HasData =>
  (day) =>
    onWorkdays(day) || days.includes(day);

/** Landings at each cadence, at 00:00 first. */
function landingsOf(cadenceMs: number, untilMs: number, hasData: HasData): number[] {
  const landings: number[] = [];
  for (let ms = BEGIN_MS; ms < untilMs; ms += cadenceMs)
    if (hasData(Math.floor((ms - BEGIN_MS) / DAY_MS))) landings.push(ms);
  return landings;
}

/** A look at the beginning of a day. */
function look(
  before: WeekState,
  day: number,
  landings: readonly number[],
  given: { timeZone?: string; cadenceMs?: number; unseen?: Period[]; fromMs?: number } = {},
): WeekState {
  const { timeZone = "UTC", cadenceMs = HOUR_MS, unseen = [], fromMs = BEGIN_MS } = given;
  const nowMs = at(day) + MINUTE_MS;
  const seen = landings.filter((ms) => ms < nowMs && ms >= nowMs - 59 * DAY_MS);
  const days = recentDays(timeZone, nowMs);
  return followWeek(before, {
    landingsMs: seen.filter((ms) => ms > nowMs - 2 * DAY_MS),
    evidence: {
      silences: silencesOf(seen, cadenceMs, nowMs),
      syncs: syncsOf(seen, cadenceMs, nowMs, days),
      unseen,
      failedMs: [],
      recordFromMs: fromMs,
      untilMs: nowMs,
      cadenceMs,
    },
    days,
    timeZone,
    nowMs,
  });
}

/** Looks of each day from the first one on, which is after four weeks. */
function followed(untilDay: number, hasData: HasData, from: WeekState = NO_WEEK, fromDay = 28) {
  let state = from;
  for (let day = fromDay; day <= untilDay; day += 1)
    state = look(state, day, landingsOf(HOUR_MS, at(day), hasData));
  return state;
}

const week = (sinceDay: number, spans = [WEEKEND]) => ({
  timeZone: "UTC",
  spans,
  cadenceMs: HOUR_MS,
  sinceMs: at(sinceDay) + MINUTE_MS,
});

test("learns, remembers since when, and stays while nothing changes", () => {
  expect(followed(28, onWorkdays)).toEqual({ week: week(28), broken: null, goneMs: null });
  expect(followed(70, onWorkdays)).toEqual(followed(28, onWorkdays));
});

test("stays after data in one quiet period, however much of it", () => {
  const saturday = followed(63, and(33));
  expect(saturday).toEqual({
    week: week(28),
    broken: { fromMs: at(33), untilMs: at(35) },
    goneMs: null,
  });
  expect(followed(63, and(33, 34))).toEqual(saturday);
});

test("is gone after data in two quiet periods, and learned again 28 days later", () => {
  const twice = and(33, 40);
  const gone = followed(42, twice);
  expect(gone).toEqual({ week: null, broken: null, goneMs: at(40, 1) });
  expect(followed(68, twice)).toEqual(gone);
  expect(followed(80, twice).week?.spans).toEqual([WEEKEND]);
});

test("isn't learned again from data of before it was given up", () => {
  const goneMs = at(28);
  const landings = landingsOf(HOUR_MS, at(58), (day) => day < 28 || day % 7 < 5);
  // Since then one sync of a day landed.
  const degraded = landings.filter((ms) => ms <= goneMs || (ms - BEGIN_MS) % DAY_MS === 0);
  const gone = { ...NO_WEEK, goneMs };
  expect(look(gone, 58, landings).week?.spans).toEqual([WEEKEND]);
  expect(look(gone, 58, degraded)).toEqual(gone);
});

test("isn't kept without four observed days that show it, however it was broken", () => {
  const before = followed(63, and(33));
  const landings = landingsOf(HOUR_MS, at(64), and(33));
  const unseen = [{ fromMs: at(36), untilMs: at(64) }];
  expect(look(before, 64, landings, { unseen }).week).toBeNull();
});

test("ends with the cadence that it was learned with", () => {
  const hourly = landingsOf(HOUR_MS, at(35), onWorkdays);
  const daily = landingsOf(DAY_MS, at(60), () => true).filter((ms) => ms >= at(35));
  const before = followed(35, onWorkdays);
  expect(before.week).not.toBeNull();
  const given = { cadenceMs: DAY_MS, fromMs: at(35) };
  for (const day of [36, 37, 42, 50])
    expect(look(before, day, [...hourly, ...daily], given)).toEqual(NO_WEEK);
  expect(look(before, 35, hourly, { cadenceMs: 62 * MINUTE_MS })).toEqual(before);
});

test("tells a cadence that varies a little from another one", () => {
  const own = { cadenceMs: HOUR_MS };
  for (const minutes of [54, 60, 66]) expect(isForCadence(own, minutes * MINUTE_MS)).toBe(true);
  for (const minutes of [30, 53, 67, 1440])
    expect(isForCadence(own, minutes * MINUTE_MS)).toBe(false);
  expect(isForCadence(own, null)).toBe(false);
});

test("doesn't count data within the allowance of an edge", () => {
  const near = [at(33) + 15 * MINUTE_MS, at(42) - 15 * MINUTE_MS];
  let state = followed(28, onWorkdays);
  for (let day = 29; day <= 45; day += 1) {
    const landings = landingsOf(HOUR_MS, at(day), onWorkdays);
    const all = [...landings, ...near.filter((ms) => ms < at(day))].toSorted((a, b) => a - b);
    state = look(state, day, all);
  }
  expect(state).toMatchObject({ broken: null, goneMs: null });
  // The quiet time begins an hour after the data of Saturday, 00:15, and ends before that of Sunday, 23:45.
  expect(state.week?.spans).toEqual([{ from: 5 * 1440 + 75, until: 7 * 1440 - 15 }]);
});

test("stays as it is while the minutes of its edges vary a little", () => {
  const before = followed(35, onWorkdays);
  const landings = landingsOf(HOUR_MS, at(63), onWorkdays).map((ms) => ms + 6 * MINUTE_MS);
  const all = [...landingsOf(HOUR_MS, at(35), onWorkdays), ...landings.filter((ms) => ms > at(35))];
  expect(look(before, 63, all).week).toEqual(before.week);
});

test("is learned in the zone of the company as it is now", () => {
  const before = followed(35, onWorkdays);
  const tokyo = look(before, 35, landingsOf(HOUR_MS, at(35), onWorkdays), {
    timeZone: "Asia/Tokyo",
  });
  expect(tokyo.week).toEqual({
    ...week(35, [{ from: 5 * 1440 + 540, until: 7 * 1440 + 540 }]),
    timeZone: "Asia/Tokyo",
  });
});
