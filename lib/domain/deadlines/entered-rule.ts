import type { Weekday } from "@/lib/domain/time/weekdays";
import type { DeadlineRule, MonthDay } from "./deadline";

/** A promise as requests and answers have it, as far as its rule goes. */
export type EnteredPromise = {
  by: string;
  days?: readonly Weekday[] | null | undefined;
  month_days?: readonly MonthDay[] | null | undefined;
  time_zone: string;
  data_from?: string | null | undefined;
  holidays?: readonly string[] | null | undefined;
  allowance_minutes?: number | null | undefined;
  from?: string | null | undefined;
  until?: string | null | undefined;
};

/** The rule of a promise. */
export function ruleOf(given: EnteredPromise): DeadlineRule {
  return {
    by: given.by,
    days: given.days ?? null,
    monthDays: given.month_days ?? null,
    timeZone: given.time_zone,
    dataFrom: given.data_from ?? null,
    holidays: given.holidays ?? [],
    allowanceMinutes: given.allowance_minutes ?? 0,
    from: given.from ?? null,
    until: given.until ?? null,
  };
}
