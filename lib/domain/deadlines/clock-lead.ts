import { HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";

/**
 * By how much the API's clock is ahead of our clocks. A closed day stays closed, and one wrong `Date` header must not
 * close those of the weeks ahead.
 */
export type ClockLead = {
  /** Negative: behind. Milliseconds. */
  leadMs: number;
  /** Since when it has been about that, epoch milliseconds on our clock. */
  sinceMs: number;
};

const TOLERATED_MS = 10 * MINUTE_MS;
/** A lead that changes by more from one snapshot to the next is another one. */
const SAME_WITHIN_MS = MINUTE_MS;
/** A clock that has been ahead by the same for this long is taken at its word. */
const BELIEVED_AFTER_MS = HOUR_MS;

/**
 * The lead after a snapshot.
 * @param before after the one before; null: unknown
 * @param now epoch milliseconds on each clock
 */
export function clockLead(
  before: ClockLead | null,
  now: { apiMs: number; ownMs: number; databaseMs: number },
): ClockLead {
  const leadMs = now.apiMs - Math.min(now.ownMs, now.databaseMs);
  const isSame = before !== null && Math.abs(leadMs - before.leadMs) <= SAME_WITHIN_MS;
  return { leadMs, sinceMs: isSame ? before.sinceMs : now.ownMs };
}

/** Whether days may be closed by the API's clock. @param ownMs now, epoch milliseconds on our clock */
export function isConfirmed({ leadMs, sinceMs }: ClockLead, ownMs: number): boolean {
  return leadMs <= TOLERATED_MS || ownMs - sinceMs >= BELIEVED_AFTER_MS;
}
