import type { Weekday } from "./weekdays";

export const MONTH_NAMES =
  "January February March April May June July August September October November December".split(
    " ",
  );

/** "Jan" */
export const MONTHS = MONTH_NAMES.map((name) => name.slice(0, 3));

/** "October" @param month "2026-10", or a day of it */
export function monthName(month: string): string {
  return MONTH_NAMES[Number(month.slice(5, 7)) - 1] ?? month;
}

/** "October 2026" @param month "2026-10" */
export function monthAndYear(month: string): string {
  return `${monthName(month)} ${month.slice(0, 4)}`;
}

/** "14th" @param day "2026-10-14" */
export function dayOrdinal(day: string): string {
  return ordinal(Number(day.slice(8)));
}

/** "1st", "13th", "22nd" */
export function ordinal(value: number): string {
  const isTeen = value % 100 > 10 && value % 100 < 14;
  const ending = isTeen ? "th" : (["th", "st", "nd", "rd"][value % 10] ?? "th");
  return `${value}${ending}`;
}

export const DAY_LABEL: Readonly<Record<Weekday, string>> = {
  mon: "Mon",
  tue: "Tue",
  wed: "Wed",
  thu: "Thu",
  fri: "Fri",
  sat: "Sat",
  sun: "Sun",
};
