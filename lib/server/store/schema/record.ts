import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
} from "drizzle-orm/pg-core";
import type { RowPromise } from "@/lib/contracts/row-promise";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import type { LearnedWeekFacts, RateLimit } from "@/lib/domain/sync";
import { instant } from "./instant";

/**
 * Observed state of each company's endpoints, and its changes.
 *
 * Two clocks: the timestamps of the record (runs, landings, verdict changes, call samples, gaps) are on the API
 * clock, so that they share one axis; `companies`, `company_state` and the bookkeeping columns of `endpoints`
 * are on ours.
 *
 * Every key starts with company, endpoint, time: the history of one endpoint is one range of its primary key,
 * and retention scans the same key, so the big tables need no other full index.
 */

/** All companies ever monitored. */
export const companies = pgTable("companies", {
  slug: text().primaryKey(),
  name: text().notNull(),
  /** When it was first found connected; monitored from then on. */
  createdAt: instant("created_at").notNull().defaultNow(),
  /** When it was first found disconnected; null: connected. */
  leftAt: instant("left_at"),
  /** When demo history was written for it; null: never. */
  demoHistoryAt: instant("demo_history_at"),
  /** Its call samples from before are reduced to a few an hour, on the API clock; null: none of them yet. */
  callsThinnedUntil: instant("calls_thinned_until"),
});

/** The last attempt to read a company, and the last complete snapshot. */
export const companyState = pgTable("company_state", {
  company: text().primaryKey(),
  /** Increases with every publication: followers compare it, and a deposed leader's publication fails on it. */
  version: bigint({ mode: "number" }).notNull(),
  /** When reading the last complete snapshot started, which is the last success. Null before the first. */
  asOf: instant("as_of"),
  lastAttemptAt: instant("last_attempt_at").notNull(),
  /** A `SourceReason`; null when the last attempt succeeded. */
  reason: text(),
  rhythmSeconds: doublePrecision("rhythm_seconds").notNull(),
  nextRefreshAt: instant("next_refresh_at").notNull(),
  apiClockOffsetMs: doublePrecision("api_clock_offset_ms").notNull(),
  /** PostgreSQL's clock minus ours at the last complete snapshot; null: unknown. */
  databaseClockOffsetMs: doublePrecision("database_clock_offset_ms"),
  /** Pages of the last complete snapshot, which is the number of requests per poll. */
  totalPages: integer("total_pages").notNull(),
  rateLimit: jsonb("rate_limit").$type<RateLimit>(),
  budget: jsonb().$type<{ used: number; limit: number }>().notNull(),
});

/** Current rows: one per endpoint ever seen in a snapshot. Written only on changes. */
export const endpoints = pgTable(
  "endpoints",
  {
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    endpointKey: text("endpoint_key").notNull(),
    partnerName: text("partner_name").notNull(),
    frequencyMinutes: doublePrecision("frequency_minutes"),
    /** The row as received, with the original timestamp strings and unknown members. */
    raw: jsonb().$type<ReadSyncStatus>().notNull(),
    /** Per attribute: when its current value was first seen, epoch milliseconds on the API clock. */
    attributesSeenMs: jsonb("attributes_seen_ms")
      .$type<Record<string, number>>()
      .notNull()
      .default({}),
    /** Our verdict at the last complete snapshot. */
    verdict: text().notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    /** The last snapshot that contained it; null while the latest does (`company_state.as_of`). */
    lastReportedAt: instant("last_reported_at"),
    /** Consecutive polls that lacked it. */
    missedSnapshots: integer("missed_snapshots").notNull().default(0),
    /** Set when too many snapshots lacked it; cleared when it reappears. */
    removedAt: instant("removed_at"),
    typicalDurationSeconds: doublePrecision("typical_duration_seconds"),
    failuresInARow: integer("failures_in_a_row").notNull().default(0),
    /** Start of the current series of failures: the end of its first run; null: none, or unknown. */
    failingSince: instant("failing_since"),
    lastFinishedStatus: text("last_finished_status"),
    lastFinishedStartedAt: instant("last_finished_started_at"),
    lastFinishedAt: instant("last_finished_at"),
    learnedFrequencyMinutes: doublePrecision("learned_frequency_minutes"),
    /** The learned week that was applied at the last complete snapshot; null: none. Only what `learned_weeks` still has counts. */
    learnedWeek: jsonb("learned_week").$type<LearnedWeekFacts>(),
    /** The row's promise at the last complete snapshot; null: none. */
    promise: jsonb().$type<RowPromise>(),
  },
  (table) => [primaryKey({ columns: [table.company, table.endpointId] })],
);

/** Runs, identified by their start. A run whose end was never observed stays `in_progress`. */
export const runs = pgTable(
  "runs",
  {
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    startedAt: instant("started_at").notNull(),
    finishedAt: instant("finished_at"),
    /** `last_sync_status` as received; null when the API sent none. */
    status: text(),
    durationSeconds: doublePrecision("duration_seconds"),
    firstSeenAt: instant("first_seen_at").notNull(),
    /** `observed` by the collector, or `demo` history. */
    origin: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company, table.endpointId, table.startedAt] })],
);

/** Times at which data arrived. */
export const landings = pgTable(
  "landings",
  {
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    landedAt: instant("landed_at").notNull(),
    origin: text().notNull(),
    /** The check that showed it first, which can be much later; null: not recorded. */
    seenAt: instant("seen_at"),
    /** The complete check before that one; null: not recorded. */
    seenAfter: instant("seen_after"),
  },
  (table) => [primaryKey({ columns: [table.company, table.endpointId, table.landedAt] })],
);

/** When verdicts changed, as observed in our snapshots. */
export const verdictChanges = pgTable(
  "verdict_changes",
  {
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    changedAt: instant("changed_at").notNull(),
    /** Null: the endpoint was removed. */
    verdict: text(),
    /** Null: the endpoint was new, or reappeared. */
    previous: text(),
    /**
     * Whether, since the previous snapshot, the cadence changed, or the next sync time that alone made it
     * overdue.
     */
    isRescheduled: boolean("is_rescheduled").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.endpointId, table.changedAt] }),
    // Few removals among millions of changes, needed by every chart.
    index("removals")
      .on(table.company, table.endpointId, table.changedAt)
      .where(sql`${table.verdict} is null`),
  ],
);

/** Samples of `api_calls_last_24h`, a rolling window: never sum or difference them. */
export const callSamples = pgTable(
  "call_samples",
  {
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    sampledAt: instant("sampled_at").notNull(),
    value: doublePrecision().notNull(),
    origin: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company, table.endpointId, table.sampledAt] })],
);

/**
 * Call samples as charts of whole companies read them: at each half hour, six hours a row, a fraction of what reading each
 * endpoint's samples takes. Written once all samples of those hours are on record.
 */
export const rolledUpCalls = pgTable(
  "rolled_up_calls",
  {
    company: text().notNull(),
    /** The first of the six hours; a multiple of six hours of UTC. */
    fromAt: instant("from_at").notNull(),
    /** Endpoints with a reading. */
    endpointIds: text("endpoint_ids").array().notNull(),
    /** At each half hour those of all endpoints, in their order; null: no sample was recent enough. */
    readings: doublePrecision().array().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company, table.fromAt] })],
);

/** Periods without observation; the record may miss what happened then. */
export const gaps = pgTable(
  "gaps",
  {
    company: text().notNull(),
    fromAt: instant("from_at").notNull(),
    untilAt: instant("until_at").notNull(),
    /** A `SourceReason`, `stopped` (we were not running) or `not_recorded` (recording was paused). */
    reason: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company, table.fromAt] })],
);
