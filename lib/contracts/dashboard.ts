import { z } from "zod";
import { SOURCE_REASONS, VERDICTS } from "@/lib/domain/sync";

/** Our own JSON: what `/api/companies/...` answers and the pages read. Instants are ISO 8601. */

const EndpointFacts = z.object({
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
  known: EndpointFacts,
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

/** Somebody, as whoever asks sees them. */
const Colleague = z.object({ name: z.string(), is_you: z.boolean() });

/** What people do about a company now. */
export const CompanyCare = z.object({
  /** Incidents: open ones, those of them that nobody is on, and who is on the others. */
  open: z.int(),
  unacknowledged: z.int(),
  on_it: z.array(Colleague),
  /** The open one to look at first: one that nobody is on, the worst, the oldest; null: none is open. */
  next: z.object({ id: z.int(), partner_name: z.string() }).nullable(),
  /** Who looks after the company; null: the administrators. */
  owner: Colleague.nullable(),
  /** Who stands in for them now; null: nobody. `until`: our clock. */
  stand_in: Colleague.extend({ until: z.string() }).nullable(),
});

/** One company in a person's list. What is said of endpoints is as of now; once we are blind, as of `as_of`. */
export const CompanySummary = z.object({
  slug: z.string(),
  name: z.string(),
  /** The snapshot's time; null before the first. */
  as_of: z.string().nullable(),
  source: Source,
  /** How many endpoints have each verdict. */
  counts: z.record(z.enum(VERDICTS), z.int()),
  /** Its partners at the last complete check, by name; null: not read yet, or more than a hundred. */
  partners: z.array(z.string()).nullable(),
  /** The worst endpoint that fails, is overdue or that we can't tell about; null: there is none, or none is known. */
  worst: z
    .object({
      partner_name: z.string(),
      endpoint_key: z.string(),
      verdict: z.enum(VERDICTS),
      /** When its trouble began, the API's clock; null: not known. */
      since: z.string().nullable(),
    })
    .nullable(),
  /** How many are beyond their due time and its allowance; `due_at`: when the furthest behind was due, the API's clock. */
  overdue: z.object({ endpoints: z.int(), due_at: z.string().nullable() }),
  /** The first and the last data received that is the newest of its endpoint, the API's clock; null: none. */
  partner_data: z.object({ oldest_at: z.string(), newest_at: z.string() }).nullable(),
  /** Null: it can't be read now. */
  care: CompanyCare.nullable(),
});

/** `GET /api/companies?partner=NAME`: those that the person may see, in the order of the configuration. */
export const CompaniesView = z.object({
  /**
   * The only partner that counts, the worst, the overdue ones, partner data and incidents are of; null: of all
   * partners. A company that doesn't have it is listed all the same, with nothing.
   */
  partner: z.string().nullable(),
  companies: z.array(CompanySummary),
});

export type SyncStatusRow = z.infer<typeof SyncStatusRow>;
export type Source = z.infer<typeof Source>;
export type SyncStatusView = z.infer<typeof SyncStatusView>;
export type CompanyCare = z.infer<typeof CompanyCare>;
export type CompanySummary = z.infer<typeof CompanySummary>;
export type CompaniesView = z.infer<typeof CompaniesView>;
