import { firstMinuteShowing, localTime } from "./local-time";
import type { RecordedQuiet } from "./observations";
import { instant } from "./verdict-table";

/**
 * Planned quiet times by what docs and screens say of them; nothing here is from `lib/domain`. Instants are epoch
 * milliseconds on the API's clock.
 */

type Period = { fromMs: number; untilMs: number };
type Feed = { endpoint_id: string; partner_name: string };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const WEEKDAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];

/** Whether it is about a feed. */
export function concerns(quiet: RecordedQuiet, feed: Feed): boolean {
  if (quiet.endpoint_id !== null) return quiet.endpoint_id === feed.endpoint_id;
  return quiet.partner_name === null || quiet.partner_name === feed.partner_name;
}

/** Its parts that overlap a period, in no particular order. */
export function quietWithin(quiet: RecordedQuiet, { fromMs, untilMs }: Period): Period[] {
  const whole = {
    fromMs: Date.parse(quiet.from_at),
    untilMs: Math.min(instant(quiet.until_at) ?? Infinity, instant(quiet.ended_at) ?? Infinity),
  };
  const within = {
    fromMs: Math.max(whole.fromMs, fromMs),
    untilMs: Math.min(whole.untilMs, untilMs),
  };
  if (within.untilMs <= within.fromMs) return [];
  if (quiet.weekly === null) return [whole];
  return hoursWithin(quiet.weekly, within).map((hours) => ({
    fromMs: Math.max(hours.fromMs, whole.fromMs),
    untilMs: Math.min(hours.untilMs, whole.untilMs),
  }));
}

export function isQuietAt(quiet: RecordedQuiet, atMs: number): boolean {
  return quietWithin(quiet, { fromMs: atMs, untilMs: atMs + 1 }).some(
    (one) => one.fromMs <= atMs && atMs < one.untilMs,
  );
}

/** Hours of all dates that may overlap a period: those of a date may last until the end of the next one. */
function hoursWithin(
  { days, from, until, timeZone }: NonNullable<RecordedQuiet["weekly"]>,
  within: Period,
): Period[] {
  const midnightMs = (ms: number) => Date.parse(localTime(ms, timeZone).date);
  const lastMs = midnightMs(within.untilMs);
  const all: Period[] = [];
  for (let ms = midnightMs(within.fromMs) - DAY_MS; ms <= lastMs; ms += DAY_MS) {
    if (!days.includes(WEEKDAYS[new Date(ms).getUTCDay()] ?? "")) continue;
    const endsNextDay = minutesOf(until) <= minutesOf(from);
    all.push({
      fromMs: showing(ms, from, timeZone),
      untilMs: showing(ms + (endsNextDay ? DAY_MS : 0), until, timeZone),
    });
  }
  return all;
}

const known = new Map<string, number>();

/** When local clocks of a date show a time. @param dateMs the date's start in UTC */
function showing(dateMs: number, time: string, timeZone: string): number {
  const name = `${dateMs} ${time} ${timeZone}`;
  const ms = known.get(name) ?? firstMinuteShowing(dateMs + minutesOf(time) * MINUTE_MS, timeZone);
  known.set(name, ms);
  return ms;
}

/** @param time "24:00": the end of the day */
function minutesOf(time: string): number {
  const [hours = 0, minutes = 0] = time.split(":").map(Number);
  return 60 * hours + minutes;
}
