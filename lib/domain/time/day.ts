import { zoneOffsetMs } from "./calendar";
import { firstShownMs } from "./wall-time";
import { DAY_MS } from "./units";

/**
 * The day that an instant falls on, as a date field holds it: "2026-11-19".
 * @param ms epoch milliseconds
 */
export function dayOf(ms: number, timeZone: string): string {
  return localTimeOf(ms, timeZone).slice(0, 10);
}

/**
 * When a day begins.
 * @param day "2026-11-19"
 * @returns epoch milliseconds; null for what is no day
 */
export function dayStartMs(day: string, timeZone: string): number | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? localTimeMs(`${day}T00:00`, timeZone) : null;
}

/**
 * When a clock on a wall first shows a time. Where the clocks jump over it, the moment they jump.
 * @param local as a field of date and time holds it: "2026-11-19T17:00"
 * @returns epoch milliseconds; null for what is no time
 */
export function localTimeMs(local: string, timeZone: string): number | null {
  const wallMs = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local)
    ? Date.parse(`${local}:00Z`)
    : Number.NaN;
  return Number.isNaN(wallMs) ? null : firstShownMs(wallMs, timeZone);
}

/** What a field of date and time holds at an instant: "2026-11-19T17:00". @param ms epoch milliseconds */
export function localTimeOf(ms: number, timeZone: string): string {
  return new Date(ms + zoneOffsetMs(ms, timeZone)).toISOString().slice(0, 16);
}

/** When a day is over: the begin of the next one, however many hours it has. */
export function dayEndMs(day: string, timeZone: string): number | null {
  const startMs = dayStartMs(day, "UTC");
  return startMs === null ? null : dayStartMs(dayOf(startMs + DAY_MS, "UTC"), timeZone);
}
