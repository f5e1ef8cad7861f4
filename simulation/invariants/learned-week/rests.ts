import { firstMinuteShowing } from "../local-time";

/**
 * "A learned week" of docs/verdict.md, written down a second time: nothing here is from `lib/domain`. Instants are epoch
 * milliseconds on the API's clock.
 */

/** A learned week as rows have it. */
export type Week = {
  time_zone: string;
  spans: readonly { from: string; until: string }[];
  since: string;
};

export type Period = { fromMs: number; untilMs: number };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEK_MINUTES = 7 * 24 * 60;
const DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
/** 5 January 1970, a Monday. */
const MONDAY_MS = 4 * DAY_MS;
/** Older data is stale, whatever the week. */
const BEFORE_MS = 14 * DAY_MS;
const AFTER_MS = 8 * DAY_MS;
const MAX_KEPT = 2_000;

/** "tue 06:30" of minutes since Monday at midnight, in this week or the next. */
export function timeText(minutes: number): string {
  const time = new Date((minutes % WEEK_MINUTES) * MINUTE_MS + MONDAY_MS);
  return `${DAYS[(time.getUTCDay() + 6) % 7] ?? ""} ${time.toISOString().slice(11, 16)}`;
}

function minutesOf(text: string): number {
  const [day = "", hours, minutes] = text.split(/[ :]/);
  return (DAYS.findIndex((one) => one === day) * 24 + Number(hours)) * 60 + Number(minutes);
}

/** Each time within a period that the spans of a week are, ascending; those that meet are one. */
export function restsWithin(week: Week, { fromMs, untilMs }: Period): Period[] {
  const rests: Period[] = [];
  const weekMs = 7 * DAY_MS;
  const firstMs = Math.floor((fromMs - MONDAY_MS) / weekMs - 2) * weekMs + MONDAY_MS;
  for (let mondayMs = firstMs; mondayMs < untilMs + weekMs; mondayMs += weekMs)
    for (const span of week.spans) {
      const from = minutesOf(span.from);
      const lasts = (minutesOf(span.until) - from + WEEK_MINUTES) % WEEK_MINUTES || WEEK_MINUTES;
      const shown = (minutes: number) =>
        firstMinuteShowing(mondayMs + minutes * MINUTE_MS, week.time_zone);
      rests.push({ fromMs: shown(from), untilMs: shown(from + lasts) });
    }
  const merged: Period[] = [];
  for (const rest of rests.toSorted((a, b) => a.fromMs - b.fromMs)) {
    const last = merged.at(-1);
    if (rest.untilMs <= rest.fromMs) continue;
    if (last !== undefined && rest.fromMs <= last.untilMs)
      last.untilMs = Math.max(last.untilMs, rest.untilMs);
    else merged.push({ ...rest });
  }
  return merged.filter((rest) => rest.untilMs > fromMs && rest.fromMs < untilMs);
}

const kept = new Map<string, readonly Period[]>();

/** The rests that count for verdicts at an instant. */
export function restsAround(week: Week | null, atMs: number): readonly Period[] {
  if (week === null) return [];
  const dayMs = Math.floor(atMs / DAY_MS) * DAY_MS;
  const key = `${dayMs} ${week.time_zone} ${JSON.stringify(week.spans)}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const rests = restsWithin(week, { fromMs: dayMs - BEFORE_MS, untilMs: dayMs + AFTER_MS });
  if (kept.size >= MAX_KEPT) kept.clear();
  kept.set(key, rests);
  return rests;
}

/** How long it is from one instant to a later one, without rests; the time until an earlier one is negative. */
export function awakeMs(rests: readonly Period[], fromMs: number, untilMs: number): number {
  return rests.reduce(
    (sum, rest) =>
      sum - Math.max(0, Math.min(rest.untilMs, untilMs) - Math.max(rest.fromMs, fromMs)),
    untilMs - fromMs,
  );
}

/** The last instant that is so long before another, without rests. */
export function awakeBefore(rests: readonly Period[], untilMs: number, ms: number): number {
  let [atMs, leftMs] = [untilMs, ms];
  for (const rest of rests.toReversed()) {
    if (rest.fromMs >= atMs) continue;
    const endMs = Math.min(rest.untilMs, atMs);
    if (atMs - endMs >= leftMs) break;
    leftMs -= atMs - endMs;
    atMs = rest.fromMs;
  }
  return atMs - leftMs;
}
