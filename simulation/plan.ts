import type { FaultKind } from "./faults";

/** What is checked of learned weeks says little of longer ones: see `notQuiet`. */
export const MAX_DAYS = 30;

/** @returns the days. @throws if they are more than a run may have */
export function daysOf(days: number): number {
  if (days > 0 && days <= MAX_DAYS) return days;
  throw new Error(`--days is more than 0 and at most ${MAX_DAYS}`);
}

/** What a run is made of; everything else follows from it. */
export type Plan = {
  seed: number;
  /** How many days are drawn: what happens depends on it. */
  days: number;
  companies: number;
  feedsEach: number;
  kinds: readonly FaultKind[];
  faultsPerDay: number;
  /** Only these of the faults that were drawn, by position; null: all. */
  onlyFaults: readonly number[] | null;
  /** Only these of the companies that were drawn, by position; null: all. */
  onlyCompanies: readonly number[] | null;
  /** How many minutes are played; null: all of the days. */
  minutes: number | null;
};
