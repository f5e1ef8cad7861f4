import type { Param } from "@/lib/client/address/address-params";
import { instantMs, iso } from "@/lib/domain/time/instant";
import { dayOf, dayStartMs, localTimeMs } from "@/lib/domain/time/day";
import { clockTime } from "@/lib/domain/words/format";
import { MINUTE_MS, DAY_MS } from "@/lib/domain/time/units";

/** Start of the range of changes. */

export const SINCES = ["looked", "yesterday", "day", "week", "other"] as const;
export type Since = (typeof SINCES)[number];

/** End of a working day. */
const EVENING = "17:00";

/** `?since=2026-11-20T16:40:00Z`: epoch milliseconds; null: since the last visit. */
export const sinceParam: Param<number> = {
  parse: instantMs,
  format: sinceText,
  absent: null,
};

/** A moment as stored in an address: with seconds, for sharing. */
export function sinceText(ms: number): string {
  return iso(ms).replace(/\.\d+Z$/, "Z");
}

/**
 * The moment of a choice, epoch milliseconds. "Other" starts with the previous one.
 * @param beforeMs the moment shown so far
 */
export function momentOf(
  since: Exclude<Since, "looked">,
  { nowMs, beforeMs, timeZone }: { nowMs: number; beforeMs: number; timeZone: string },
): number {
  const atMinuteMs = Math.floor(nowMs / MINUTE_MS) * MINUTE_MS;
  if (since === "day") return atMinuteMs - DAY_MS;
  if (since === "week") return atMinuteMs - 7 * DAY_MS;
  if (since === "other") return beforeMs;
  const todayMs = dayStartMs(dayOf(nowMs, timeZone), timeZone) ?? nowMs;
  const yesterday = dayOf(todayMs - 1, timeZone);
  return localTimeMs(`${yesterday}T${EVENING}`, timeZone) ?? todayMs - DAY_MS;
}

/** As a date and time field holds it. */
export function fieldOf(ms: number, timeZone: string): string {
  return `${dayOf(ms, timeZone)}T${clockTime(ms, timeZone)}`;
}
