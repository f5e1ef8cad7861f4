import { MINUTE_MS } from "@/lib/domain/time/units";
import { clockTime, moment, nextSyncText, NOT_KNOWN } from "./format";

/** Of "Tue 19:26" the day, of "Thu 19 Nov, 18:20" "19 Nov": the columns are narrow. */
function shortMoment(ms: number, nowMs: number, timeZone: string): string {
  const day = /^(?:\w+ (?=\d+ ))?(.+?),? \d+:\d+$/.exec(moment(ms, nowMs, timeZone))?.[1];
  return day ?? clockTime(ms, timeZone);
}

const WAS_DUE = "was due ";

/** The next sync as distance and time: "in 6 m" and "14:26". */
export type NextTexts = {
  nextIn: string;
  /** Empty unless the sync is in the future. */
  nextAt: string;
};

/**
 * @param nextMs epoch milliseconds on the API's clock, as is `apiNowMs`; null: unknown
 * @param timeZone IANA name
 */
export function nextTexts(nextMs: number | null, apiNowMs: number, timeZone: string): NextTexts {
  if (nextMs === null) return { nextIn: NOT_KNOWN, nextAt: "" };
  if (nextMs <= apiNowMs - MINUTE_MS)
    return { nextIn: WAS_DUE + shortMoment(nextMs, apiNowMs, timeZone), nextAt: "" };
  return {
    nextIn: nextSyncText(nextMs, apiNowMs, timeZone),
    nextAt: nextMs <= apiNowMs ? "" : clockTime(nextMs, timeZone),
  };
}

/** What precedes a next sync where no column head names it: "next in 6 m", but "was due Wed". */
export const nextHere = (nextIn: string) => (nextIn.startsWith(WAS_DUE) ? "" : "next ");
