import type { KeptDay, KeptPerPromiseView } from "@/lib/contracts/promises";
import type { PromiseCounts } from "@/lib/contracts/row-promise";
import type { DayOutcome } from "@/lib/domain/deadlines/deadline";
import { countOutcomes } from "@/lib/domain/deadlines/kept";

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
 * The worst of each day over several feeds, ascending. A feed that was excused doesn't decide a day of others.
 */
export function worstDays(feeds: readonly { days: readonly WorstDay[] }[]): WorstDay[] {
  const byDate = new Map<string, WorstDay>();
  for (const day of feeds.flatMap(({ days }) => days)) {
    const before = byDate.get(day.date);
    byDate.set(day.date, before === undefined ? day : worseOf(before, day));
  }
  return [...byDate.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

/** The days of several feeds, each counted once, by its worst feed. */
export function countedDays(feeds: readonly { days: readonly WorstDay[] }[]): KeptMonth {
  const days = worstDays(feeds);
  return { counts: countOutcomes(days.map(({ outcome }) => outcome)), days };
}

const RANK: Readonly<Record<DayOutcome, number>> = {
  missed: 0,
  not_observed: 1,
  met: 2,
  excused: 3,
};

function worseOf(a: WorstDay, b: WorstDay): WorstDay {
  const ranks = RANK[a.outcome] - RANK[b.outcome];
  if (ranks !== 0) return ranks < 0 ? a : b;
  return (a.late_seconds ?? Infinity) >= (b.late_seconds ?? Infinity) ? a : b;
}
