import type { Clock } from "./clock";

/** The result of a promise, or of `onLate` if the promise takes longer than `ms`. The promise isn't cancelled. */
export function within<T, U>(
  clock: Clock,
  ms: number,
  promise: Promise<T>,
  onLate: () => U,
): Promise<T | U> {
  return race(promise, (isOver) => clock.sleep(ms, isOver).then(onLate));
}

/**
 * The result of a promise; rejects with the signal's reason if `signal` aborts first. For example, a request may wait a
 * minute for its budget, and stopping must not wait for it.
 */
export async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let onAbort = () => {};
  const aborted = new Promise<never>((_, reject) => {
    onAbort = () => reject(signal.reason as Error);
  });
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

/** Sleeps for `ms` milliseconds; returns early, without throwing, when `signal` aborts. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0 && !signal.aborted) await clock.sleep(ms, signal).catch(() => {});
}

/** Creating the usual reason, an error with its stack, takes longer than the rest of a race. */
const OVER = "the race is over";

/** `Promise.race` of two. @param other receives a signal that aborts when the race is over */
async function race<T, U>(
  promise: Promise<T>,
  other: (isOver: AbortSignal) => Promise<U>,
): Promise<T | U> {
  const over = new AbortController();
  const second = other(over.signal);
  second.catch(() => undefined);
  try {
    return await Promise.race([promise, second]);
  } finally {
    over.abort(OVER);
  }
}
