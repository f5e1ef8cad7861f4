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
  timestamp,
} from "drizzle-orm/pg-core";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import type { RateLimit } from "@/lib/domain/sync";

/**
 * What we saw of each company's endpoints, and what changed.
 *
 * Two clocks: the instants of the record (runs, landings, verdict changes, call samples, gaps) are on
 * the API's clock, so that they share one axis; `companies`, `company_state` and the bookkeeping
 * columns of `endpoints` are on ours.
 *
 * Every key begins with the company, then the endpoint, then time: the history of one endpoint is one
 * range of its primary key, and retention walks the same key, so the big tables carry no other index of
 * all their rows.
 */
const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** Companies that we ever watched. */
export const companies = pgTable("companies", {
  slug: text().primaryKey(),
  name: text().notNull(),
  /** When it was first found to be connected: from then on it was tried. */
  createdAt: instant("created_at").notNull().defaultNow(),
  /** When it was first found to be connected no more; null: it is connected. */
  leftAt: instant("left_at"),
  /** When demo history was written for it; null: never. */
  demoHistoryAt: instant("demo_history_at"),
});

/** The last attempt to read a company, and the last complete snapshot. */
export const companyState = pgTable("company_state", {
  company: text().primaryKey(),
  /** Grows with every publication: followers compare it, a deposed leader is stopped by it. */
  version: bigint({ mode: "number" }).notNull(),
  /** When the last complete snapshot began to be read: the last success. Null before the first. */
  asOf: instant("as_of"),
  lastAttemptAt: instant("last_attempt_at").notNull(),
  /** A `SourceReason`; null when the last attempt succeeded. */
  reason: text(),
  rhythmSeconds: doublePrecision("rhythm_seconds").notNull(),
  nextRefreshAt: instant("next_refresh_at").notNull(),
  apiClockOffsetMs: doublePrecision("api_clock_offset_ms").notNull(),
  /** Pages of the last complete snapshot: what a poll of this company costs. */
  totalPages: integer("total_pages").notNull(),
  rateLimit: jsonb("rate_limit").$type<RateLimit>(),
  budget: jsonb().$type<{ used: number; limit: number }>().notNull(),
});

/** Current rows: one per endpoint that a snapshot ever showed. Written only when something changed. */
export const endpoints = pgTable(
  "endpoints",
  {
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    endpointKey: text("endpoint_key").notNull(),
    partnerName: text("partner_name").notNull(),
    frequencyMinutes: doublePrecision("frequency_minutes"),
    /** The row as given: the words of its instants, and members that we do not know. */
    raw: jsonb().$type<ReadSyncStatus>().notNull(),
    /** By attribute: when its present value was first seen, epoch milliseconds on the API's clock. */
    attributesSeenMs: jsonb("attributes_seen_ms")
      .$type<Record<string, number>>()
      .notNull()
      .default({}),
    /** Our verdict at the last complete snapshot. */
    verdict: text().notNull(),
    firstSeenAt: instant("first_seen_at").notNull(),
    /** The last snapshot that had the row; null while the latest has it (`company_state.as_of`). */
    lastReportedAt: instant("last_reported_at"),
    /** Polls in a row that lacked it. */
    missedSnapshots: integer("missed_snapshots").notNull().default(0),
    /** Set when too many snapshots lacked it; cleared when it comes back. */
    removedAt: instant("removed_at"),
    typicalDurationSeconds: doublePrecision("typical_duration_seconds"),
    failuresInARow: integer("failures_in_a_row").notNull().default(0),
    /** When the failures that stand began: the end of the first run; null: none stands, or it isn't known. */
    failingSince: instant("failing_since"),
    lastFinishedStatus: text("last_finished_status"),
    lastFinishedStartedAt: instant("last_finished_started_at"),
    lastFinishedAt: instant("last_finished_at"),
    learnedFrequencyMinutes: doublePrecision("learned_frequency_minutes"),
  },
  (table) => [primaryKey({ columns: [table.company, table.endpointId] })],
);

/** Runs, told apart by their start. A run whose end we never saw keeps `in_progress`. */
export const runs = pgTable(
  "runs",
  {
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    startedAt: instant("started_at").notNull(),
    finishedAt: instant("finished_at"),
    /** A `last_sync_status` as given; null when the API gave none. */
    status: text(),
    durationSeconds: doublePrecision("duration_seconds"),
    firstSeenAt: instant("first_seen_at").notNull(),
    /** `observed` by the collector, or `demo` history. */
    origin: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company, table.endpointId, table.startedAt] })],
);

/** Moments when data arrived. */
export const landings = pgTable(
  "landings",
  {
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    landedAt: instant("landed_at").notNull(),
    origin: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company, table.endpointId, table.landedAt] })],
);

/** From when on a verdict held, as seen by our snapshots. */
export const verdictChanges = pgTable(
  "verdict_changes",
  {
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    changedAt: instant("changed_at").notNull(),
    /** Null: the endpoint was removed. */
    verdict: text(),
    /** Null: the endpoint was new, or came back. */
    previous: text(),
    /** Since the snapshot before, its cadence changed, or the next sync that alone made it overdue. */
    isRescheduled: boolean("is_rescheduled").notNull().default(false),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.endpointId, table.changedAt] }),
    // Removals are few among millions of changes, and every chart asks for them.
    index("removals")
      .on(table.company, table.endpointId, table.changedAt)
      .where(sql`${table.verdict} is null`),
  ],
);

/** Readings of `api_calls_last_24h`, a rolling window: never summed over time, never differenced. */
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

/** When we did not look: what happened then may be missing from the record. */
export const gaps = pgTable(
  "gaps",
  {
    company: text().notNull(),
    fromAt: instant("from_at").notNull(),
    untilAt: instant("until_at").notNull(),
    /** A `SourceReason`, `stopped` (we were not running) or `not_recorded` (the record was paused). */
    reason: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.company, table.fromAt] })],
);
