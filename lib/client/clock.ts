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
   * Whether that is sure. It isn't if the machine slept or one of its clocks was changed since the last response: then
   * more time may have passed than either of them says, because the wall clock may have been set back during sleep.
   */
  isCertain(): boolean;
  /**
   * Moves to where the server's time must be. A clock that is late is moved forward at once: it would request new data
   * too late. One that is early is moved back only from `TOLERANCE_MS` on, so that ages don't jump.
   * @param serverTime null: not known, nothing changes
   */
  anchor(serverTime: ServerTime | null): void;
  /** Calls back about once a second, just after the second changes. Returns a function to unsubscribe. */
  subscribe(listener: () => void): () => void;
  /** Calls back when more time has passed than the ticks account for: sleep, a frozen tab, a changed clock. */
  onGap(listener: () => void): () => void;
};

/** Within what the server's time was when its response had been read, epoch milliseconds. */
export type ServerTime = { earliestMs: number; latestMs: number };

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
/** How early the clock may be, milliseconds. */
export const TOLERANCE_MS = 1500;
/** Timers of a hidden tab fire at least once a minute; longer intervals are a gap. */
const GAP_MS = 75_000;
/** If the two clocks diverge by this much, the machine slept or a clock was changed. */
const DRIFT_MS = 5000;

/**
 * Starts to measure time by both clocks.
 * @returns the milliseconds since, and whether that is sure: neither did the machine sleep nor was a clock changed
 */
export function stopwatch(
  time: Omit<BrowserTime, "setTimer"> = browserTime,
): () => { ms: number; isCertain: boolean } {
  const [wallMs, monotonicMs] = [time.wallMs(), time.monotonicMs()];
  return () => {
    const byWallMs = time.wallMs() - wallMs;
    const byMonotonicMs = time.monotonicMs() - monotonicMs;
    return {
      ms: Math.max(0, byWallMs, byMonotonicMs),
      isCertain: Math.abs(byWallMs - byMonotonicMs) <= DRIFT_MS,
    };
  };
}

/** @param startMs the server's time when the page was rendered, epoch milliseconds */
export function createServerClock(startMs: number, time: BrowserTime = browserTime): ServerClock {
  let base = { serverMs: startMs, since: stopwatch(time) };
  let last = { wallMs: time.wallMs(), monotonicMs: time.monotonicMs() };
  let stopTimer: (() => void) | null = null;
  const tickListeners = new Set<() => void>();
  const gapListeners = new Set<() => void>();

  const nowMs = () => base.serverMs + base.since().ms;

  const tick = () => {
    const here = { wallMs: time.wallMs(), monotonicMs: time.monotonicMs() };
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
    isCertain: () => base.since().isCertain,
    anchor(serverTime) {
      if (serverTime === null) return;
      const { earliestMs, latestMs } = serverTime;
      const { ms, isCertain: wasCertain } = base.since();
      const beforeMs = base.serverMs + ms;
      const isEarly = beforeMs > latestMs + TOLERANCE_MS;
      const serverMs = isEarly ? latestMs : Math.max(beforeMs, earliestMs);
      base = { serverMs, since: stopwatch(time) };
      if (serverMs === beforeMs && wasCertain) return;
      for (const listener of tickListeners) listener();
    },
    subscribe(listener) {
      tickListeners.add(listener);
      if (stopTimer === null) {
        last = { wallMs: time.wallMs(), monotonicMs: time.monotonicMs() };
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
