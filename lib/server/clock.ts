import { setTimeout as sleepFor } from "node:timers/promises";

/** The server's only source of time, in place of `Date.now()`, so that tests can inject one. */
export type Clock = {
  /** Wall clock, epoch milliseconds; may jump. */
  nowMs(): number;
  /** Monotonic clock, milliseconds; only differences are meaningful. */
  monotonicMs(): number;
  /** Resolves after `ms` milliseconds; rejects with an AbortError when `signal` aborts. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
};

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  sleep: async (ms, signal) => {
    await sleepFor(ms, undefined, signal ? { signal, ref: false } : { ref: false });
  },
};
