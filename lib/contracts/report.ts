import { z } from "zod";
import { OVERDUE_VERDICTS } from "@/lib/domain/report/day-times";
import { REPORT_RANGES } from "@/lib/domain/report/report-day";

/**
 * The on-time report of a month, `GET /api/companies/[company]/report?month=2026-10`.
 *
 * Shares are in percent of the month's time, one decimal each, and those of one thing sum to exactly 100.0 as
 * they are written. Of a month that goes on, the time is what has passed; `headline` says how much of it we checked,
 * and how much of that was on time.
 */

/** "2026-10-14", a day in the report's time zone. */
const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const percent = z.number().min(0).max(100);

const Shares = {
  on_time: percent,
  overdue: percent,
  planned_quiet: percent,
  not_observed: percent,
};

/** Runs that began in the month and had ended an hour after their day did. */
const Runs = z.object({
  completed: z.int(),
  failed: z.int(),
  timed_out: z.int(),
  rate_limited: z.int(),
});

/**
 * `[overdue, planned_quiet, not_observed, worst]` of one day, shares in percent of its time; the rest was on
 * time. Null: nothing of the day is counted.
 */
const DayCell = z
  .tuple([percent, percent, percent, z.enum(OVERDUE_VERDICTS).nullable()])
  .nullable();

const Part = {
  ...Shares,
  /** On time, in percent of the time that we could check; null: we checked none of it. */
  on_time_of_checked: percent.nullable(),
  /** The longest time that one endpoint was overdue without a break, as far as we saw it. */
  longest_overdue_seconds: z.number(),
  /** The day on which that began; null: never overdue. */
  longest_overdue_day: day.nullable(),
  /** The last day of it, which may be the same; null: never overdue. */
  longest_overdue_last_day: day.nullable(),
  /** How the endpoint's runs of those days mostly ended, as far as they did not complete; null: none such. */
  longest_overdue_cause: z.enum(["failed", "timed_out", "rate_limited"]).nullable(),
  runs: Runs,
  /** One for each day of the month. */
  days: z.array(DayCell),
};

export const ReportView = z.object({
  /** "2026-10" */
  month: z.string(),
  /** IANA name: where the month's days begin and end. */
  time_zone: z.string(),
  /** Every day of it is rolled up: it reads the same from now on. */
  closed: z.boolean(),
  /** The day on which that happened; null: it hasn't, or nothing of the month is on record. */
  closed_on: day.nullable(),
  /** When a month that isn't closed was read: ISO, on the API's clock; null: it is closed, and stays as it is. */
  as_of: z.iso.datetime().nullable(),
  /** Percent of the month's time that was observed; null: none of it has passed, or nothing has a schedule. */
  observed: percent.nullable(),
  headline: z.object({
    /** On time, in percent of the time that we could check; null: we checked none of it. */
    on_time_of_checked: percent.nullable(),
    /** As `observed`. */
    checked: percent.nullable(),
  }),
  /** The first day of the record; null: there is none yet. */
  recorded_from: day.nullable(),
  /** All partners together; null: nothing is counted. */
  total: z.object(Shares).nullable(),
  /** How many have shares, one that moved to another partner once. */
  endpoint_count: z.int(),
  /** Most overdue first. */
  partners: z.array(
    z.object({
      partner_name: z.string(),
      ...Part,
      /** How many were opened; null: not recorded for all of the month. */
      incidents: z.int().nullable(),
      endpoints: z.array(z.object({ id: z.string(), endpoint_key: z.string(), ...Part })),
    }),
  ),
  /** Endpoints without a schedule all the time that they were there: they can't be on time or overdue. */
  apart: z.array(
    z.object({
      id: z.string(),
      endpoint_key: z.string(),
      partner_name: z.string(),
      kind: z.enum(["webhook", "paused"]),
    }),
  ),
});
export type ReportView = z.infer<typeof ReportView>;
export type ReportPartner = ReportView["partners"][number];
export type ReportEndpoint = ReportPartner["endpoints"][number];
export type ReportDayCell = z.infer<typeof DayCell>;

/**
 * `GET report/days?range=90d|1y&partner&endpoint`; the default is 90d. Days as they were rolled up, those that
 * weren't yet as the record has them, today as far as it has passed.
 */
export const ReportDaysView = z.object({
  range: z.enum(REPORT_RANGES),
  /** The first and the last day of the range, on record or not. */
  from: day,
  until: day,
  /** `[day, on_time, overdue, planned_quiet, not_observed, worst]`, ascending; days without a record are left out. */
  days: z.array(
    z.tuple([day, percent, percent, percent, percent, z.enum(OVERDUE_VERDICTS).nullable()]),
  ),
});
export type ReportDaysView = z.infer<typeof ReportDaysView>;
