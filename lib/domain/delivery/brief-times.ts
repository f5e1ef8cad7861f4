import type { Period } from "@/lib/domain/history";
import { daysWithin } from "@/lib/domain/quiet/planned-quiet";
import { minutesOf } from "@/lib/domain/time/day";
import { wallTimeMs } from "@/lib/domain/time/wall-time";
import type { BriefTimes } from "./rule";

/** When briefs are due within a range, ascending epoch milliseconds; its start is excluded, its end included. */
export function briefTimesBetween(
  { days, at, time_zone: timeZone }: BriefTimes,
  within: Period,
): number[] {
  const minutes = minutesOf(at);
  if (minutes === null) return [];
  return daysWithin(days, timeZone, within)
    .map((day) => wallTimeMs(day, minutes, timeZone))
    .filter((ms) => within.fromMs < ms && ms <= within.untilMs);
}
