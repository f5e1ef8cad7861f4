import type { KeptDay, RehearsedDay } from "@/lib/contracts/promises";
import { minutesOf } from "@/lib/domain/time/day";
import { moment, padded } from "@/lib/domain/words/format";
import { HOUR_MS } from "@/lib/domain/time/units";

/** Hours from the promised time, whole. */
export type HourScale = { from: number; until: number; ticks: readonly HourTick[] };
/** `percent` of the width; `label`: "06:00", the local time. */
export type HourTick = { percent: number; label: string };

/** What is drawn for a day, in percent of the width. */
export type DayMark =
  | { kind: "dot"; at: number }
  /** A bar from the promised time. */
  | { kind: "bar"; from: number; until: number }
  | { kind: "hatched" | "excused" };

const WIDEST_HOURS = 12;
/** More would overlap on a phone. */
const MAX_TICKS = 6;
const DAY_MINUTES = 24 * 60;

/**
 * A scale that has all data of the days, but at most twelve hours on either side of the promised time.
 * @param by "07:00", the promised time
 */
export function hourScale(days: readonly KeptDay[], by: string): HourScale {
  const hours = days.flatMap((day) => hoursFromDue(day) ?? []);
  const from = Math.max(-WIDEST_HOURS, Math.min(-1, Math.floor(Math.min(0, ...hours))));
  const until = Math.min(WIDEST_HOURS, Math.max(1, Math.ceil(Math.max(0, ...hours))));
  const step = Math.ceil((until - from) / MAX_TICKS);
  const minutes = minutesOf(by) ?? 0;
  const ticks: HourTick[] = [];
  for (let hour = Math.ceil(from / step) * step; hour <= until; hour += step) {
    const at = (minutes + hour * 60 + DAY_MINUTES) % DAY_MINUTES;
    // The line has its own label.
    if (hour !== 0)
      ticks.push({
        percent: percentAt(hour, { from, until }),
        label: `${padded(Math.floor(at / 60))}:${padded(at % 60)}`,
      });
  }
  return { from, until, ticks };
}

/** Position of the promised time, in percent of the width. */
export function dueAt(scale: HourScale): number {
  return percentAt(0, scale);
}

/** A day on a scale. Data outside of it is at its edge. */
export function dayMark(day: KeptDay, scale: HourScale): DayMark {
  if (day.outcome === "not_observed") return { kind: "hatched" };
  if (day.outcome === "excused") return { kind: "excused" };
  const hours = hoursFromDue(day);
  const at = percentAt(hours ?? scale.until, scale);
  return day.outcome === "met"
    ? { kind: "dot", at }
    : { kind: "bar", from: dueAt(scale), until: at };
}

/** When a day's data came, and when it was warned of: "09:10", or "Tue 00:14" if that isn't the day itself; null: never. */
export function dayTimes(
  { due_at: due, received_at: received, warned_at: warned }: RehearsedDay,
  timeZone: string,
): { at: string | null; warned: string | null } {
  const timeOf = (instant: string | null) =>
    instant === null ? null : moment(Date.parse(instant), Date.parse(due), timeZone);
  return { at: timeOf(received), warned: timeOf(warned) };
}

/** Where the words of a bar are, so that they stay within the chart. @returns position in percent of the width */
export function wordsPlace({ from, until }: Extract<DayMark, { kind: "bar" }>): {
  at: number;
  side: "after" | "on" | "before";
} {
  if (until <= 60) return { at: until, side: "after" };
  return from < 45 ? { at: (from + until) / 2, side: "on" } : { at: from, side: "before" };
}

/** Hours from the promised time to the data; null: no data. */
function hoursFromDue({ due_at: due, received_at: received }: KeptDay): number | null {
  return received === null ? null : (Date.parse(received) - Date.parse(due)) / HOUR_MS;
}

function percentAt(hour: number, { from, until }: Pick<HourScale, "from" | "until">): number {
  const within = Math.min(until, Math.max(from, hour));
  return Math.round(((within - from) / (until - from)) * 1000) / 10;
}
