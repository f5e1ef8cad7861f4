import { zoneOffsetMs } from "./calendar";
import { MINUTE_MS, DAY_MS } from "./units";

/**
 * The first instant at which local clocks show a time of day; if they skip it, the instant of the jump.
 * @param day "2026-11-19"
 * @param minutes since midnight on that clock; 1,440 is the midnight at the end of the day
 * @returns epoch milliseconds
 */
export function wallTimeMs(day: string, minutes: number, timeZone: string): number {
  return firstShownMs(Date.parse(`${day}T00:00:00Z`) + minutes * MINUTE_MS, timeZone);
}

/**
 * `firstShownMs` for many times of one period: the zone's rules are looked up once.
 * @param within epoch milliseconds; the conversion is wrong for times less than two days from its ends
 * @throws RangeError for an unknown zone
 */
export function wallClock(
  timeZone: string,
  within: { fromMs: number; untilMs: number },
): (wallMs: number) => number {
  const eras = erasOf(timeZone, within);
  return (wallMs) => {
    for (const { fromMs, untilMs, offsetMs } of eras)
      // Before the era, the clocks skipped it.
      if (wallMs - offsetMs < untilMs) return Math.max(fromMs, wallMs - offsetMs);
    return wallMs;
  };
}

/** Periods of one offset, ascending. */
function erasOf(
  timeZone: string,
  within: { fromMs: number; untilMs: number },
): { fromMs: number; untilMs: number; offsetMs: number }[] {
  let last = {
    fromMs: -Infinity,
    untilMs: Infinity,
    offsetMs: zoneOffsetMs(within.fromMs, timeZone),
  };
  const eras = [last];
  for (let ms = within.fromMs + DAY_MS; ms <= within.untilMs; ms += DAY_MS) {
    const offsetMs = zoneOffsetMs(ms, timeZone);
    if (offsetMs === last.offsetMs) continue;
    // Clocks change on a whole minute.
    let [low, high] = [Math.floor((ms - DAY_MS) / MINUTE_MS), Math.ceil(ms / MINUTE_MS)];
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (zoneOffsetMs(middle * MINUTE_MS, timeZone) === offsetMs) high = middle;
      else low = middle;
    }
    last.untilMs = high * MINUTE_MS;
    last = { fromMs: last.untilMs, untilMs: Infinity, offsetMs };
    eras.push(last);
  }
  return eras;
}

/** Like `wallTimeMs`. @param wallMs the local time, as epoch milliseconds of the same time in UTC */
export function firstShownMs(wallMs: number, timeZone: string): number {
  const before = zoneOffsetMs(wallMs - DAY_MS, timeZone);
  const after = zoneOffsetMs(wallMs + DAY_MS, timeZone);
  const shown = [wallMs - before, wallMs - after].filter(
    (ms) => ms + zoneOffsetMs(ms, timeZone) === wallMs,
  );
  if (shown.length > 0) return Math.min(...shown);
  // The jump is between the two candidates, on a whole minute.
  let [low, high] = [wallMs - after, wallMs - before].map((ms) => Math.floor(ms / MINUTE_MS));
  while (low !== undefined && high !== undefined && high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (zoneOffsetMs(middle * MINUTE_MS, timeZone) === before) low = middle;
    else high = middle;
  }
  return (high ?? 0) * MINUTE_MS;
}
