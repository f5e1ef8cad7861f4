import type { KeptDay, KeptPerPromiseView } from "@/lib/contracts/promises";
import type { PromiseCounts } from "@/lib/contracts/row-promise";
import { countOutcomes, worstDays } from "@/lib/domain/deadlines/kept";

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

/** The days of several feeds, each counted once, by its worst feed. */
export function countedDays(feeds: readonly { days: readonly WorstDay[] }[]): KeptMonth {
  const days = worstDays(feeds);
  return { counts: countOutcomes(days.map(({ outcome }) => outcome)), days };
}
