import type { Weekday } from "@/lib/domain/time/weekdays";

/**
 * A promise to a customer: data received by a local time on given days. Code says deadline; JSON and pages say promise.
 * Dates are "2026-11-26", times of day "07:00", both in the deadline's zone.
 */

/** Maximum number of a company's deadlines. */
export const MAX_DEADLINES = 2_000;
/** Maximum number of those for the same endpoint, the same partner, or all of the company. */
export const MAX_PER_SCOPE = 20;
export const MAX_HOLIDAYS = 400;
export const MAX_MONTH_DAYS = 10;
/** Maximum length of a note, in characters. */
export const LONGEST_DEADLINE_NOTE = 1_000;
/** Longest allowance, minutes. */
export const LONGEST_ALLOWANCE = 24 * 60;
/** How long landings of feeds with a deadline are kept, days. */
export const LANDING_DAYS_KEPT = 400;

/** Days of a month that have no number. Workdays are Monday to Friday without the deadline's holidays. */
export const NAMED_MONTH_DAYS = ["last", "first_workday", "last_workday"] as const;
export type MonthDay = number | (typeof NAMED_MONTH_DAYS)[number];

/** On which days data is due, by when, and what counts. */
export type DeadlineRule = {
  /** "07:00" */
  by: string;
  /** Weekdays; null: `monthDays` says which days. */
  days: readonly Weekday[] | null;
  /** Days of the month, 1 to 31 or named; one that a month lacks doesn't occur. Null: `days` says which. */
  monthDays: readonly MonthDay[] | null;
  /** Current IANA name. */
  timeZone: string;
  /** Data counts from this time of the same day on; null: from two cadences before, or the day's start. */
  dataFrom: string | null;
  /** Dates without a deadline; nothing moves. */
  holidays: readonly string[];
  allowanceMinutes: number;
  /** First and last date; null: unbounded. */
  from: string | null;
  until: string | null;
};

/** What a deadline applies to: one endpoint, all of a partner's, or all of the company (both null). */
export type DeadlineScope = { partner: string | null; endpointId: string | null };

/** A deadline with its lifetime. Instants are epoch milliseconds on the API's clock. */
export type Deadline = DeadlineRule &
  DeadlineScope & {
    id: string;
    /** Deadlines due before it was made aren't judged. */
    madeMs: number;
    /** When it was deleted; null: it wasn't. */
    endedMs: number | null;
  };

/**
 * The outcomes of a closed day, as they decide the day of several feeds: the first of them that one has. An excused feed
 * wasn't judged, so it doesn't keep the day of the others from being met; one that wasn't checked does, since it may have
 * missed it.
 */
export const DAY_OUTCOMES = ["missed", "not_observed", "met", "excused"] as const;
export type DayOutcome = (typeof DAY_OUTCOMES)[number];

/** Why a day is excused. */
export const EXCUSES = ["planned_quiet", "paused", "not_reported"] as const;
export type Excuse = (typeof EXCUSES)[number];

/** States of a feed's current deadline, most urgent first; for lists, and for several feeds as `DAY_OUTCOMES`. */
export const PROMISE_STATES = [
  "missed",
  "at_risk",
  "being_checked",
  "open",
  "not_observed",
  "met",
  "excused",
] as const;
export type PromiseState = (typeof PROMISE_STATES)[number];
