/** Days over which a figure is compared with the one 24 hours later. */
export const PACE_DAYS = 28;
/** Fewer comparisons say nothing about a usual day. */
const MIN_PAIRS = 14;
/** The largest median distance at which the figure of now describes the next day. */
const STEADY_UP_TO = 0.25;

/** How far a rolling 24-hour figure usually is from the one 24 hours later. */
export type Pace = {
  /** Median of the distances, as a share of the earlier figure: 0.04 is 4%; at most 0.25. */
  typical: number;
  /** Number of comparisons. */
  pairs: number;
};

/**
 * How steady a rolling 24-hour figure is, by its readings a day apart: windows that share no call. They are compared,
 * not subtracted or added up.
 * @param readings oldest first, 24 hours apart; null: not observed
 * @returns null when it moves by more than a quarter on the median day, or fewer than 14 days can be compared
 */
export function paceOf(readings: readonly (number | null)[]): Pace | null {
  const distances = readings
    .slice(1)
    .flatMap((later, at) => {
      const earlier = readings[at] ?? null;
      return earlier === null || later === null ? [] : [distance(earlier, later)];
    })
    .toSorted((a, b) => a - b);
  if (distances.length < MIN_PAIRS) return null;
  const typical = median(distances);
  return typical <= STEADY_UP_TO ? { typical, pairs: distances.length } : null;
}

/** @returns infinite for a rise from 0 */
function distance(earlier: number, later: number): number {
  return earlier === later ? 0 : Math.abs(later / earlier - 1);
}

/** @param sorted ascending, not empty */
function median(sorted: readonly number[]): number {
  const low = sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
  const high = sorted[Math.floor(sorted.length / 2)] ?? 0;
  return low === high ? low : (low + high) / 2;
}
