import type { Period } from "@/lib/domain/history";
import type { LearnedWeekFacts } from "@/lib/domain/sync";
import { DAY_MS } from "@/lib/domain/time/units";
import { minuteOfWeek, spansWithin, WEEK_MINUTES } from "./week-span";

/** Periods in which a feed rests as a habit of its week: ascending, without overlaps. */
export type Rests = readonly Period[];

const NONE: Rests = [];
/** How far back rests are worked out: older data is stale whatever its week. */
const BEFORE_MS = 14 * DAY_MS;
/** How far ahead: longer than any rest lasts. */
const AHEAD_MS = 9 * DAY_MS;
/** Rows are judged every second, and the rests around a day stay the same. */
const made = new WeakMap<LearnedWeekFacts, { day: number; rests: Rests }>();
/** Most feeds that rest do so at the same times, and all of them need the rests of a new day at once. */
const shared = new Map<string, Rests>();
const MAX_SHARED = 1_000;

/** The rests of the weeks around an instant. @param nowMs epoch milliseconds on the API's clock */
export function restsOf(week: LearnedWeekFacts | null | undefined, nowMs: number): Rests {
  if (!week || !Number.isFinite(nowMs)) return NONE;
  const day = Math.floor(nowMs / DAY_MS);
  const before = made.get(week);
  if (before?.day === day) return before.rests;
  const rests = restsAround(week, day);
  made.set(week, { day, rests });
  return rests;
}

/** @param day number of days since 1 January 1970, in UTC */
function restsAround(week: LearnedWeekFacts, day: number): Rests {
  const times = week.spans.map(({ from, until }) => `${from} ${until}`).join();
  const key = `${day} ${week.time_zone} ${times}`;
  const before = shared.get(key);
  if (before !== undefined) return before;
  const dayMs = day * DAY_MS;
  const rests = restsWithin(week, { fromMs: dayMs - BEFORE_MS, untilMs: dayMs + AHEAD_MS });
  if (shared.size >= MAX_SHARED) shared.clear();
  shared.set(key, rests);
  return rests;
}

/** The rests of a period. @param within epoch milliseconds on the API's clock */
export function restsWithin({ spans, time_zone }: LearnedWeekFacts, within: Period): Rests {
  const minutes = spans.map((span) => {
    const [from, until] = [minuteOfWeek(span.from), minuteOfWeek(span.until)];
    return { from, until: until > from ? until : until + WEEK_MINUTES };
  });
  try {
    return spansWithin(minutes, time_zone, within);
  } catch (error) {
    // A zone that this browser doesn't know: all time counts.
    if (error instanceof RangeError) return NONE;
    throw error;
  }
}

/** How much of a range they cover, milliseconds. */
export function restedMs(rests: Rests, fromMs: number, untilMs: number): number {
  let sumMs = 0;
  for (const rest of rests)
    sumMs += Math.max(0, Math.min(rest.untilMs, untilMs) - Math.max(rest.fromMs, fromMs));
  return sumMs;
}

/** How much of a range is outside of them, milliseconds. */
export function countedMs(rests: Rests, fromMs: number, untilMs: number): number {
  return untilMs - fromMs - restedMs(rests, fromMs, untilMs);
}

/**
 * The instant that is `ms` of time outside of them away: the first one ahead, or with negative `ms`, -0 included, the last one before.
 * @param atMs epoch milliseconds
 */
export function shiftedMs(rests: Rests, atMs: number, ms: number): number {
  let shifted = atMs + ms;
  const isBack = ms < 0 || Object.is(ms, -0);
  for (const { fromMs, untilMs } of isBack ? rests.toReversed() : rests) {
    if (isBack && fromMs < atMs && untilMs > shifted) shifted -= Math.min(untilMs, atMs) - fromMs;
    if (!isBack && untilMs > atMs && fromMs < shifted) shifted += untilMs - Math.max(fromMs, atMs);
  }
  return shifted;
}

/**
 * The first millisecond by which more than `ms` outside of them has passed. Unlike `shiftedMs`, it is after a rest that
 * begins just when `ms` has passed.
 * @param atMs epoch milliseconds, whole
 * @param ms not negative
 */
export function exceededMs(rests: Rests, atMs: number, ms: number): number {
  return shiftedMs(rests, atMs, Math.floor(ms) + 1);
}
