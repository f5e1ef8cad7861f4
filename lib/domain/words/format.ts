import { calendar, hasDate, type Calendar } from "@/lib/domain/time/calendar";
import { MONTHS } from "@/lib/domain/time/calendar-names";
import { zoneName } from "@/lib/domain/time/zone-name";
import { SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

/**
 * Numbers, durations and times for display. Instants are epoch milliseconds; a `timeZone` is an IANA name, and an
 * unknown one throws a RangeError.
 */

/** Shown for an invalid instant or duration. */
export const NOT_KNOWN = "not known";

// Durations

/** An age or a lateness, rounded down, at most two units: "41 s", "9 m", "1 h 06 m", "3 d 4 h". */
export function duration(ms: number): string {
  if (!Number.isFinite(ms)) return NOT_KNOWN;
  if (ms < MINUTE_MS) return `${whole(Math.max(0, ms), SECOND_MS)} s`;
  if (ms < HOUR_MS) return `${whole(ms, MINUTE_MS)} m`;
  // Hours up to two days, so that "26 h 12 m" compares easily with a daily cadence.
  if (ms < 2 * DAY_MS) return `${whole(ms, HOUR_MS)} h ${padded(whole(ms % HOUR_MS, MINUTE_MS))} m`;
  return `${whole(ms, DAY_MS)} d ${whole(ms % DAY_MS, HOUR_MS)} h`;
}

/** As much of a duration as `duration` shows: what follows its last unit is cut off. */
export function shownMs(ms: number): number {
  const unitMs = ms < MINUTE_MS ? SECOND_MS : ms < 2 * DAY_MS ? MINUTE_MS : HOUR_MS;
  return whole(ms, unitMs) * unitMs;
}

/** Duration of a run: "14 s", "1 m 32 s", "10 m 00 s", "1 h 04 m". */
export function runDuration(ms: number): string {
  if (!Number.isFinite(ms) || ms < MINUTE_MS || ms >= HOUR_MS) return duration(ms);
  return `${whole(ms, MINUTE_MS)} m ${padded(whole(ms % MINUTE_MS, SECOND_MS))} s`;
}

/** A cadence or an allowance, without empty units: "30 m", "2 h", "1 h 30 m", "24 h". */
export function span(ms: number): string {
  return duration(ms).replace(/ 0+ [mh]$/, "");
}

/** "9 m ago" */
export function ago(ms: number): string {
  return Number.isFinite(ms) ? `${duration(ms)} ago` : NOT_KNOWN;
}

/** A count with thousands separators: "7,683". */
export function count(value: number): string {
  return String(Math.round(value)).replaceAll(/\B(?=(?:\d{3}){1,7}$)/g, ",");
}

/** "1 file", "7,683 files"; `thing` gets an s unless the amount is 1. */
export function counted(amount: number, thing: string): string {
  return `${count(amount)} ${thing}${amount === 1 ? "" : "s"}`;
}

/** "both", "all 3": before what there are that many of, at least two. */
export function allOf(amount: number): string {
  return amount === 2 ? "both" : `all ${count(amount)}`;
}

function whole(ms: number, unitMs: number): number {
  return Math.floor(ms / unitMs);
}

/** "07" */
export function padded(value: number): string {
  return String(value).padStart(2, "0");
}

// Clock times

/** "14:21" */
export function clockTime(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const { hour, minute } = calendar(ms, timeZone);
  return `${hour}:${minute}`;
}

/** "14:32:07", for the running clock and for "as of". */
export function clockTimeWithSeconds(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const { hour, minute, second } = calendar(ms, timeZone);
  return `${hour}:${minute}:${second}`;
}

/** "Thu 19 Nov 2026, CET" */
export function dayAndZone(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const at = calendar(ms, timeZone);
  return `${date(at)} ${at.year}, ${zoneName(ms, timeZone)}`;
}

/** "12:22:07 CET, Thu 19 Nov 2026": for tooltips and details. */
export function absoluteTime(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const at = calendar(ms, timeZone);
  return `${at.hour}:${at.minute}:${at.second} ${zoneName(ms, timeZone)}, ${date(at)} ${at.year}`;
}

/** A short time, with the day unless it is today: "13:22", "Wed 18:20", "Thu 19 Nov, 18:20". */
export function moment(ms: number, nowMs: number, timeZone: string): string {
  if (!hasDate(ms) || !hasDate(nowMs)) return NOT_KNOWN;
  const at = calendar(ms, timeZone);
  const now = calendar(nowMs, timeZone);
  const time = `${at.hour}:${at.minute}`;
  if (at.day === now.day && at.month === now.month && at.year === now.year) return time;
  // At most six days, so that the weekday is unambiguous.
  if (Math.abs(ms - nowMs) < 6 * DAY_MS) return `${at.weekday} ${time}`;
  return at.year === now.year ? `${date(at)}, ${time}` : `${date(at)} ${at.year}, ${time}`;
}

/** A `moment` for narrow columns: of "Thu 19 Nov, 18:20" only the day; within the week it is unchanged. */
export function narrowMoment(text: string): string {
  return text.split(",")[0] ?? text;
}

/** "Thu 19 Nov" */
export function date({ weekday, day, month }: Calendar): string {
  return `${weekday} ${Number(day)} ${MONTHS[Number(month) - 1]}`;
}

/** "4 m to 2 h 10 m", youngest to oldest; a single value if both are displayed alike. */
export function ageRange({
  youngestMs,
  oldestMs,
}: {
  youngestMs: number;
  oldestMs: number;
}): string {
  const [youngest, oldest] = [duration(youngestMs), duration(oldestMs)];
  return youngest === oldest ? youngest : `${youngest} to ${oldest}`;
}
