import { zoneName } from "@/lib/domain/time/zone-name";
import { atMoment, datedMoment, weekdayMoment } from "@/lib/domain/words/dates";

/** Formats times for customers. Instants are epoch milliseconds on the API's clock. */
export type ReadingClock = {
  nowMs: number;
  /** IANA name. */
  timeZone: string;
  /** "14:45 CET", "Wed 18 Nov, 14:45"; the zone is named the first time, and when it changes. */
  at(ms: number): string;
  /** "at 14:45", "on Wed 18 Nov at 14:45 CET" */
  on(ms: number): string;
  /** A time that has passed, after a verb: "at 14:45", "Sunday 14:45", "on Wed 18 Nov at 14:45" */
  passed(ms: number): string;
  /** A time that has passed, after "by": "14:45", "Sunday 14:45", "Wed 18 Nov, 14:45" */
  passedBy(ms: number): string;
};

/** @param timeZone the customer's time zone, an IANA name */
export function createReadingClock({
  nowMs,
  timeZone,
}: {
  nowMs: number;
  timeZone: string;
}): ReadingClock {
  let namedZone = "";
  const withZone = (text: string, ms: number) => {
    const zone = zoneName(ms, timeZone);
    if (zone === namedZone) return text;
    namedZone = zone;
    return `${text} ${zone}`;
  };
  return {
    nowMs,
    timeZone,
    at: (ms) => withZone(datedMoment(ms, nowMs, timeZone), ms),
    on: (ms) => withZone(atMoment(ms, nowMs, timeZone), ms),
    passed: (ms) =>
      withZone(weekdayMoment(ms, nowMs, timeZone) ?? atMoment(ms, nowMs, timeZone), ms),
    passedBy: (ms) =>
      withZone(weekdayMoment(ms, nowMs, timeZone) ?? datedMoment(ms, nowMs, timeZone), ms),
  };
}
