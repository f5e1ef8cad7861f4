import { setTimeout as realTurn } from "node:timers/promises";
import type { Clock } from "./clock";

/** A clock for tests: it stands still until told to move. */
export type ManualClock = Omit<Clock, "nowMs"> & {
  /** A plain function, so that it can be handed on by itself. */
  nowMs: () => number;
  /** Both clocks go on by `ms`; sleepers whose time has come wake up in order. */
  advance(ms: number): Promise<void>;
  /** The wall clock jumps, as when somebody sets it; the monotonic one and sleepers do not notice. */
  jump(ms: number): void;
  /** Resolves once at least `count` sleepers wait. */
  untilSleeping(count?: number): Promise<void>;
  /** How long the sleepers still sleep, milliseconds, soonest first. */
  sleeping(): number[];
};

type Sleeper = { wakesAtMs: number; wake: () => void };

/** @param startMs epoch milliseconds that the wall clock shows at first */
export function createManualClock(startMs: number): ManualClock {
  let wallMs = startMs;
  let monotonicMs = 0;
  let sleepers: Sleeper[] = [];
  let watchers: { count: number; tell: () => void }[] = [];

  const soonest = () => sleepers.toSorted((a, b) => a.wakesAtMs - b.wakesAtMs)[0];

  return {
    // Whole milliseconds, as the system's.
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
 * Lets I/O happen, and time pass, until `holds`.
 * @param stepMs by how much the clock goes on each time
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

/** Lets everything that is ready to run do so, I/O included. */
function settle(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}
