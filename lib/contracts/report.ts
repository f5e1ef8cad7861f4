import { z } from "zod";
import { PromiseCounts } from "./row-promise";
import { OVERDUE_VERDICTS } from "@/lib/domain/report/day-times";
import { REPORT_RANGES } from "@/lib/domain/report/report-day";

/**
 * The on-time report of a month, `GET /api/companies/[company]/report?month=2026-10`.
 * Shares are percentages of the month's time with one decimal, and those of one item sum to exactly 100.0 as displayed.
 * For the current month, only the elapsed time counts; `headline` has the checked share of it, and how much of that was
 * on time.
 */

/** "2026-10-14", a day in the report's time zone. */
export const ReportDay = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const percent = z.number().min(0).max(100);

const Shares = {
  on_time: percent,
  overdue: percent,
  planned_quiet: percent,
  not_observed: percent,
};

/** Runs that started in the month and had ended within an hour after the end of their day. */
const Runs = z.object({
  completed: z.int(),
  failed: z.int(),
  timed_out: z.int(),
  rate_limited: z.int(),
});

/**
 * `[overdue, planned_quiet, not_observed, worst]` of one day, in percent of its time; the rest was on time. Null: no
 * time of the day counts.
 */
export const DayCell = z
  .tuple([percent, percent, percent, z.enum(OVERDUE_VERDICTS).nullable()])
  .nullable();

const Part = {
  ...Shares,
  /** On time, in percent of the checked time; null: none was checked. */
  on_time_of_checked: percent.nullable(),
  /** Overdue, in percent of the checked time; null: none was checked. */
  overdue_of_checked: percent.nullable(),
  /** The longest continuous overdue time of a single endpoint, as observed. */
  longest_overdue_seconds: z.number(),
  /** The day on which it started; null: never overdue. */
  longest_overdue_day: ReportDay.nullable(),
  /** Its last day, which may be the same; null: never overdue. */
  longest_overdue_last_day: ReportDay.nullable(),
  /** The most frequent outcome of the endpoint's incomplete runs on those days; null: none. */
  longest_overdue_cause: z.enum(["failed", "timed_out", "rate_limited"]).nullable(),
  runs: Runs,
  /** One per day of the month. */
  days: z.array(DayCell),
};

export const ReportView = z.object({
  /** "2026-10" */
  month: z.string(),
  /** IANA name of the zone that defines the month's days. */
  time_zone: z.string(),
  /** Whether every day is rolled up, so that the report can't change any more. */
  closed: z.boolean(),
  /** The day on which it was closed; null: it isn't, or nothing of the month is recorded. */
  closed_on: ReportDay.nullable(),
  /** When the report of an open month was computed: ISO, on the API's clock; null: it is closed. */
  as_of: z.iso.datetime().nullable(),
  /** Observed share of the month's time, in percent; null: none has elapsed, or nothing has a schedule. */
  observed: percent.nullable(),
  headline: z.object({
    /** On time, in percent of the checked time; null: none was checked. */
    on_time_of_checked: percent.nullable(),
    /** Same as `observed`. */
    checked: percent.nullable(),
  }),
  /** The first day of the record; null: there is none yet. */
  recorded_from: ReportDay.nullable(),
  /** False while history from before the first check is still being loaded, newest first. */
  history_complete: z.boolean(),
  /** All partners together; null: nothing counts. */
  total: z.object(Shares).nullable(),
  /** Number of endpoints with shares; one that moved to another partner counts once. */
  endpoint_count: z.int(),
  /** Most overdue first. */
  partners: z.array(
    z.object({
      partner_name: z.string(),
      ...Part,
      /** Number of incidents opened; null: not recorded for the whole month. */
      incidents: z.int().nullable(),
      /** Closed days of its promises; null: none was closed. */
      promises: PromiseCounts.nullable(),
      /** Fleet incidents that those were part of, if several companies of it are visible to the caller; by time. */
      fleet_incidents: z.array(
        z.object({
          id: z.uuid(),
          /** When the first of the company's incidents in it opened, ISO on the API's clock. */
          opened_at: z.string(),
          /** Number of the company's incidents in it. */
          incidents: z.int(),
          /** Number of companies in it that are visible to the caller. */
          companies: z.int(),
        }),
      ),
      endpoints: z.array(
        z.object({
          id: z.string(),
          endpoint_key: z.string(),
          ...Part,
          promises: PromiseCounts.nullable(),
        }),
      ),
    }),
  ),
  /** Endpoints that never had a schedule: they can't be on time or overdue. */
  apart: z.array(
    z.object({
      id: z.string(),
      endpoint_key: z.string(),
      partner_name: z.string(),
      kind: z.enum(["webhook", "paused"]),
      promises: PromiseCounts.nullable(),
    }),
  ),
});
export type ReportView = z.infer<typeof ReportView>;
export type ReportPartner = ReportView["partners"][number];
export type ReportEndpoint = ReportPartner["endpoints"][number];
export type ReportDayCell = z.infer<typeof DayCell>;

/**
 * `GET report/days?range=90d|1y&partner&endpoint`; the default is 90d. Rolled-up days, later ones from the record, and
 * today's elapsed time.
 */
export const ReportDaysView = z.object({
  range: z.enum(REPORT_RANGES),
  /** The first and the last day of the range, recorded or not. */
  from: ReportDay,
  until: ReportDay,
  /** `[day, on_time, overdue, planned_quiet, not_observed, worst]`, ascending; days without a record are omitted. */
  days: z.array(
    z.tuple([ReportDay, percent, percent, percent, percent, z.enum(OVERDUE_VERDICTS).nullable()]),
  ),
});
export type ReportDaysView = z.infer<typeof ReportDaysView>;
