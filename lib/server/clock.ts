import { setTimeout as sleepFor } from "node:timers/promises";

/** Time enters the server through this, never through `Date.now()`; tests inject their own. */
export type Clock = {
  /** Epoch milliseconds of the wall clock; may jump. */
  nowMs(): number;
  /** Milliseconds of a clock that never jumps; only differences mean anything. */
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
