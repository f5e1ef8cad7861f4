import { WEEKDAYS, type Weekday } from "@/lib/domain/time/weekdays";
import { listed } from "@/lib/domain/text/listed";
import { DAY_LABEL, ordinal } from "@/lib/domain/time/calendar-names";

/** On which days and by when data is promised, as the JSON has it. */
export type PromisedTimes = {
  /** "07:00"; empty: not entered yet */
  by: string;
  days?: readonly Weekday[] | null | undefined;
  month_days?: readonly (number | "last" | "first_workday" | "last_workday")[] | null | undefined;
};

const NAME: Readonly<Record<Weekday, string>> = {
  mon: "Mondays",
  tue: "Tuesdays",
  wed: "Wednesdays",
  thu: "Thursdays",
  fri: "Fridays",
  sat: "Saturdays",
  sun: "Sundays",
};
const WORKDAYS = "mon tue wed thu fri";

/** "by 07:00 on workdays", "by 09:00 on the 1st and the last workday of the month" */
export function promisedText(times: PromisedTimes): string {
  const by = times.by === "" ? "" : `by ${times.by}`;
  return `${by} ${daysText(times)}`.trim();
}

/** "on workdays", "every day", "on Mondays", "on Mon, Wed and Fri", "on the 1st and 15th of the month"; empty without a day */
export function daysText({ days, month_days: monthDays }: Partial<PromisedTimes>): string {
  if (monthDays != null && monthDays.length > 0)
    return `on the ${listed(monthDays.map(monthDayText))} of the month`;
  const own = WEEKDAYS.filter((day) => days?.includes(day) === true);
  const [first] = own;
  if (first === undefined) return "";
  if (own.length === 7) return "every day";
  if (own.join(" ") === WORKDAYS) return "on workdays";
  if (own.join(" ") === "sat sun") return "at weekends";
  if (own.length === 1) return `on ${NAME[first]}`;
  return `on ${listed(own.map((day) => DAY_LABEL[day]))}`;
}

/** "1st", "last day", "first workday" */
export function monthDayText(day: number | "last" | "first_workday" | "last_workday"): string {
  if (day === "last") return "last day";
  if (typeof day === "string") return day.replace("_", " ");
  return ordinal(day);
}
