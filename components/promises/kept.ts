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
 * Missed days, those of them that were announced early enough, those that were for some of their feeds only, and those
 * of which it isn't known.
 */
export type Announced = { missed: number; announced: number; partly: number; unknown: number };

const AHEAD_MS = 15 * MINUTE_MS;

/**
 * How many missed days would have been announced at least 15 minutes ahead. A day counts as announced if that is so of
 * each feed that missed it.
 */
export function announcedMisses(feeds: readonly { days: readonly RehearsedDay[] }[]): Announced {
  const { days } = countedDays(feeds);
  const missed = days.filter(({ outcome }) => outcome === "missed");
  const counts = { missed: missed.length, announced: 0, partly: 0, unknown: 0 };
  const misses = groupBy(
    feeds.flatMap((feed) => feed.days.filter(({ outcome }) => outcome === "missed")),
    ({ date }) => date,
  );
  for (const { date } of missed) {
    const ofDay = new Set(misses.get(date)?.map(isAnnounced));
    if (!ofDay.has(false)) counts[ofDay.has(null) ? "unknown" : "announced"] += 1;
    else if (ofDay.has(true)) counts.partly += 1;
  }
  return counts;
}

/** Null: not known. */
function isAnnounced(day: RehearsedDay): boolean | null {
  if (!day.is_warning_known) return null;
  const { warned_at: at, due_at: due } = day;
  return at !== null && Date.parse(due) - Date.parse(at) >= AHEAD_MS;
}

/** The days of several feeds, each counted once, by its worst feed. */
export function countedDays(feeds: readonly { days: readonly WorstDay[] }[]): KeptMonth {
  const days = worstDays(feeds);
  return { counts: countOutcomes(days.map(({ outcome }) => outcome)), days };
}
