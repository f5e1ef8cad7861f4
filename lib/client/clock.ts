/**
 * The server's time as estimated by the browser. Anchored to the server's time and continued with whichever local clock
 * has advanced further since: the monotonic one stops while the machine sleeps, the wall clock can be set back. So time
 * that may have passed counts as passed, which can make data older but never younger. The next response anchors it
 * again.
 */
export type ServerClock = {
  /** Epoch milliseconds on the server's clock. */
  nowMs(): number;
  /**
   * Takes `serverMs` as the current time, accurate to `ROUNDING_MS`. If that proves that the clock is late, it is moved
   * forward at once by the proven amount: a late clock would request new data too late. If it is early, differences
   * below `TOLERANCE_MS` are attributed to latency and ignored.
   */
  anchor(serverMs: number): void;
  /** Calls back about once a second, just after the second changes. Returns a function to unsubscribe. */
  subscribe(listener: () => void): () => void;
  /** Calls back when more time has passed than the ticks account for: sleep, a frozen tab, a changed clock. */
  onGap(listener: () => void): () => void;
};

/** The browser's two clocks and its timer, replaceable in tests. */
export type BrowserTime = {
  wallMs(): number;
  monotonicMs(): number;
  setTimer(run: () => void, ms: number): () => void;
};

export const browserTime: BrowserTime = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  setTimer: (run, ms) => {
    const id = setTimeout(run, ms);
    return () => clearTimeout(id);
  },
};

const TICK_MS = 1000;
/** A `Date` header has whole seconds; `dateOf` returns the middle of the second. */
export const ROUNDING_MS = 500;
/** Rounding plus the latency of the response. */
export const TOLERANCE_MS = 2000;
/** Timers of a hidden tab fire at least once a minute; longer intervals are a gap. */
const GAP_MS = 75_000;
/** If the two clocks diverge by this much, the machine slept or a clock was changed. */
const DRIFT_MS = 5000;

/** @param startMs the server's time when the page was rendered, epoch milliseconds */
export function createServerClock(startMs: number, time: BrowserTime = browserTime): ServerClock {
  let base = { serverMs: startMs, wallMs: time.wallMs(), monotonicMs: time.monotonicMs() };
  let last = base;
  let stopTimer: (() => void) | null = null;
  const tickListeners = new Set<() => void>();
  const gapListeners = new Set<() => void>();

  const passedMs = () =>
    Math.max(0, time.monotonicMs() - base.monotonicMs, time.wallMs() - base.wallMs);
  const nowMs = () => base.serverMs + passedMs();

  const tick = () => {
    const here = { serverMs: nowMs(), wallMs: time.wallMs(), monotonicMs: time.monotonicMs() };
    const wallStepMs = here.wallMs - last.wallMs;
    const monotonicStepMs = here.monotonicMs - last.monotonicMs;
    last = here;
    if (
      Math.abs(wallStepMs - monotonicStepMs) > DRIFT_MS ||
      Math.max(wallStepMs, monotonicStepMs) > GAP_MS
    ) {
      for (const listener of gapListeners) listener();
    }
    for (const listener of tickListeners) listener();
    schedule();
  };
  const schedule = () => {
    stopTimer = time.setTimer(tick, TICK_MS - (nowMs() % TICK_MS) + 5);
  };

  return {
    nowMs,
    anchor(serverMs) {
      const behindMs = serverMs - nowMs();
      if (behindMs > -TOLERANCE_MS && behindMs <= ROUNDING_MS) return;
      const certainMs = behindMs > 0 ? serverMs - ROUNDING_MS : serverMs;
      base = { serverMs: certainMs, wallMs: time.wallMs(), monotonicMs: time.monotonicMs() };
      for (const listener of tickListeners) listener();
    },
    subscribe(listener) {
      tickListeners.add(listener);
      if (stopTimer === null) {
        last = { serverMs: nowMs(), wallMs: time.wallMs(), monotonicMs: time.monotonicMs() };
        schedule();
      }
      return () => {
        tickListeners.delete(listener);
        if (tickListeners.size === 0) {
          stopTimer?.();
          stopTimer = null;
        }
      };
    },
    onGap(listener) {
      gapListeners.add(listener);
      return () => gapListeners.delete(listener);
    },
  };
}
