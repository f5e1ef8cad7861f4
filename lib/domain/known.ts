/** Facts derived from our own observations. Source: docs/verdict.md, "What our record adds". */

import type { EndpointFacts } from "./sync";
import { MINUTE_MS } from "@/lib/domain/time/units";

const MINIMUM_OBSERVED_GAPS = 5;

/** Facts of an endpoint without any record. */
export const NOTHING_KNOWN: EndpointFacts = {
  typical_duration_seconds: null,
  failures_in_a_row: 0,
  last_finished_status: null,
  last_finished_at: null,
  learned_frequency_minutes: null,
  learned_week: null,
  reported: true,
};

/** Whether there may be more failures in a row than were counted: none of the runs that were counted completed. */
export function isStreakMinimum({
  failures_in_a_row: failures,
  typical_duration_seconds: typicalSeconds,
}: Pick<EndpointFacts, "failures_in_a_row" | "typical_duration_seconds">): boolean {
  return failures > 1 && typicalSeconds === null;
}

/** A gap: epoch ms; `untilMs` null while it lasts. */
export type BlindGap = { fromMs: number; untilMs: number | null };

/**
 * Duration that runs rarely exceed: the 95th percentile by nearest rank, i.e. the smallest recorded duration that at
 * least 95 % don't exceed. With up to 19 runs that is the longest one.
 * @param durationsSeconds of completed runs, in any order; negative and non-finite values are ignored
 * @returns seconds; null without a duration
 */
export function typicalDurationSeconds(durationsSeconds: readonly number[]): number | null {
  const sorted = durationsSeconds
    .filter((seconds) => seconds >= 0 && Number.isFinite(seconds))
    .toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
}

/**
 * Cadence derived from landings: the median of the intervals between them. An interval that overlaps a gap is ignored,
 * because a landing may be missing in it.
 * @param landingsMs epoch ms, ascending; repeated instants count once
 * @param blindGaps in any order, may overlap
 * @returns whole minutes, at least 1; null with fewer than five observed intervals
 */
export function learnedFrequencyMinutes(
  landingsMs: readonly number[],
  blindGaps: readonly BlindGap[],
): number | null {
  const blind = blindGaps.toSorted((a, b) => a.fromMs - b.fromMs);
  const observedMs: number[] = [];
  let nextBlind = 0;
  let previousMs: number | null = null;
  for (const landingMs of landingsMs) {
    if (previousMs !== null && landingMs > previousMs) {
      const sinceMs: number = previousMs;
      while (nextBlind < blind.length && (blind[nextBlind]?.untilMs ?? Infinity) <= sinceMs)
        nextBlind += 1;
      // Sorted by start, so later gaps can't start before this one.
      if ((blind[nextBlind]?.fromMs ?? Infinity) >= landingMs) observedMs.push(landingMs - sinceMs);
    }
    previousMs = landingMs;
  }
  if (observedMs.length < MINIMUM_OBSERVED_GAPS) return null;
  return Math.max(1, Math.round(median(observedMs) / MINUTE_MS));
}

/**
 * Whether a run says how an endpoint is doing: it completed, failed or timed out. All others are ignored: rate limited,
 * in progress, null and unrecognised outcomes.
 */
export function isDecisive(status: string | null): boolean {
  return status === "completed" || status === "failed" || status === "timed_out";
}

/**
 * Number of consecutive runs that didn't complete.
 * `completed` ends the count; `failed` and `timed_out` count one each; everything else (`rate_limited`, null, a run in
 * progress, an unrecognised value) is skipped.
 * @param statuses outcomes of recorded runs, newest first
 */
export function failureStreak(statuses: Iterable<string | null>): number {
  let streak = 0;
  for (const status of statuses) {
    if (status === "completed") break;
    if (status === "failed" || status === "timed_out") streak += 1;
  }
  return streak;
}

/**
 * Start of the current failures: the end of the first failed run since the last completed one.
 * @param runs newest first
 * @returns epoch ms; null if there is no current failure, or its end is unknown
 */
export function failingSinceMs(
  runs: Iterable<{ status: string | null; finishedMs: number | null }>,
): number | null {
  let sinceMs: number | null = null;
  for (const { status, finishedMs } of runs) {
    if (status === "completed") break;
    if (status === "failed" || status === "timed_out") sinceMs = finishedMs;
  }
  return sinceMs;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const upper = sorted[sorted.length >> 1] ?? 0;
  const lower = sorted[(sorted.length - 1) >> 1] ?? upper;
  return (lower + upper) / 2;
}
