/**
 * One row of `GET /sync_status`, with the API's field names. Instants are ISO 8601 strings; `null` is the API's value
 * for unknown.
 * Source: the v3 API, SyncStatus attributes.
 */
export type SyncAttributes = {
  endpoint_key: string;
  partner_name: string;
  /** `active`, `inactive`, `webhook`, or an unrecognised value. */
  status: string;
  last_updated_at: string | null;
  next_sync_at: string | null;
  /** One of `RUN_OUTCOMES`, an unrecognised value, or null. */
  last_sync_status: string | null;
  last_sync_started_at: string | null;
  last_sync_finished_at: string | null;
  last_sync_duration_seconds: number | null;
  frequency_minutes: number | null;
  /** A rolling 24-hour window: never summed over time, never differenced. */
  api_calls_last_24h: number;
};

/** Whether a feed is paused where its data comes from. */
export function isPausedAtSource({ status }: { status: string | null }): boolean {
  return status === "inactive";
}

/** The parts of the week in which a feed has no data as a habit. See docs/verdict.md, "A learned week". */
export type LearnedWeekFacts = {
  /** IANA name. */
  time_zone: string;
  /** Local times, such as "sat 00:00"; a span can end in the next week. */
  spans: { from: string; until: string }[];
  /** When it was learned, the API's clock. */
  since: string;
};

/** What our own record adds to a row. */
export type EndpointFacts = {
  /** p95 of the durations of completed runs among the latest recorded ones, seconds; null if there is none. */
  typical_duration_seconds: number | null;
  /**
   * Consecutive failures among the same runs; 0 after a completed run or without a record. Without a typical duration
   * none of them completed, so there may be more: the number is a minimum.
   */
  failures_in_a_row: number;
  /**
   * Outcome of the last recorded run that completed, failed or timed out; null if none was observed. Rate limited runs
   * are skipped.
   */
  last_finished_status: string | null;
  last_finished_at: string | null;
  /** Median of at least five observed intervals between landings, minutes; null if not learned. */
  learned_frequency_minutes: number | null;
  /** Null or absent: none was learned, or it isn't applied now. */
  learned_week?: LearnedWeekFacts | null | undefined;
  /** False if the latest complete snapshot lacked this row. */
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

/**
 * How overdue an endpoint can be said to be, milliseconds; negative while early. Null beside a verdict that claims
 * nothing of it: without an expectation, or unknown.
 */
export function knownLatenessMs(word: Verdict, latenessMs: number | null): number | null {
  return word === "paused" || word === "webhook" || word === "unknown" ? null : latenessMs;
}

export const RUN_OUTCOMES = [
  "completed",
  "failed",
  "in_progress",
  "timed_out",
  "rate_limited",
] as const;
export type RunOutcome = (typeof RUN_OUTCOMES)[number];

/** How far our data about a company can be trusted. */
export type Confidence = "live" | "delayed" | "blind";

/**
 * Why the last attempt to read the upstream failed; `starting` before the first response. `disconnected`: paused by an
 * administrator; `secret_unreadable`: the stored secret can't be decrypted. Neither sends anything.
 */
export const SOURCE_REASONS = [
  "unreachable",
  "rate_limited",
  "unauthorized",
  "forbidden",
  "invalid_response",
  "starting",
  "disconnected",
  "secret_unreadable",
] as const;
export type SourceReason = (typeof SOURCE_REASONS)[number];

/** Whether nothing is sent until an administrator acts. @param reason null: the last attempt succeeded */
export function isResting(reason: SourceReason | null): boolean {
  return reason === "disconnected" || reason === "secret_unreadable";
}

/** The upstream's rate limit, as last reported. */
export type RateLimit = {
  limit: number;
  remaining: number;
  /** Our wall clock, epoch milliseconds; after a 429 the time until which requests are held back. */
  resetAtMs: number;
};
