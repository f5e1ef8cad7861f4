import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  index,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import type { WeekSpan } from "@/lib/domain/learned-week/week-span";
import { instant } from "./instant";

/** A company's progress: one row from its first look on. Timestamps are on the API clock. */
export const learnedWeekProgress = pgTable("learned_week_progress", {
  company: text().primaryKey(),
  /** Increases with every change of the weeks in force. */
  version: bigint({ mode: "number" }).notNull(),
  /** The record of all feeds has been looked at up to this time; null: not yet. */
  lookedUntil: instant("looked_until"),
});

/** What is remembered of a feed beside its learned week. Timestamps are on the API clock. */
export const learnedWeekFeeds = pgTable(
  "learned_week_feeds",
  {
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    /** Whether a person switched it off. */
    isOff: boolean("is_off").notNull().default(false),
    /** The quiet period in which data came; null: none did since it was learned. */
    brokenFrom: instant("broken_from"),
    brokenUntil: instant("broken_until"),
    /** When it was given up, since data came in two quiet periods; null: it wasn't. */
    goneAt: instant("gone_at"),
  },
  (table) => [primaryKey({ columns: [table.company, table.endpointId] })],
);

/** The quiet parts of feeds' weeks, and when each was in force. Timestamps are on the API clock. */
export const learnedWeeks = pgTable(
  "learned_weeks",
  {
    company: text().notNull(),
    endpointId: text("endpoint_id").notNull(),
    fromAt: instant("from_at").notNull(),
    /** Null: in force. */
    untilAt: instant("until_at"),
    timeZone: text("time_zone").notNull(),
    spans: jsonb().$type<WeekSpan[]>().notNull(),
    /** The feed's cadence when it was learned first. */
    cadenceMs: doublePrecision("cadence_ms").notNull(),
    /** When it was learned first; from then on it was adjusted. */
    sinceAt: instant("since_at").notNull(),
    /** The company's version that began or ended it. */
    version: bigint({ mode: "number" }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.company, table.endpointId, table.fromAt] }),
    uniqueIndex("learned_weeks_in_force")
      .on(table.company, table.endpointId)
      .where(sql`${table.untilAt} is null`),
    index("learned_weeks_version").on(table.company, table.version),
  ],
);
