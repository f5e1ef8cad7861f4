import { MINUTE_MS } from "@/lib/domain/time/units";
import { clockTime, duration, moment, NOT_KNOWN } from "./format";

/** Of "Tue 19:26" the day, of "Thu 19 Nov, 18:20" "19 Nov": the columns are narrow. */
function shortMoment(ms: number, nowMs: number, timeZone: string): string {
  const day = /^(?:\w+ (?=\d+ ))?(.+?),? \d+:\d+$/.exec(moment(ms, nowMs, timeZone))?.[1];
  return day ?? clockTime(ms, timeZone);
}

/** The next sync as distance and time: "in 6 m" and "14:26". */
export type NextTexts = {
  /** What precedes it where no column head names it: "next"; empty before "was due Wed", and before nothing. */
  nextLabel: string;
  /** Empty: nothing is said of it. */
  nextIn: string;
  /** Empty unless the sync is in the future. */
  nextAt: string;
};

/** Where nothing is said of a next sync. */
export const NO_NEXT: NextTexts = { nextLabel: "", nextIn: "", nextAt: "" };

/** @param nextIn without a time, such as "after this run" */
export const nextTextOf = (nextIn: string): NextTexts => ({
  nextLabel: "next",
  nextIn,
  nextAt: "",
});

/** "in 13 m", "under 1 m", "now": it never counts down below a minute, because the API caches for one. */
function distanceText(aheadMs: number): string {
  if (aheadMs >= MINUTE_MS) return `in ${duration(aheadMs)}`;
  return aheadMs > 0 ? "under 1 m" : "now";
}

/**
 * @param nextMs epoch milliseconds on the API's clock, as is `apiNowMs`; null: unknown
 * @param timeZone IANA name
 */
export function nextTexts(nextMs: number | null, apiNowMs: number, timeZone: string): NextTexts {
  if (nextMs === null) return nextTextOf(NOT_KNOWN);
  if (nextMs <= apiNowMs - MINUTE_MS)
    return { ...NO_NEXT, nextIn: `was due ${shortMoment(nextMs, apiNowMs, timeZone)}` };
  return {
    ...nextTextOf(distanceText(nextMs - apiNowMs)),
    nextAt: nextMs <= apiNowMs ? "" : clockTime(nextMs, timeZone),
  };
}

/** The same; empty where no sync is scheduled. */
export const scheduledTexts = (
  nextMs: number | null,
  apiNowMs: number,
  timeZone: string,
): NextTexts => (nextMs === null ? NO_NEXT : nextTexts(nextMs, apiNowMs, timeZone));

/** Whether both render alike. */
export const sameNextTexts = (a: NextTexts, b: NextTexts) =>
  a.nextIn === b.nextIn && a.nextAt === b.nextAt;
