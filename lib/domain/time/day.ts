import { zoneOffsetMs } from "@/lib/domain/words/format";

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/**
 * The day that an instant falls on, as a date field holds it: "2026-11-19".
 * @param ms epoch milliseconds
 */
export function dayOf(ms: number, timeZone: string): string {
  return new Date(ms + zoneOffsetMs(ms, timeZone)).toISOString().slice(0, 10);
}

/**
 * When a day begins.
 * @param day "2026-11-19"
 * @returns epoch milliseconds; null for what is no day
 */
export function dayStartMs(day: string, timeZone: string): number | null {
  return timeOfDayMs(day, 0, timeZone);
}

/**
 * A time of a day as the clock on the wall shows it.
 * @param day "2026-11-19"
 * @param minutes since midnight by that clock
 * @returns epoch milliseconds; null for what is no day
 */
export function timeOfDayMs(day: string, minutes: number, timeZone: string): number | null {
  const dayMs = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(dayMs)) return null;
  const utcMs = dayMs + minutes * MINUTE_MS;
  // The zone's offset at that very time, which may not be that of the same hour in UTC.
  return utcMs - zoneOffsetMs(utcMs - zoneOffsetMs(utcMs, timeZone), timeZone);
}

/** When a day is over: the begin of the next one, however many hours it has. */
export function dayEndMs(day: string, timeZone: string): number | null {
  const startMs = dayStartMs(day, "UTC");
  return startMs === null ? null : dayStartMs(dayOf(startMs + DAY_MS, "UTC"), timeZone);
}
