import { date, integer, jsonb, pgTable, primaryKey, text } from "drizzle-orm/pg-core";
import { instant } from "./instant";

/**
 * Completed days, rolled up once and stored permanently regardless of retention: the basis of the on-time
 * report. Append-only.
 */

/**
 * Sums over a partner's endpoints on one day, milliseconds; `worst` is a 1-based index into `OVERDUE_VERDICTS`,
 * 0: never overdue. Excludes endpoints that were paused or sent by webhook all day.
 */
export type PartnerDaySums = [
  partnerName: string,
  onTimeMs: number,
  overdueMs: number,
  plannedQuietMs: number,
  notObservedMs: number,
  worst: number,
];

/** A company's rolled-up days; each starts where the previous one ended. */
export const reportDays = pgTable(
  "report_days",
  {
    company: text().notNull(),
    /** In the company's time zone. */
    day: date({ mode: "string" }).notNull(),
    /** IANA name. */
    timeZone: text("time_zone").notNull(),
    /** Start and end on the API clock. */
    fromAt: instant("from_at").notNull(),
    untilAt: instant("until_at").notNull(),
    rolledUpAt: instant("rolled_up_at").notNull(),
    /** Number of incidents opened, by partner; null: incidents were not recorded. */
    incidents: jsonb().$type<Record<string, number>>(),
    /** Sums of its endpoints' rows, by partner; null: not computed yet. */
    sums: jsonb().$type<PartnerDaySums[]>(),
  },
  (table) => [primaryKey({ columns: [table.company, table.day] })],
);

/** How an endpoint's time on that day was spent, milliseconds. See `DayTimes`. */
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
    /** Runs that started on the day, by how they had ended when the day was rolled up. */
    completed: integer().notNull(),
    failed: integer().notNull(),
    timedOut: integer("timed_out").notNull(),
    rateLimited: integer("rate_limited").notNull(),
  },
  (table) => [primaryKey({ columns: [table.company, table.day, table.endpointId] })],
);
