/**
 * The server's time, as the browser knows it. Anchored to what the server said, carried on by whichever of
 * our two clocks went further since: the monotonic one stops while the machine sleeps, the wall clock can
 * be set back. Time that may have passed thus counts as passed, which can age a picture but never
 * rejuvenate it. The next answer anchors it again.
 */
export type ServerClock = {
  /** Epoch milliseconds on the server's clock. */
  nowMs(): number;
  /**
   * Takes `serverMs` as the time now, give or take `ROUNDING_MS`. What shows that we are behind is taken at
   * once, by as much as is certain: behind, we would ask too late for what the server has. Ahead of it,
   * differences below `TOLERANCE_MS` are the way that the answer took.
   */
  anchor(serverMs: number): void;
  /** Calls back about once a second, just after the second changes. Returns the way to stop. */
  subscribe(listener: () => void): () => void;
  /** Calls back when more time passed than the ticks account for: sleep, a frozen tab, a set clock. */
  onGap(listener: () => void): () => void;
};

/** The browser's two clocks and its timer, so that tests can bring their own. */
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
/** A `Date` header is whole seconds, of which `dateOf` takes the middle. */
export const ROUNDING_MS = 500;
/** And the answer took its time. */
export const TOLERANCE_MS = 2000;
/** Timers of a hidden tab fire once a minute at worst; more than that is a gap. */
const GAP_MS = 75_000;
/** The two clocks disagreeing by this much means that the machine slept or a clock was set. */
const DRIFT_MS = 5000;

/** @param startMs the server's time when the page was made, epoch milliseconds */
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
