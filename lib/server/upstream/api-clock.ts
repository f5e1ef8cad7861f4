import { LRUCache } from "lru-cache";
import type { Clock } from "@/lib/server/clock";

/** Estimates the API's clock from the `Date` headers of its answers. */
export type ApiClock = {
  /**
   * @param dateMs `Date` of an answer, epoch milliseconds, cut to whole seconds
   * @param sentAtMs our monotonic clock when the request was sent
   * @param receivedAtMs our monotonic clock when its headers had come
   * @returns for how long answers have come with this very `Date`, milliseconds: no clock stands still, so where that
   *   is more than a second a cache on the way gives an old answer, and doesn't say so by `Age`
   */
  observe(dateMs: number, sentAtMs: number, receivedAtMs: number): number;
  /** The API's clock minus our wall clock, milliseconds; 0 while nothing says that they differ. */
  offsetMs(): number;
};

/** `Date` is cut to whole seconds: the true time lies up to this much later. */
const DATE_RESOLUTION_MS = 1_000;
/** More answers than any budget lets come within the minutes in which it matters. */
const DATES_REMEMBERED = 1_000;

/**
 * Every answer bounds the difference between the API's clock and our monotonic one; bounds that agree
 * are intersected, and one that contradicts replaces them (their clock was set, or the clocks drifted
 * apart). Held against the monotonic clock, the estimate survives jumps of our wall clock.
 */
export function createApiClock(clock: Clock): ApiClock {
  let bounds: { lowMs: number; highMs: number } | null = null;
  /** When each `Date` was heard first, on our monotonic clock. */
  const firstHeardMs = new LRUCache<number, number>({ max: DATES_REMEMBERED });
  return {
    observe(dateMs, sentAtMs, receivedAtMs) {
      const firstMs = firstHeardMs.get(dateMs) ?? receivedAtMs;
      firstHeardMs.set(dateMs, firstMs);
      const lowMs = dateMs - receivedAtMs;
      const highMs = dateMs + DATE_RESOLUTION_MS - sentAtMs;
      const low = Math.max(lowMs, bounds?.lowMs ?? lowMs);
      const high = Math.min(highMs, bounds?.highMs ?? highMs);
      bounds = low <= high ? { lowMs: low, highMs: high } : { lowMs, highMs };
      return Math.max(0, receivedAtMs - firstMs);
    },
    offsetMs() {
      if (bounds === null) return 0;
      const wallMs = clock.nowMs() - clock.monotonicMs();
      if (bounds.lowMs <= wallMs && wallMs <= bounds.highMs) return 0;
      return Math.round((bounds.lowMs + bounds.highMs) / 2 - wallMs);
    },
  };
}
