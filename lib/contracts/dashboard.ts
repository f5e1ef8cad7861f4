import { LearnedWeekFacts } from "./endpoint/learned-week";
import { z } from "zod";
import { RowPromise } from "./row-promise";
import { SOURCE_REASONS, VERDICTS } from "@/lib/domain/sync";
import { CompanyName } from "./companies/company-name";

/** Our own JSON, returned by `/api/companies/...` and read by the pages. Instants are ISO 8601. */

const EndpointFacts = z.object({
  typical_duration_seconds: z.number().nullable(),
  failures_in_a_row: z
    .int()
    .describe(
      "Without `typical_duration_seconds`, none of the runs that were counted completed, and there may be more.",
    ),
  last_finished_status: z.string().nullable(),
  last_finished_at: z.string().nullable(),
  learned_frequency_minutes: z.number().nullable(),
  /** Null: none was learned, or it isn't applied now. Absent in data saved by a screen of an earlier version. */
  learned_week: LearnedWeekFacts.nullish().describe(
    "Null: none was learned, or it isn't applied now.",
  ),
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
  /**
   * Its promise whose window has begun, else the outcome of the last one, else the next one, as of `as_of`; null: none.
   * Absent in data saved by a screen of an earlier version.
   */
  promise: RowPromise.nullish(),
});

/** Origin of the data, and how far it can be trusted. */
export const Source = z.object({
  confidence: z.enum(["live", "delayed", "blind"]),
  reason: z.enum(SOURCE_REASONS).nullable(),
  last_success_at: z.string().nullable(),
  /** Null: nothing is sent until the connection is resumed, repaired or made again. */
  next_refresh_at: z.string().nullable(),
  rhythm_seconds: z.number(),
  rate_limit: z.object({ limit: z.int(), remaining: z.int(), reset_at: z.string() }).nullable(),
  /**
   * Requests sent to this host in the last minute, and our own limit; null for everyone but administrators of the
   * installation.
   */
  budget: z.object({ used: z.int(), limit: z.int() }).nullable(),
  /** The API's clock minus ours, milliseconds. */
  api_clock_offset_ms: z.number(),
  /**
   * Why new data isn't recorded now, and since when; null: it is. Absent in data saved by a screen of an earlier
   * version.
   */
  recording_stopped: z
    .object({
      reason: z.enum(["disk_full", "database_away", "database_read_only", "write_failed"]),
      since: z.string(),
    })
    .nullish(),
  /**
   * The company is no longer connected, and the data is its record; `at`: when that was detected, null: just now. Null
   * or absent: it is connected.
   */
  left: z.object({ at: z.string().nullable() }).nullish(),
});

const ListedSource = Source.omit({ rate_limit: true });

/** `GET /api/companies/[company]/sync-status`. */
export const SyncStatusView = z.object({
  /** The snapshot's time; null before the first. */
  as_of: z.string().nullable(),
  source: Source,
  rows: z.array(SyncStatusRow),
});

/** A person, from the caller's point of view. */
const Colleague = z.object({ name: z.string(), is_you: z.boolean() });

/** Who is responsible for a company and its incidents now. */
export const CompanyCare = z.object({
  /** Numbers of open and of unacknowledged incidents, and who acknowledged the others. */
  open: z.int(),
  unacknowledged: z.int(),
  on_it: z.array(Colleague),
  /** The open incident to handle first: unacknowledged, then the worst, then the oldest; null: none is open. */
  next: z.object({ id: z.int(), partner_name: z.string() }).nullable(),
  /** Owner of the company; null: the administrators. */
  owner: Colleague.nullable(),
  /** Current stand-in of the owner; null: none. `until`: our clock. */
  stand_in: Colleague.extend({ until: z.string() }).nullable(),
});

/** One company in a person's list. Endpoint data is as of now; when blind, as of `as_of`. */
export const CompanySummary = z.object({
  ...CompanyName.shape,
  /** The snapshot's time; null before the first. */
  as_of: z.string().nullable(),
  /** Without the API's own limit, which is in the company's `sync-status`: it would be a tenth of the list. */
  source: ListedSource,
  /** Number of endpoints per verdict. */
  counts: z.record(z.enum(VERDICTS), z.int()),
  /** Its partners at the last complete check, by name; null: not read yet, or more than a hundred. */
  partners: z.array(z.string()).nullable(),
  /** The worst endpoint that is failing, overdue or unknown; null: there is none, or none is known. */
  worst: z
    .object({
      partner_name: z.string(),
      endpoint_key: z.string(),
      verdict: z.enum(VERDICTS),
      /** When its trouble started, the API's clock; null: unknown. */
      since: z.string().nullable(),
    })
    .nullable(),
  /**
   * Number of endpoints overdue beyond their allowance; `due_at`: when the most overdue one was due, the API's clock.
   */
  overdue: z.object({ endpoints: z.int(), due_at: z.string().nullable() }),
  /** The oldest and the newest of the endpoints' last landings, the API's clock; null: none. */
  partner_data: z.object({ oldest_at: z.string(), newest_at: z.string() }).nullable(),
  /** Null: not available now. */
  care: CompanyCare.nullable(),
});

/** `GET /api/companies?partner=NAME`: the companies that the person may see, in configured order. */
export const CompaniesView = z.object({
  /**
   * The only partner that counts, worst endpoint, overdue endpoints, partner data and incidents refer to; null: all
   * partners. A company without that partner is still listed, with no data.
   */
  partner: z.string().nullable(),
  companies: z.array(CompanySummary),
});

export type SyncStatusRow = z.infer<typeof SyncStatusRow>;
export type Source = z.infer<typeof Source>;
export type ListedSource = z.infer<typeof ListedSource>;
export type SyncStatusView = z.infer<typeof SyncStatusView>;
export type CompanyCare = z.infer<typeof CompanyCare>;
export type CompanySummary = z.infer<typeof CompanySummary>;
export type CompaniesView = z.infer<typeof CompaniesView>;
