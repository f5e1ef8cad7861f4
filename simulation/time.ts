import type { Clock } from "@/lib/server/clock";

/** How an instance measures time. */
export type Watch = Clock & {
  /** Sets the wall clock forward, or back if negative; the monotonic clock and sleepers are unaffected. */
  jump(ms: number): void;
  /** The wall clock's distance from true time, milliseconds. */
  skewMs(): number;
  /** From now on nothing that sleeps on it wakes up: its process is dead, or hangs. */
  stop(): void;
  /** What slept meanwhile wakes up late. */
  resume(): void;
};

/** The one time that everything simulated lives by. It moves only when nothing is left to do. */
export type SimulatedTime = {
  /** True time, epoch milliseconds. */
  nowMs: () => number;
  /** Resolves after exactly `ms`: what the network and the people of the simulation wait by. */
  after(ms: number): Promise<void>;
  /**
   * A clock of its own for one instance.
   * @param pace when waits of a second and more end: a busy machine wakes its sleepers late
   */
  watch(pace: Pace): Watch;
  /** Moves to the next waiter if it is due by `untilMs`, and wakes it. @returns false: none is, and time is `untilMs` now */
  step(untilMs: number): boolean;
};

/** @param ms when a wait should end, true time in epoch milliseconds. @returns when it ends, not before `ms` */
export type Pace = (ms: number) => number;

/**
 * Waits end at multiples of `coarseMs`, so that a day passes quickly; and at multiples of `fineMs` in the minutes after
 * `moments`.
 * @param moments when something happens, epoch milliseconds in order
 */
export function paceAround(
  moments: readonly number[],
  { fineMs, coarseMs }: { fineMs: number; coarseMs: number },
): Pace {
  const next = (ms: number, everyMs: number) => Math.ceil(ms / everyMs) * everyMs;
  return (ms) => {
    const after = firstAfter(moments, ms);
    const before = moments[after - 1];
    if (before !== undefined && ms < before + FINE_MS) return next(ms, fineMs);
    return Math.min(next(ms, coarseMs), moments[after] ?? Infinity);
  };
}

const FINE_MS = 60_000;

/** The position of the first one after `ms`, by halving. */
function firstAfter(sorted: readonly number[], ms: number): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? Infinity) <= ms) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Sleeper = { atMs: number; order: number; wake: () => void };

/** @param startMs epoch milliseconds */
export function createSimulatedTime(startMs: number): SimulatedTime {
  let nowMs = startMs;
  let order = 0;
  let sleepers: Sleeper[] = [];

  function add(atMs: number, wake: () => void): Sleeper {
    order += 1;
    const sleeper = { atMs, order, wake };
    const at = sleepers.findIndex((other) => other.atMs > atMs);
    sleepers.splice(at < 0 ? sleepers.length : at, 0, sleeper);
    return sleeper;
  }

  return {
    nowMs: () => nowMs,
    after: (ms) => new Promise((resolve) => void add(nowMs + Math.max(0, ms), resolve)),
    watch(pace) {
      let skewMs = 0;
      let isStopped = false;
      let late: (() => void)[] = [];
      const wakesAtMs = (ms: number) => (ms < 1_000 ? nowMs + ms : pace(nowMs + ms));
      return {
        nowMs: () => Math.floor(nowMs + skewMs),
        monotonicMs: () => nowMs - startMs,
        skewMs: () => skewMs,
        jump: (ms) => void (skewMs += ms),
        stop: () => void (isStopped = true),
        resume() {
          isStopped = false;
          const waiting = late;
          late = [];
          for (const wake of waiting) wake();
        },
        sleep: (ms, signal) =>
          new Promise((resolve, reject) => {
            const fail = () => reject(new DOMException("This operation was aborted", "AbortError"));
            const aborted = () => {
              sleepers = sleepers.filter((other) => other !== sleeper);
              if (isStopped) late.push(fail);
              else fail();
            };
            if (signal?.aborted === true) {
              fail();
              return;
            }
            if (ms <= 0) return resolve();
            const wake = () => {
              if (isStopped) return void late.push(wake);
              signal?.removeEventListener("abort", aborted);
              resolve();
            };
            const sleeper = add(wakesAtMs(ms), wake);
            signal?.addEventListener("abort", aborted, { once: true });
          }),
      };
    },
    step(untilMs) {
      const next = sleepers[0];
      if (next === undefined || next.atMs > untilMs) {
        nowMs = Math.max(nowMs, untilMs);
        return false;
      }
      sleepers.shift();
      nowMs = Math.max(nowMs, next.atMs);
      next.wake();
      return true;
    },
  };
}
