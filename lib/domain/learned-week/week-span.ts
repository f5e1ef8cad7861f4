import { WEEKDAYS } from "@/lib/domain/time/weekdays";
import { mergePeriods, type Period } from "@/lib/domain/history";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { wallClock } from "@/lib/domain/time/wall-time";

/** Minutes of a local day and of a local week: clock times, whatever the clocks skip or repeat. */
export const DAY_MINUTES = 24 * 60;
export const WEEK_MINUTES = 7 * DAY_MINUTES;
const WEEK_MS = 7 * DAY_MS;

/**
 * A part of every week, in local time. `from` is below `WEEK_MINUTES`, counted from Monday at 00:00; `until` is later,
 * by at most a week, and may be in the next one.
 */
export type WeekSpan = { from: number; until: number };

/** "sat 00:00": as in our JSON. @param minute of a week, or of the one after it */
export function weekTime(minute: number): string {
  const inWeek = minute % WEEK_MINUTES;
  const ofDay = inWeek % DAY_MINUTES;
  const two = (value: number) => String(value).padStart(2, "0");
  const day = WEEKDAYS[Math.floor(inWeek / DAY_MINUTES)] ?? "";
  return `${day} ${two(Math.floor(ofDay / 60))}:${two(ofDay % 60)}`;
}

/** The inverse of `weekTime`: minutes since Monday at 00:00; NaN for anything else. */
export function minuteOfWeek(time: string): number {
  const [day = "", hours, minutes] = time.split(/[ :]/);
  const weekday = WEEKDAYS.findIndex((one) => one === day);
  return weekday < 0 ? Number.NaN : weekday * DAY_MINUTES + Number(hours) * 60 + Number(minutes);
}

/** The number, Monday being 0, of a date's weekday. @param date "2026-11-26" */
export function weekdayOf(date: string): number {
  return (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % 7;
}

/**
 * When a week's spans are, ascending and clipped to a range, with adjoining ones merged. A local time that the clocks
 * repeat is the first one; one that they skip is the instant of the jump.
 * @param timeZone IANA name
 * @param within epoch milliseconds
 */
export function spansWithin(
  spans: readonly WeekSpan[],
  timeZone: string,
  within: Period,
): Period[] {
  if (spans.length === 0 || !(within.untilMs > within.fromMs)) return [];
  const toInstant = clockFor(timeZone, within);
  const periods: Period[] = [];
  // A local date is at most a day from the same date in UTC, and a span at most a week long.
  const firstMs = mondayOf(within.fromMs - DAY_MS) - WEEK_MS;
  for (let weekMs = firstMs; weekMs < within.untilMs + DAY_MS; weekMs += WEEK_MS)
    for (const { from, until } of spans) {
      const fromMs = toInstant(weekMs + from * MINUTE_MS);
      const untilMs = toInstant(weekMs + until * MINUTE_MS);
      if (untilMs > within.fromMs && fromMs < within.untilMs) periods.push({ fromMs, untilMs });
    }
  return mergePeriods(periods, within);
}

const clocks = new Map<string, (wallMs: number) => number>();
const MAX_CLOCKS = 100;

/** Cached, since the weeks of thousands of feeds are of few zones and periods. */
function clockFor(timeZone: string, { fromMs, untilMs }: Period): (wallMs: number) => number {
  const fromDay = Math.floor(fromMs / DAY_MS);
  const untilDay = Math.ceil(untilMs / DAY_MS);
  const key = `${fromDay} ${untilDay} ${timeZone}`;
  const before = clocks.get(key);
  if (before !== undefined) return before;
  const around = {
    fromMs: fromDay * DAY_MS - 2 * WEEK_MS,
    untilMs: untilDay * DAY_MS + 2 * WEEK_MS,
  };
  const clock = wallClock(timeZone, around);
  if (clocks.size >= MAX_CLOCKS) clocks.clear();
  clocks.set(key, clock);
  return clock;
}

/** Start of the week that contains a date, as if in UTC. */
function mondayOf(ms: number): number {
  // 1 January 1970 was a Thursday.
  return Math.floor((ms + 3 * DAY_MS) / WEEK_MS) * WEEK_MS - 3 * DAY_MS;
}

/** The periods that are partly within a range. @param periods ascending, without overlaps */
export function overlapping(
  periods: readonly Period[],
  { fromMs, untilMs }: Period,
): readonly Period[] {
  const first = firstWhere(periods, (one) => one.untilMs > fromMs);
  const end = firstWhere(periods, (one) => one.fromMs >= untilMs);
  return periods.slice(first, Math.max(first, end));
}

/** The place of the first of which something holds, given that it holds of all after it. */
function firstWhere(periods: readonly Period[], holds: (one: Period) => boolean): number {
  let [low, high] = [0, periods.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const one = periods[middle];
    if (one === undefined || holds(one)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** How much of a range is covered, milliseconds. @param periods ascending, without overlaps */
export function coveredMs(periods: readonly Period[], range: Period): number {
  return overlapping(periods, range).reduce(
    (sum, { fromMs, untilMs }) =>
      sum + Math.min(untilMs, range.untilMs) - Math.max(fromMs, range.fromMs),
    0,
  );
}
