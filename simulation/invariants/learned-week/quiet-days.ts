import type { Feed } from "../../world";
import { localTime, startOfDay } from "../local-time";
import { restsWithin, type Period, type Week } from "./rests";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Of how many days of each weekday a week is learned. */
const DAYS_AGREEING = 4;

/**
 * What truly happened of which a week is learned: instants on the API's clock in epoch milliseconds, and what that clock
 * is ahead. Of up to five weeks, since the days that a week is learned from are at least four of them.
 */
export type Evidence = Period & { skewMs: number };

/**
 * Why a feed can't have a learned week: on fewer than four of its days, no data came in a span. Null: it may have.
 */
export function notQuiet(feed: Feed, week: Week, evidence: Evidence): string | null {
  const known = found.get(feed) ?? new Map<string, string | null>();
  found.set(feed, known);
  const key = JSON.stringify([evidence, week]);
  const before = known.get(key);
  if (before !== undefined) return before;
  const why = findData(feed, week, evidence);
  known.set(key, why);
  return why;
}

const found = new WeakMap<Feed, Map<string, string | null>>();

function findData(feed: Feed, week: Week, evidence: Evidence): string | null {
  if (week.spans.length === 0) return "it has no spans";
  const landings = landingsOf(feed, evidence);
  const fromMs = knownSince(feed, evidence);
  for (const span of week.spans) {
    const quietDays = new Map<string, number>();
    for (const rest of restsWithin({ ...week, spans: [span] }, { ...evidence, fromMs }))
      for (const part of partsOf(rest, week.time_zone)) {
        const { weekday } = localTime(part.fromMs, week.time_zone);
        const isQuiet =
          fromMs <= part.fromMs &&
          part.untilMs <= evidence.untilMs &&
          (part.isOfOddDay || !landings.some((ms) => part.fromMs <= ms && ms < part.untilMs));
        quietDays.set(weekday, (quietDays.get(weekday) ?? 0) + (isQuiet ? 1 : 0));
      }
    const odd = [...quietDays].find(([, count]) => count < DAYS_AGREEING);
    if (odd !== undefined)
      return `from ${span.from} to ${span.until} no data came on only ${odd[1]} of its days (${odd[0]})`;
  }
  return null;
}

/** The first response said when data last came, and so that none did since. */
function knownSince(feed: Feed, { fromMs, skewMs }: Evidence): number {
  const run = feed.landingAt(fromMs - skewMs);
  return run === null ? fromMs : run.finishedMs + skewMs;
}

/** When data came, on the API's clock, latest first. */
function landingsOf(feed: Feed, { fromMs, untilMs, skewMs }: Evidence): number[] {
  const landings: number[] = [];
  for (let atMs = untilMs - skewMs; ;) {
    const run = feed.landingAt(atMs);
    if (run === null || run.finishedMs + skewMs < fromMs) return landings;
    landings.push(run.finishedMs + skewMs);
    atMs = run.finishedMs - 1;
  }
}

/** A rest cut at midnights. Of a day with a change of the clocks, some times are shown twice: it is odd. */
function partsOf(
  { fromMs, untilMs }: Period,
  timeZone: string,
): (Period & { isOfOddDay: boolean })[] {
  const parts: (Period & { isOfOddDay: boolean })[] = [];
  for (let startMs = fromMs; startMs < untilMs;) {
    const dayMs = startOfDay(startMs, timeZone);
    const nextMs = startOfDay(dayMs + 26 * HOUR_MS, timeZone);
    const endMs = Math.min(untilMs, nextMs);
    parts.push({ fromMs: startMs, untilMs: endMs, isOfOddDay: nextMs - dayMs !== DAY_MS });
    startMs = endMs;
  }
  return parts;
}
