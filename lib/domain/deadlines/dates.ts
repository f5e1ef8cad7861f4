import { DAY_MS } from "@/lib/domain/time/units";

/** Outside these years a few days more or less would leave the years of four digits. */
const [FIRST, LAST] = ["1970-01-01", "9998-12-31"];

/** Whether a text is a calendar date of the years 1970 to 9998 in the format "2026-11-26". */
export function isDate(text: string): boolean {
  if (text < FIRST || text > LAST) return false;
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** Number of days of a date's month. */
export function daysInMonth(date: string): number {
  const firstMs = Date.parse(`${date.slice(0, 7)}-01T00:00:00Z`);
  const next = new Date(firstMs + 31 * DAY_MS).toISOString().slice(0, 7);
  return Math.round((Date.parse(`${next}-01T00:00:00Z`) - firstMs) / DAY_MS);
}
