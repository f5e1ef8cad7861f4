import { LRUCache } from "lru-cache";
import type { Clock } from "@/lib/server/clock";

/** Estimates the API clock from the `Date` headers of responses. */
export type ApiClock = {
  /**
   * @param dateMs `Date` of a response, epoch milliseconds, truncated to whole seconds
   * @param sentAtMs our monotonic clock when the request was sent
   * @param receivedAtMs our monotonic clock when the headers had arrived
   * @returns how long responses have carried this `Date`, milliseconds: a clock doesn't stop, so more than a
   * second means that an intermediate cache returned a stored response without an `Age`
   */
  observe(dateMs: number, sentAtMs: number, receivedAtMs: number): number;
  /** API clock minus our wall clock, milliseconds; 0 until they are known to differ. */
  offsetMs(): number;
};

/** `Date` is truncated to whole seconds, so the true time is up to this much later. */
const DATE_RESOLUTION_MS = 1_000;
/** More responses than any budget allows within the relevant minutes. */
const DATES_REMEMBERED = 1_000;

/**
 * Each response bounds the difference between the API clock and our monotonic clock. Consistent bounds are
 * intersected; a contradicting one replaces them (a clock was set, or they drifted apart). Relative to the
 * monotonic clock, the estimate survives jumps of our wall clock.
 */
export function createApiClock(clock: Clock): ApiClock {
  let bounds: { lowMs: number; highMs: number } | null = null;
  let offsetMs = 0;
  /** When each `Date` was first received, on our monotonic clock. */
  const firstReceivedMs = new LRUCache<number, number>({ max: DATES_REMEMBERED });
  return {
    observe(dateMs, sentAtMs, receivedAtMs) {
      const firstMs = firstReceivedMs.get(dateMs) ?? receivedAtMs;
      firstReceivedMs.set(dateMs, firstMs);
      const lowMs = dateMs - receivedAtMs;
      const highMs = dateMs + DATE_RESOLUTION_MS - sentAtMs;
      const low = Math.max(lowMs, bounds?.lowMs ?? lowMs);
      const high = Math.min(highMs, bounds?.highMs ?? highMs);
      bounds = low <= high ? { lowMs: low, highMs: high } : { lowMs, highMs };
      return Math.max(0, receivedAtMs - firstMs);
    },
    offsetMs() {
      if (bounds === null) return 0;
      const { lowMs, highMs } = bounds;
      const wallMs = clock.nowMs() - clock.monotonicMs();
      const isPossible = (ms: number) => lowMs <= wallMs + ms && wallMs + ms <= highMs;
      // An estimate that is still possible is kept: one that changes with every response would change all that shows it.
      if (isPossible(0)) offsetMs = 0;
      else if (!isPossible(offsetMs)) offsetMs = Math.round((lowMs + highMs) / 2 - wallMs);
      return offsetMs;
    },
  };
}
