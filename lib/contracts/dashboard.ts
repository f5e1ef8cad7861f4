import { z } from "zod";
import { SOURCE_REASONS, VERDICTS } from "@/lib/domain/sync";

/** Our own JSON: what `/api/companies/...` answers and the pages read. Instants are ISO 8601. */

const Known = z.object({
  typical_duration_seconds: z.number().nullable(),
  failures_in_a_row: z.int(),
  last_finished_status: z.string().nullable(),
  last_finished_at: z.string().nullable(),
  learned_frequency_minutes: z.number().nullable(),
  reported: z.boolean(),
});

/** One endpoint: the row's id, its v3 attributes under their v3 names, our verdict at `as_of`. */
export const SyncStatusRow = z.object({
  id: z.string(),
  endpoint_key: z.string(),
  partner_name: z.string(),
  status: z.string(),
  last_updated_at: z.string().nullable(),
  next_sync_at: z.string().nullable(),
  last_sync_status: z.string().nullable(),
  last_sync_started_at: z.string().nullable(),
  last_sync_finished_at: z.string().nullable(),
  last_sync_duration_seconds: z.number().nullable(),
  frequency_minutes: z.number().nullable(),
  api_calls_last_24h: z.number(),
  verdict: z.enum(VERDICTS),
  known: Known,
});

/** How the picture came about and how far it can be trusted. */
export const Source = z.object({
  confidence: z.enum(["live", "delayed", "blind"]),
  reason: z.enum(SOURCE_REASONS).nullable(),
  last_success_at: z.string().nullable(),
  next_refresh_at: z.string(),
  rhythm_seconds: z.number(),
  rate_limit: z.object({ limit: z.int(), remaining: z.int(), reset_at: z.string() }).nullable(),
  /** Requests that this host got from us in the last minute, and what we allow ourselves. */
  budget: z.object({ used: z.int(), limit: z.int() }),
  /** The API's clock minus ours, milliseconds. */
  api_clock_offset_ms: z.number(),
  /**
   * Why what is seen is not recorded now, and since when; null: it is. Absent in what a screen kept of an
   * earlier version.
   */
  recording_stopped: z
    .object({ reason: z.enum(["disk_full", "database_away"]), since: z.string() })
    .nullish(),
  /**
   * The company is connected no more, and what is seen is its record; `at`: when that was found, null: a moment ago.
   * Null or absent: it is connected.
   */
  left: z.object({ at: z.string().nullable() }).nullish(),
});

/** `GET /api/companies/[company]/sync-status`. */
export const SyncStatusView = z.object({
  /** The snapshot's time; null before the first. */
  as_of: z.string().nullable(),
  source: Source,
  rows: z.array(SyncStatusRow),
});

/** One company in a person's list. */
export const CompanySummary = z.object({
  slug: z.string(),
  name: z.string(),
  /** The snapshot's time; null before the first. */
  as_of: z.string().nullable(),
  source: Source,
  /** How many endpoints wear each word now; once we are blind, at `as_of`. */
  counts: z.record(z.enum(VERDICTS), z.int()),
});

/** `GET /api/companies`: those that the person may see, in the order of the configuration. */
export const CompaniesView = z.object({ companies: z.array(CompanySummary) });

export type SyncStatusRow = z.infer<typeof SyncStatusRow>;
export type Source = z.infer<typeof Source>;
export type SyncStatusView = z.infer<typeof SyncStatusView>;
export type CompanySummary = z.infer<typeof CompanySummary>;
export type CompaniesView = z.infer<typeof CompaniesView>;
