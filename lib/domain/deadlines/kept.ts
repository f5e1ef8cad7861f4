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
