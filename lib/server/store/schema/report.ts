import { date, integer, jsonb, pgTable, primaryKey, text, timestamp } from "drizzle-orm/pg-core";

/**
 * Days that are over, rolled up once and kept for good, whatever the retention: the on-time report is made of
 * them. Rows are only ever added.
 */
const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/**
 * A partner's endpoints on a day, milliseconds; `worst` counts from 1 in the order of `OVERDUE_VERDICTS`, 0: never
 * overdue. Endpoints that were paused or sent by webhook all day are no part of it.
 */
export type PartnerDaySums = [
  partnerName: string,
  onTimeMs: number,
  overdueMs: number,
  plannedQuietMs: number,
  notObservedMs: number,
  worst: number,
];

/** A company's days that were rolled up; each begins where the one before ended. */
export const reportDays = pgTable(
  "report_days",
  {
    company: text().notNull(),
    /** As its time zone has it. */
    day: date({ mode: "string" }).notNull(),
    /** IANA name. */
    timeZone: text("time_zone").notNull(),
    /** On the API's clock, as the next. */
    fromAt: instant("from_at").notNull(),
    untilAt: instant("until_at").notNull(),
    rolledUpAt: instant("rolled_up_at").notNull(),
    /** By partner, how many incidents were opened; null: incidents were not recorded. */
    incidents: jsonb().$type<Record<string, number>>(),
    /** What the rows of its endpoints add up to, by partner; null: they are to be added up. */
    sums: jsonb().$type<PartnerDaySums[]>(),
  },
  (table) => [primaryKey({ columns: [table.company, table.day] })],
);

/** What became of an endpoint's time on such a day, milliseconds. See `DayTimes`. */
export const reportEndpointDays = pgTable(
  "report_endpoint_days",
  {
    company: text().notNull(),
    day: date({ mode: "string" }).notNull(),
    endpointId: text("endpoint_id").notNull(),
    endpointKey: text("endpoint_key").notNull(),
    partnerName: text("partner_name").notNull(),
    onTimeMs: integer("on_time_ms").notNull(),
    overdueMs: integer("overdue_ms").notNull(),
    plannedQuietMs: integer("planned_quiet_ms").notNull(),
    notObservedMs: integer("not_observed_ms").notNull(),
    webhookMs: integer("webhook_ms").notNull(),
    pausedMs: integer("paused_ms").notNull(),
    /** The worst overdue verdict; null: never overdue. */
    worst: text(),
    overdueLeadMs: integer("overdue_lead_ms").notNull(),
    overdueLongestMs: integer("overdue_longest_ms").notNull(),
    overdueTailMs: integer("overdue_tail_ms").notNull(),
    /** Runs that began on the day, by how they had ended when it closed. */
    completed: integer().notNull(),
    failed: integer().notNull(),
    timedOut: integer("timed_out").notNull(),
    rateLimited: integer("rate_limited").notNull(),
  },
  (table) => [primaryKey({ columns: [table.company, table.day, table.endpointId] })],
);
