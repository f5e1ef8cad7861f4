import { LRUCache } from "lru-cache";

/** Values of the three `X-RateLimit-*` headers, and whether this request is allowed. */
export type RateDecision = {
  allowed: boolean;
  limit: number;
  /** Requests left in this window, after this one. */
  remaining: number;
  /** Unix timestamp in seconds: the end of the window. */
  resetAtSeconds: number;
};

export type RateLimiter = {
  /** Counts one request of a client address at `nowMs` (epoch milliseconds). */
  take(clientAddress: string, nowMs: number): RateDecision;
  /** Like `take`, for a request that was already counted. */
  look(clientAddress: string, nowMs: number): RateDecision;
};

const WINDOW_SECONDS = 60;
/** Maximum number of addresses; beyond it the least recently used one is dropped, which can only allow more. */
const MAX_WINDOWS = 50_000;

/**
 * Fixed windows of one minute, one per client address, starting with the first request at the full second, so that the
 * end of a window is exactly its `X-RateLimit-Reset`. In memory: the limit protects this process, and a request must
 * not cost a database write.
 */
export function createRateLimiter(limit: number): RateLimiter {
  const windows = new LRUCache<string, { startedAtSeconds: number; used: number }>({
    max: MAX_WINDOWS,
  });
  function decide(clientAddress: string, nowMs: number, cost: 0 | 1): RateDecision {
    const nowSeconds = Math.floor(nowMs / 1000);
    let window = windows.get(clientAddress);
    if (window === undefined || !isOpen(window.startedAtSeconds, nowSeconds)) {
      window = { startedAtSeconds: nowSeconds, used: 0 };
      windows.set(clientAddress, window);
    }
    const allowed = window.used < limit;
    if (allowed) window.used += cost;
    return {
      allowed,
      limit,
      remaining: limit - window.used,
      resetAtSeconds: window.startedAtSeconds + WINDOW_SECONDS,
    };
  }

  return {
    take: (clientAddress, nowMs) => decide(clientAddress, nowMs, 1),
    look: (clientAddress, nowMs) => decide(clientAddress, nowMs, 0),
  };
}

/** A window in the future (after our clock was set back) counts as expired, or it would last for hours. */
function isOpen(startedAtSeconds: number, nowSeconds: number): boolean {
  return nowSeconds >= startedAtSeconds && nowSeconds < startedAtSeconds + WINDOW_SECONDS;
}
