import type { KeptDay, KeptPerPromiseView, RehearsedDay } from "@/lib/contracts/promises";
import type { PromiseCounts } from "@/lib/contracts/row-promise";
import { groupBy } from "@/lib/domain/collections/group-by";
import { countOutcomes, worstDays } from "@/lib/domain/deadlines/kept";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** One day of a promise over all its feeds: the worst of them. */
export type WorstDay = Pick<KeptDay, "date" | "outcome" | "late_seconds" | "late_at_most">;

/** A promise's month over all its feeds. "Kept" is `met` of `met + missed`; the others count as neither. */
export type KeptMonth = { counts: PromiseCounts; days: readonly WorstDay[] };

/** The months of all promises, by id. */
export function keptByPromise({ data }: Pick<KeptPerPromiseView, "data">): Map<string, KeptMonth> {
  return new Map(data.map(({ promise_id: id, days, ...counts }) => [id, { counts, days }]));
}

/** The missed day that data was the latest on, or never came in; null: none was missed. */
export function worstMiss<D extends Pick<KeptDay, "outcome" | "late_seconds">>(
  days: readonly D[],
): D | null {
  const lateOf = ({ late_seconds: late }: D) => late ?? Infinity;
  const [worst] = days
    .filter(({ outcome }) => outcome === "missed")
    .toSorted((a, b) => lateOf(b) - lateOf(a) || 0);
  return worst ?? null;
}

/**
 * Missed days, those of them that were warned of early enough, those that were for some of their feeds only, and those
 * of which it isn't known.
 */
export type Warned = {
  missed: number;
  warned: number;
  partly: number;
  unknown: number;
  /** Of the only miss, by one feed: from the warning to the promised time; null: no warning, or not known. */
  leadMs: number | null;
};

const AHEAD_MS = 15 * MINUTE_MS;

/**
 * How many missed days would have been warned of at least 15 minutes before. A day counts as warned of if that is so of
 * each feed that missed it.
 */
export function warnedMisses(feeds: readonly { days: readonly RehearsedDay[] }[]): Warned {
  const { days } = countedDays(feeds);
  const missed = days.filter(({ outcome }) => outcome === "missed");
  const ofFeeds = feeds.flatMap((feed) => feed.days.filter(({ outcome }) => outcome === "missed"));
  const misses = groupBy(ofFeeds, ({ date }) => date);
  const [only] = ofFeeds;
  const lead = only !== undefined && ofFeeds.length === 1 ? leadOf(only) : null;
  // From the minute that the chart shows.
  const leadMs = lead === null ? null : Math.ceil(lead / MINUTE_MS) * MINUTE_MS;
  const counts = { missed: missed.length, warned: 0, partly: 0, unknown: 0, leadMs };
  for (const { date } of missed) {
    const ofDay = new Set(misses.get(date)?.map(isWarned));
    if (!ofDay.has(false)) counts[ofDay.has(null) ? "unknown" : "warned"] += 1;
    else if (ofDay.has(true)) counts.partly += 1;
  }
  return counts;
}

/** Early enough; null: not known. */
function isWarned(day: RehearsedDay): boolean | null {
  if (!day.is_warning_known) return null;
  const lead = leadOf(day);
  return lead !== null && lead >= AHEAD_MS;
}

/** Milliseconds from the warning to the promised time; null: no warning. */
function leadOf({ warned_at: at, due_at: due }: RehearsedDay): number | null {
  return at === null ? null : Date.parse(due) - Date.parse(at);
}

/** The days of several feeds, each counted once, by its worst feed. */
export function countedDays(feeds: readonly { days: readonly WorstDay[] }[]): KeptMonth {
  const days = worstDays(feeds);
  return { counts: countOutcomes(days.map(({ outcome }) => outcome)), days };
}
