import { MINUTE_MS } from "@/lib/domain/time/units";
import { clockTime, moment, nextSyncText, NOT_KNOWN } from "./format";

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
  // The column is narrow, and "overdue" beside it says that the time has passed.
  if (nextMs <= apiNowMs - MINUTE_MS)
    return { nextIn: `due ${moment(nextMs, apiNowMs, timeZone)}`, nextAt: "" };
  return {
    nextIn: nextSyncText(nextMs, apiNowMs, timeZone),
    nextAt: nextMs <= apiNowMs ? "" : clockTime(nextMs, timeZone),
  };
}
