import { zoneOffsetMs } from "./calendar";
import { MINUTE_MS, DAY_MS } from "./units";

/**
 * When the clock on the wall first shows a time of a day. Where the clocks jump over it, the moment they jump.
 * @param day "2026-11-19"
 * @param minutes since midnight by that clock; 1,440 is the midnight that ends the day
 * @returns epoch milliseconds
 */
export function wallTimeMs(day: string, minutes: number, timeZone: string): number {
  return firstShownMs(Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS, timeZone);
}

/** The same. @param wallMs what the clock shows, as epoch milliseconds if it were UTC */
export function firstShownMs(wallMs: number, timeZone: string): number {
  const before = zoneOffsetMs(wallMs - DAY_MS, timeZone);
  const after = zoneOffsetMs(wallMs + DAY_MS, timeZone);
  const shown = [wallMs - before, wallMs - after].filter(
    (ms) => ms + zoneOffsetMs(ms, timeZone) === wallMs,
  );
  if (shown.length > 0) return Math.min(...shown);
  // The jump lies between both readings of it, on a whole minute.
  let [low, high] = [wallMs - after, wallMs - before].map((ms) => Math.floor(ms / MINUTE_MS));
  while (low !== undefined && high !== undefined && high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zoneOffsetMs(middle * MINUTE_MS, timeZone) === before) low = middle;
    else high = middle;
  }
  return (high ?? 0) * MINUTE_MS;
}
