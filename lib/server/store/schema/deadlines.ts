import { sql } from "drizzle-orm";
import {
  bigint,
  bigserial,
  boolean,
  check,
  doublePrecision,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import type { DayOutcome, DeadlineRule, Excuse } from "@/lib/domain/deadlines/deadline";
import { people } from "./people";
import { instant } from "./instant";

/** By when data has to be there. Never deleted, since closed days refer to them. Timestamps are on the API clock. */
export const deadlines = pgTable(
  "deadlines",
  {
    id: uuid().primaryKey().defaultRandom(),
    company: text().notNull(),
    /** Null: every partner. */
    partnerName: text("partner_name"),
    /** Null: every endpoint. The key is the name at the time. */
    endpointId: text("endpoint_id"),
    endpointKey: text("endpoint_key"),
    rule: jsonb().$type<DeadlineRule>().notNull(),
    targetPercent: doublePrecision("target_percent"),
    note: text(),
    madeById: uuid("made_by_id")
      .notNull()
      .references(() => people.id),
    madeByName: text("made_by_name").notNull(),
    madeAt: instant("made_at").notNull(),
    /** When it was deleted; null: it wasn't. */
    endedAt: instant("ended_at"),
  },
  (table) => [
    index("deadlines_company")
      .on(table.company, table.madeAt)
      .where(sql`${table.endedAt} is null`),
  ],
);

/** A company's progress: one row from its first deadline on. */
export const deadlineFolds = pgTable("deadline_folds", {
  company: text().primaryKey(),
  /** Days that a snapshot up to this time on the API clock could close are closed. */
  closedUntil: instant("closed_until").notNull(),
  /** Increases with every change of a deadline. */
  version: bigint({ mode: "number" }).notNull(),
});

/** Closed days of endpoints, with the rule as it was. Timestamps are on the API clock. */
export const deadlineDays = pgTable(
  "deadline_days",
  {
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    deadlineId: uuid("deadline_id")
      .notNull()
      .references(() => deadlines.id),
    /** "2026-11-26", in the rule's zone. */
    date: text().notNull(),
    partnerName: text("partner_name").notNull(),
    endpointKey: text("endpoint_key").notNull(),
    dueAt: instant("due_at").notNull(),
    /** End of the allowance. */
    limitAt: instant("limit_at").notNull(),
    outcome: text().$type<DayOutcome>().notNull(),
    /** The data that met it or, added later, the first data after a missed one. */
    receivedAt: instant("received_at"),
    isAtMost: boolean("is_at_most").notNull().default(false),
    excuse: text().$type<Excuse>(),
    /** Without its holidays. */
    rule: jsonb().$type<Omit<DeadlineRule, "holidays">>().notNull(),
    /** The snapshot that closed it. */
    closedAt: instant("closed_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.endpointId, table.deadlineId, table.date] }),
    check(
      "deadline_days_outcome",
      sql`${table.outcome} in ('met', 'missed', 'not_observed', 'excused')`,
    ),
    index("deadline_days_date").on(table.company, table.date),
    index("deadline_days_due").on(table.company, table.endpointId, table.dueAt),
    // Looked for when messages are planned.
    index("deadline_days_missed")
      .on(table.company, table.closedAt)
      .where(sql`${table.outcome} = 'missed'`),
    // Few, looked for when data arrives.
    index("deadline_days_without_data")
      .on(table.company, table.endpointId)
      .where(sql`${table.outcome} = 'missed' and ${table.receivedAt} is null`),
  ],
);

/** While deadlines of endpoints were at risk, as snapshots showed it. On the API's clock. */
export const deadlineRisks = pgTable(
  "deadline_risks",
  {
    seq: bigserial({ mode: "number" }).primaryKey(),
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    deadlineId: uuid("deadline_id")
      .notNull()
      .references(() => deadlines.id),
    /** "2026-11-26", in the rule's zone. */
    date: text().notNull(),
    partnerName: text("partner_name").notNull(),
    endpointKey: text("endpoint_key").notNull(),
    dueAt: instant("due_at").notNull(),
    /** End of the allowance. */
    limitAt: instant("limit_at").notNull(),
    fromAt: instant("from_at").notNull(),
    /** Null: it is at risk. */
    untilAt: instant("until_at"),
    /** Start of the attempt that counts, as last seen; null: none is scheduled. */
    attemptAt: instant("attempt_at"),
    /** How long it usually takes; null: unknown. */
    usuallySeconds: doublePrecision("usually_seconds"),
  },
  (table) => [
    index("deadline_risks_due").on(table.company, table.dueAt),
    uniqueIndex("deadline_risks_current")
      .on(table.company, table.endpointId)
      .where(sql`${table.untilAt} is null`),
  ],
);

/** What snapshots said about endpoints as far as deadlines depend on it, on every change. On the API clock. */
export const endpointFacts = pgTable(
  "endpoint_facts",
  {
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    seenAt: instant("seen_at").notNull(),
    partnerName: text("partner_name").notNull(),
    /** As received; null: removed. */
    status: text(),
    reported: boolean().notNull(),
    /** Given, or else learned; null: unknown. */
    cadenceMinutes: doublePrecision("cadence_minutes"),
  },
  (table) => [primaryKey({ columns: [table.company, table.endpointId, table.seenAt] })],
);
