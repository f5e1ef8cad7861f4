/**
 * One row of `GET /sync_status`, as the API names it.
 * Instants are ISO 8601 strings; `null` is what the API gives when it does not know.
 * Source: the v3 API, SyncStatus attributes.
 */
export type SyncAttributes = {
  endpoint_key: string;
  partner_name: string;
  /** `active`, `inactive`, `webhook`, or a value that we do not recognise. */
  status: string;
  last_updated_at: string | null;
  next_sync_at: string | null;
  /** One of `RUN_OUTCOMES`, a value that we do not recognise, or null. */
  last_sync_status: string | null;
  last_sync_started_at: string | null;
  last_sync_finished_at: string | null;
  last_sync_duration_seconds: number | null;
  frequency_minutes: number | null;
  /** A rolling 24-hour window: never summed over time, never differenced. */
  api_calls_last_24h: number;
};

/** What our own record adds to a row. */
export type EndpointFacts = {
  /** p95 of the recorded durations of completed runs, seconds; null before one was recorded. */
  typical_duration_seconds: number | null;
  /** Consecutive recorded failures up to now; 0 after a completed run or before any record. */
  failures_in_a_row: number;
  /**
   * Outcome of the last recorded run that completed, failed or timed out; null when none was observed. Runs that were
   * rate limited are passed over.
   */
  last_finished_status: string | null;
  last_finished_at: string | null;
  /** Median of at least five observed gaps between landings, minutes; null when not learned. */
  learned_frequency_minutes: number | null;
  /** False when the latest complete snapshot lacked this row. */
  reported: boolean;
};

/** Worst first: the order of filters, tallies and sorting everywhere. */
export const VERDICTS = [
  "failing",
  "stale",
  "late",
  "unknown",
  "due",
  "fresh",
  "webhook",
  "paused",
] as const;
export type Verdict = (typeof VERDICTS)[number];

export const RUN_OUTCOMES = [
  "completed",
  "failed",
  "in_progress",
  "timed_out",
  "rate_limited",
] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** How far our own picture of a company can be trusted. */
export type Confidence = "live" | "delayed" | "blind";

/** Why the last attempt to read the upstream did not succeed; `starting` before the first answer. */
export const SOURCE_REASONS = [
  "unreachable",
  "rate_limited",
  "unauthorized",
  "forbidden",
  "invalid_response",
  "starting",
] as const;
export type SourceReason = (typeof SOURCE_REASONS)[number];

/** What the upstream last said about its own limit. */
export type RateLimit = {
  limit: number;
  remaining: number;
  /** Our wall clock, epoch milliseconds; after a 429 the moment up to which we wait. */
  resetAtMs: number;
};
