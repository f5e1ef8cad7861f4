import { setTimeout as realTurn } from "node:timers/promises";
import type { Clock } from "./clock";

/** A clock for tests, which only moves when advanced. */
export type ManualClock = Omit<Clock, "nowMs"> & {
  /** A function property rather than a method, so that it can be passed as a callback. */
  nowMs: () => number;
  /** Advances both clocks by `ms`, and wakes due sleepers in order. */
  advance(ms: number): Promise<void>;
  /** Makes only the wall clock jump, as when it is set; the monotonic clock and sleepers are unaffected. */
  jump(ms: number): void;
  /** Resolves when at least `count` sleepers are waiting. */
  untilSleeping(count?: number): Promise<void>;
  /** Remaining time of each sleeper, milliseconds, shortest first. */
  sleeping(): number[];
};

type Sleeper = { wakesAtMs: number; wake: () => void };

/** @param startMs initial time of the wall clock, epoch milliseconds */
export function createManualClock(startMs: number): ManualClock {
  let wallMs = startMs;
  let monotonicMs = 0;
  let sleepers: Sleeper[] = [];
  let watchers: { count: number; tell: () => void }[] = [];

  const soonest = () => sleepers.toSorted((a, b) => a.wakesAtMs - b.wakesAtMs)[0];

  return {
    // Whole milliseconds, like `Date.now()`.
    nowMs: () => Math.floor(wallMs),
    monotonicMs: () => monotonicMs,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const aborted = () => {
          sleepers = sleepers.filter((other) => other !== sleeper);
          reject(new DOMException("This operation was aborted", "AbortError"));
        };
        const sleeper: Sleeper = {
          wakesAtMs: monotonicMs + ms,
          wake: () => {
            signal?.removeEventListener("abort", aborted);
            resolve();
          },
        };
        if (signal?.aborted === true) return aborted();
        if (ms <= 0) return resolve();
        signal?.addEventListener("abort", aborted, { once: true });
        sleepers.push(sleeper);
        watchers = watchers.filter(({ count, tell }) => {
          if (sleepers.length < count) return true;
          tell();
          return false;
        });
      }),
    async advance(ms) {
      const targetMs = monotonicMs + ms;
      for (let next = soonest(); next && next.wakesAtMs <= targetMs; next = soonest()) {
        const due = next;
        const stepMs = Math.max(0, due.wakesAtMs - monotonicMs);
        wallMs += stepMs;
        monotonicMs += stepMs;
        sleepers = sleepers.filter((other) => other !== due);
        due.wake();
        await settle();
      }
      wallMs += targetMs - monotonicMs;
      monotonicMs = targetMs;
      await settle();
    },
    jump: (ms) => void (wallMs += ms),
    untilSleeping: (count = 1) =>
      sleepers.length >= count
        ? Promise.resolve()
        : new Promise((tell) => void watchers.push({ count, tell })),
    sleeping: () =>
      sleepers.map(({ wakesAtMs }) => wakesAtMs - monotonicMs).toSorted((a, b) => a - b),
  };
}

/**
 * Lets I/O complete and advances the clock until `holds` returns true.
 * @param stepMs how far the clock advances between checks
 */
export async function eventually(
  clock: ManualClock,
  holds: () => boolean | Promise<boolean>,
  stepMs = 200,
): Promise<void> {
  while (!(await holds())) {
    await realTurn(2);
    await clock.advance(stepMs);
  }
}

/** Lets pending callbacks run, including those of completed I/O. */
function settle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
