import { calendar, hasDate } from "@/lib/domain/time/calendar";
import { DAY_MS } from "@/lib/domain/time/units";
import { zoneName } from "@/lib/domain/time/zone-name";
import { MONTHS } from "@/lib/domain/time/calendar-names";
import { NOT_KNOWN, date } from "./format";

/**
 * Dates, and times in sentences. In a separate file because no page needs them for its first load. Instants are epoch
 * milliseconds; a `timeZone` is an IANA name, and an unknown one throws a RangeError.
 */

/** "Fri 13", under a day's mark on an axis. */
export function dayOfMonth(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const { weekday, day } = calendar(ms, timeZone);
  return `${weekday} ${Number(day)}`;
}

/** "5 Nov", for marks more than a day apart. */
export function dayAndMonth(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const { day, month } = calendar(ms, timeZone);
  return `${Number(day)} ${MONTHS[Number(month) - 1]}`;
}

/** "3 Nov 2026" */
export function dayMonthYear(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  return `${dayAndMonth(ms, timeZone)} ${calendar(ms, timeZone).year}`;
}

/** "Mon 30 Nov" */
export function weekdayAndDate(ms: number, timeZone: string): string {
  return hasDate(ms) ? date(calendar(ms, timeZone)) : NOT_KNOWN;
}

/** "9 Nov 2026, 09:12" */
export function dateAndTime(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const { hour, minute } = calendar(ms, timeZone);
  return `${dayMonthYear(ms, timeZone)}, ${hour}:${minute}`;
}

/** "at 14:02 UTC on Thu 19 Nov": unambiguous for readers in other zones and on other days. */
export function zonedMoment(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return "at an unknown time";
  const at = calendar(ms, timeZone);
  return `at ${at.hour}:${at.minute} ${zoneName(ms, timeZone)} on ${date(at)}`;
}

/** "Mon 23 Nov 2026, 07:22 CET": at the head of a letter. */
export function fullMoment(ms: number, timeZone: string): string {
  if (!hasDate(ms)) return NOT_KNOWN;
  const at = calendar(ms, timeZone);
  return `${date(at)} ${at.year}, ${at.hour}:${at.minute} ${zoneName(ms, timeZone)}`;
}

/** A time in a sentence, with the date unless it is today: "13:22", "Wed 18 Nov, 18:20". */
export function datedMoment(ms: number, nowMs: number, timeZone: string): string {
  const { day, time } = dayAndTime(ms, nowMs, timeZone);
  return day === "" ? time : `${day}, ${time}`;
}

/** Like `datedMoment`, after a verb: "at 13:22", "on Wed 18 Nov at 18:20". */
export function atMoment(ms: number, nowMs: number, timeZone: string): string {
  const { day, time } = dayAndTime(ms, nowMs, timeZone);
  return day === "" ? `at ${time}` : `on ${day} at ${time}`;
}

const WEEKDAYS: Readonly<Record<string, string>> = {
  Mon: "Monday",
  Tue: "Tuesday",
  Wed: "Wednesday",
  Thu: "Thursday",
  Fri: "Friday",
  Sat: "Saturday",
  Sun: "Sunday",
};

/** "Sunday 12:15", for a time of the six days before today; null for any other. */
export function weekdayMoment(ms: number, nowMs: number, timeZone: string): string | null {
  if (ms > nowMs || nowMs - ms >= 6 * DAY_MS) return null;
  const { day, time } = dayAndTime(ms, nowMs, timeZone);
  return day === "" ? null : `${WEEKDAYS[calendar(ms, timeZone).weekday]} ${time}`;
}

/** `day` is empty for today, and includes the year if it is another one. */
function dayAndTime(ms: number, nowMs: number, timeZone: string): { day: string; time: string } {
  if (!hasDate(ms) || !hasDate(nowMs)) return { day: "", time: "an unknown time" };
  const at = calendar(ms, timeZone);
  const now = calendar(nowMs, timeZone);
  const time = `${at.hour}:${at.minute}`;
  if (at.year !== now.year) return { day: `${date(at)} ${at.year}`, time };
  return { day: at.day === now.day && at.month === now.month ? "" : date(at), time };
}
