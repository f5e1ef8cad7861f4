import { zoneOffsetMs } from "./calendar";
import { firstShownMs } from "./wall-time";
import { DAY_MS } from "./units";

/**
 * The date of an instant, in the format of a date field: "2026-11-19".
 * @param ms epoch milliseconds
 */
export function dayOf(ms: number, timeZone: string): string {
  return localTimeOf(ms, timeZone).slice(0, 10);
}

/**
 * Start of a day.
 * @param day "2026-11-19"
 * @returns epoch milliseconds; null if it isn't a date
 */
export function dayStartMs(day: string, timeZone: string): number | null {
  return /^\d{4}-\d{2}-\d{2}$/.test(day) ? localTimeMs(`${day}T00:00`, timeZone) : null;
}

/**
 * The first instant at which local clocks show a time; if they skip it, the instant of the jump.
 * @param local in the format of a datetime field: "2026-11-19T17:00"
 * @returns epoch milliseconds; null if it isn't a time
 */
export function localTimeMs(local: string, timeZone: string): number | null {
  const wallMs = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(local)
    ? Date.parse(`${local}:00Z`)
    : Number.NaN;
  return Number.isNaN(wallMs) ? null : firstShownMs(wallMs, timeZone);
}

/** An instant in the format of a datetime field: "2026-11-19T17:00". @param ms epoch milliseconds */
export function localTimeOf(ms: number, timeZone: string): string {
  return new Date(ms + zoneOffsetMs(ms, timeZone)).toISOString().slice(0, 16);
}

/** End of a day: the start of the next one, however many hours it has. */
export function dayEndMs(day: string, timeZone: string): number | null {
  return dayStartMs(day, "UTC") === null ? null : dayStartMs(addDays(day, 1), timeZone);
}

/** The date some days after another; negative: before it. */
export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** Minutes since midnight of "06:30"; "24:00" is 1,440. @returns null if it isn't a time of day */
export function minutesOf(time: string): number | null {
  const [, hours, minutes] = /^(\d{2}):([0-5]\d)$/.exec(time) ?? [];
  if (hours === undefined || minutes === undefined) return null;
  const sum = Number(hours) * 60 + Number(minutes);
  return sum <= 1440 ? sum : null;
}
