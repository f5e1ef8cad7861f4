import { DAY_MS } from "@/lib/domain/time/units";

/** Whether a text is a calendar date in the format "2026-11-26". */
export function isDate(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** Number of days of a date's month. */
export function daysInMonth(date: string): number {
  const firstMs = Date.parse(`${date.slice(0, 7)}-01T00:00:00Z`);
  const next = new Date(firstMs + 31 * DAY_MS).toISOString().slice(0, 7);
  return Math.round((Date.parse(`${next}-01T00:00:00Z`) - firstMs) / DAY_MS);
}
