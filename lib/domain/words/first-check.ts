import { clockTime, duration } from "./format";

/** A check due within this time is shown as in progress. */
const SOON_MS = 60_000;

/**
 * "First check in about 12 m, at 14:05": when a queued company is checked first.
 * @param nextMs when its result may be available, epoch milliseconds; null: unknown
 * @returns null if it is due within a minute, or unknown
 */
export function firstCheckText(
  nextMs: number | null,
  nowMs: number,
  timeZone: string,
): string | null {
  if (nextMs === null || nextMs - nowMs < SOON_MS) return null;
  return `First check in about ${duration(nextMs - nowMs)}, at ${clockTime(nextMs, timeZone)}`;
}
