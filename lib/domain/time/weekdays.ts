import { DAY_MS } from "./units";

/** Monday first, as in the day picker. */
export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** Of a date such as "2026-11-19". */
export function weekdayOf(day: string): Weekday {
  // 1970-01-05 was a Monday.
  const since = Math.round((Date.parse(`${day}T00:00:00Z`) - 4 * DAY_MS) / DAY_MS);
  return WEEKDAYS[((since % 7) + 7) % 7] ?? "mon";
}
