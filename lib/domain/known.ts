/** What our record derives from what it observed. Source: docs/verdict.md, "What our record adds". */

import type { EndpointFacts } from "./sync";
import { MINUTE_MS } from "@/lib/domain/time/units";

const MINIMUM_OBSERVED_GAPS = 5;

/** What is known of an endpoint of which nothing was recorded yet. */
export const NOTHING_KNOWN: EndpointFacts = {
  typical_duration_seconds: null,
  failures_in_a_row: 0,
  last_finished_status: null,
  last_finished_at: null,
  learned_frequency_minutes: null,
  reported: true,
};

/** A stretch in which we did not look: epoch ms; `untilMs` null while it lasts. */
export type BlindGap = { fromMs: number; untilMs: number | null };

/**
 * What a run's duration rarely exceeds: the 95th percentile by nearest rank, the smallest recorded duration
 * that at least 95 % of the recorded ones do not exceed. Up to 19 runs that is the longest one.
 * @param durationsSeconds of completed runs, in any order; negative and non-finite ones are left out
 * @returns seconds; null without a duration
 */
export function typicalDurationSeconds(durationsSeconds: readonly number[]): number | null {
  const sorted = durationsSeconds
    .filter((seconds) => seconds >= 0 && Number.isFinite(seconds))
    .toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.95) - 1] ?? null;
}

/**
 * The cadence that landings show: the median of the gaps between them.
 * A gap that overlaps a stretch in which we did not look is left out, since a landing may be missing in it.
 * @param landingsMs epoch ms, ascending; repeated instants count once
 * @param blindGaps in any order, may overlap
 * @returns whole minutes, at least 1; null with fewer than five observed gaps
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
      // Sorted by their start, later stretches cannot begin before this one.
      if ((blind[nextBlind]?.fromMs ?? Infinity) >= landingMs) observedMs.push(landingMs - sinceMs);
    }
    previousMs = landingMs;
  }
  if (observedMs.length < MINIMUM_OBSERVED_GAPS) return null;
  return Math.max(1, Math.round(median(observedMs) / MINUTE_MS));
}

/**
 * Whether a run says how an endpoint is doing: it completed, failed or timed out. Everything else is passed over: a run
 * that was rate limited or is in progress, and an outcome that is null or that we do not recognise.
 */
export function isDecisive(status: string | null): boolean {
  return status === "completed" || status === "failed" || status === "timed_out";
}

/**
 * How many runs in a row did not complete.
 * `completed` ends the count; `failed` and `timed_out` count one each; everything else (`rate_limited`,
 * null, a run in progress, a value that we do not recognise) neither counts nor ends it.
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
 * When the failures that stand began: the end of the first failed run after which none completed.
 * @param runs newest first
 * @returns epoch ms; null when none stands, or its end is not known
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
