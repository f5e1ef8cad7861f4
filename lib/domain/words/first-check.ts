import { clockTime, duration } from "./format";

/** A check that comes sooner is in progress as far as anybody can tell. */
const SOON_MS = 60_000;

/**
 * "First check in about 12 m, at 14:05": when a company that has to wait for its turn is checked first.
 * @param nextMs when its result may be there, epoch milliseconds; null: not known
 * @returns null when it is due within a minute, or nobody knows
 */
export function firstCheckText(
  nextMs: number | null,
  nowMs: number,
  timeZone: string,
): string | null {
  if (nextMs === null || nextMs - nowMs < SOON_MS) return null;
  return `First check in about ${duration(nextMs - nowMs)}, at ${clockTime(nextMs, timeZone)}`;
}
