import { DAY_OUTCOMES, type DayOutcome } from "./deadline";

/** Numbers of closed days by outcome. */
export type KeptCounts = Record<DayOutcome, number>;

/** Counts outcomes; every outcome is present. */
export function countOutcomes(outcomes: Iterable<DayOutcome>): KeptCounts {
  const counts: KeptCounts = { met: 0, missed: 0, not_observed: 0, excused: 0 };
  for (const outcome of outcomes) counts[outcome] += 1;
  return counts;
}

/** The sum of several. */
export function addKept(all: readonly KeptCounts[]): KeptCounts {
  const sum = countOutcomes([]);
  for (const counts of all) for (const outcome of DAY_OUTCOMES) sum[outcome] += counts[outcome];
  return sum;
}

/**
 * Met of met and missed; what wasn't checked or was excused counts as neither.
 * @returns percent, not rounded; null if neither was met nor missed
 */
export function keptPercentage({ met, missed }: Pick<KeptCounts, "met" | "missed">): number | null {
  return met + missed === 0 ? null : (met / (met + missed)) * 100;
}

/** Whether a target is missed, judged on met and missed days; null: no target, or nothing to judge. */
export function isBelowTarget(
  counts: Pick<KeptCounts, "met" | "missed">,
  targetPercent: number | null,
): boolean | null {
  const percent = keptPercentage(counts);
  return percent === null || targetPercent === null ? null : percent < targetPercent;
}

/** A day of one feed, or of several. */
type DayOfFeeds = {
  date: string;
  outcome: DayOutcome;
  /** Of a missed day; null: no data yet. */
  late_seconds: number | null;
};

/** The days of several feeds, ascending, each as `DAY_OUTCOMES` decides; a missed one by its latest data. */
export function worstDays<D extends DayOfFeeds>(feeds: readonly { days: readonly D[] }[]): D[] {
  const byDate = new Map<string, D>();
  for (const day of feeds.flatMap(({ days }) => days)) {
    const before = byDate.get(day.date);
    byDate.set(day.date, before === undefined ? day : worseOf(before, day));
  }
  return [...byDate.values()].toSorted((a, b) => (a.date < b.date ? -1 : 1));
}

function worseOf<D extends DayOfFeeds>(a: D, b: D): D {
  const ranks = DAY_OUTCOMES.indexOf(a.outcome) - DAY_OUTCOMES.indexOf(b.outcome);
  if (ranks !== 0) return ranks < 0 ? a : b;
  return (a.late_seconds ?? Infinity) >= (b.late_seconds ?? Infinity) ? a : b;
}
