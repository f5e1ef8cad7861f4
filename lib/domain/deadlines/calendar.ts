import { addDays, minutesOf, dayStartMs } from "@/lib/domain/time/day";
import { weekdayOf } from "@/lib/domain/time/weekdays";
import { zoneOffsetMs } from "@/lib/domain/time/calendar";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { firstShownMs } from "@/lib/domain/time/wall-time";
import type { Period } from "@/lib/domain/history";
import { daysInMonth } from "./dates";
import type { Deadline, DeadlineRule, MonthDay } from "./deadline";

/** One day of a deadline. Instants are epoch milliseconds. */
export type DeadlineDay = {
  /** "2026-11-26", in the deadline's zone. */
  date: string;
  dueMs: number;
  /** End of the allowance. */
  limitMs: number;
  /** The day's first instant, or its time `dataFrom`. */
  startMs: number;
  /** Whether `startMs` is `dataFrom`, so that the cadence doesn't matter. */
  isStartGiven: boolean;
};

/** How a feed is updated, as far as its windows depend on it. */
export type FeedPace = {
  /** As given: `active`, `inactive`, `webhook`, or another value; null: removed from the list. */
  status: string | null;
  /** Milliseconds; null: unknown. */
  cadenceMs: number | null;
};

/** How far a next day is searched: more than the holidays that a deadline may have. */
const SEARCHED_DAYS = 800;

/**
 * The instant of a local time of day, like Temporal's `compatible`: of a repeated time the first, and a skipped one as
 * if the clocks hadn't changed (02:30 becomes 03:30).
 * @param date "2026-11-26"
 * @param minutes since midnight
 * @returns epoch milliseconds
 */
export function compatibleMs(date: string, minutes: number, timeZone: string): number {
  return remembered(`${timeZone} ${date} ${minutes}`, () => shownMs(date, minutes, timeZone));
}

/**
 * Local times that were worked out before: thousands of deadlines share a few, and each takes a hundred times as long as
 * looking it up.
 */
const known = new Map<string, number>();
const MAX_CACHED = 20_000;

function remembered(key: string, workOut: () => number): number {
  const before = known.get(key);
  if (before !== undefined) return before;
  const ms = workOut();
  if (known.size >= MAX_CACHED) known.clear();
  known.set(key, ms);
  return ms;
}

function shownMs(date: string, minutes: number, timeZone: string): number {
  const wallMs = Date.parse(`${date}T00:00:00Z`) + minutes * MINUTE_MS;
  const firstMs = firstShownMs(wallMs, timeZone);
  const isShown = firstMs + zoneOffsetMs(firstMs, timeZone) === wallMs;
  return isShown ? firstMs : wallMs - zoneOffsetMs(wallMs - DAY_MS, timeZone);
}

/** What a deadline's dates follow from. */
type DateRule = Pick<DeadlineRule, "days" | "monthDays" | "holidays" | "from" | "until">;

/** Whether data is due on a date: not a holiday, within `from` and `until`, and one of its days. */
export function isDeadlineDate(rule: DateRule, date: string): boolean {
  if (!isInForce(rule, date) || rule.holidays.includes(date)) return false;
  if (rule.days !== null) return rule.days.includes(weekdayOf(date));
  return rule.monthDays?.some((day) => isMonthDay(day, date, rule.holidays)) ?? false;
}

/** Whether a date lies within a deadline's first and last date. */
export function isInForce({ from, until }: DateRule, date: string): boolean {
  return (from === null || from <= date) && (until === null || date <= until);
}

/** Whether data can be in time: a day without an allowance is over at 00:00, when it starts. */
function canBeKept({
  by,
  allowanceMinutes,
}: Pick<DeadlineRule, "by" | "allowanceMinutes">): boolean {
  return by !== "00:00" || allowanceMinutes > 0;
}

/**
 * Whether data is due on any date at all.
 * @param since the first that counts; null: from the deadline's own first date on, which it may not have
 */
export function hasDeadlineDate(rule: DateRule, since: string | null): boolean {
  const { from, until } = rule;
  const first = since === null || (from !== null && from > since) ? from : since;
  if (first === null || until === null) return true;
  for (let date = first; date <= until; date = addDays(date, 1))
    if (isDeadlineDate(rule, date)) return true;
  return false;
}

/** What decides whether a deadline may be saved. */
type EnteredRule = DateRule & Pick<DeadlineRule, "by" | "allowanceMinutes">;

/**
 * Why a deadline may not be saved: its first or last date lies in the past, it can't be kept, or none of its days lies
 * between those dates. Null: it may.
 * @param before the deadline so far, which may stay as it is; null: it is new. Its last date may be set back, which ends it
 * @param today where the deadline applies
 */
export function ruleFault(
  rule: EnteredRule,
  before: EnteredRule | null,
  today: string,
): "from" | "until" | "by" | "noDay" | null {
  const { from, until } = rule;
  if (from !== null && from !== (before?.from ?? null) && from < today) return "from";
  if (before === null && until !== null && until < today) return "until";
  if (!canBeKept(rule) && (before === null || canBeKept(before))) return "by";
  const hadDates = before === null || hasDeadlineDate(before, null);
  return hadDates && !hasDeadlineDate(rule, before === null ? today : null) ? "noDay" : null;
}

/** The deadline of a date; null: none. */
export function deadlineDay(rule: DeadlineRule, date: string): DeadlineDay | null {
  return isDeadlineDate(rule, date) ? dayAt(rule, date) : null;
}

/** The days whose deadline lies within a range, ascending: its start counts, its end doesn't. */
export function deadlineDays(rule: DeadlineRule, { fromMs, untilMs }: Period): DeadlineDay[] {
  const found: DeadlineDay[] = [];
  // Local dates are at most a day from those in UTC.
  const last = Math.floor(untilMs / DAY_MS) + 1;
  for (let number = Math.floor(fromMs / DAY_MS) - 2; number <= last; number += 1) {
    const day = deadlineDay(rule, utcDate(number * DAY_MS));
    if (day !== null && fromMs <= day.dueMs && day.dueMs < untilMs) found.push(day);
  }
  return found.toSorted((a, b) => a.dueMs - b.dueMs);
}

/** The first day whose deadline and allowance aren't over at an instant; null: there is none left. */
export function nextDeadlineDay(deadline: Deadline, nowMs: number): DeadlineDay | null {
  const first = addDays(utcDate(nowMs), -3);
  const since = deadline.from !== null && deadline.from > first ? deadline.from : first;
  for (let ahead = 0, date = since; ahead < SEARCHED_DAYS; ahead += 1, date = addDays(date, 1)) {
    if (deadline.until !== null && date > deadline.until) return null;
    const day = deadlineDay(deadline, date);
    if (day !== null && day.limitMs > nowMs && isLiving(deadline, day.dueMs)) return day;
  }
  return null;
}

/** Whether a deadline had been made and not yet deleted when it was due. */
export function isLiving({ madeMs, endedMs }: Deadline, dueMs: number): boolean {
  return madeMs < dueMs && (endedMs === null || dueMs < endedMs);
}

/**
 * Start of the window in which data keeps a deadline: old data of a frequent feed doesn't. The whole day counts without
 * a cadence, and for a webhook, however often its data came.
 * @param pace null: unknown
 */
export function windowFromMs(day: DeadlineDay, pace: FeedPace | null): number {
  const cadenceMs = pace?.status === "webhook" ? null : (pace?.cadenceMs ?? null);
  // A skipped `dataFrom` may become a later time than the deadline.
  if (day.isStartGiven || cadenceMs === null) return Math.min(day.startMs, day.dueMs);
  return Math.min(Math.max(day.startMs, day.dueMs - 2 * cadenceMs), day.dueMs);
}

function dayAt(rule: DeadlineRule, date: string): DeadlineDay {
  const { timeZone, dataFrom } = rule;
  const dueMs = compatibleMs(date, minutesOf(rule.by) ?? 0, timeZone);
  const givenMinutes = dataFrom === null ? null : minutesOf(dataFrom);
  return {
    date,
    dueMs,
    limitMs: dueMs + rule.allowanceMinutes * MINUTE_MS,
    startMs:
      givenMinutes === null
        ? remembered(`${timeZone} ${date}`, () => dayStartMs(date, timeZone) ?? dueMs)
        : compatibleMs(date, givenMinutes, timeZone),
    isStartGiven: givenMinutes !== null,
  };
}

const utcDate = (ms: number) => iso(ms).slice(0, 10);

function isMonthDay(day: MonthDay, date: string, holidays: readonly string[]): boolean {
  const number = Number(date.slice(8));
  if (typeof day === "number") return number === day;
  const month = date.slice(0, 8);
  const last = daysInMonth(date);
  switch (day) {
    case "last":
      return number === last;
    case "first_workday":
      return date === workdayOf(month, holidays, { first: 1, last, step: 1 });
    case "last_workday":
      return date === workdayOf(month, holidays, { first: last, last: 1, step: -1 });
  }
}

/** The first workday of a month from one end; null: all are holidays. */
function workdayOf(
  month: string,
  holidays: readonly string[],
  { first, last, step }: { first: number; last: number; step: 1 | -1 },
): string | null {
  for (let day = first; day * step <= last * step; day += step) {
    const date = `${month}${String(day).padStart(2, "0")}`;
    const weekday = weekdayOf(date);
    if (weekday !== "sat" && weekday !== "sun" && !holidays.includes(date)) return date;
  }
  return null;
}
