import type { Clock } from "./clock";

/** What a promise gives, or what `onLate` gives or throws when it has not within `ms`; it goes on all the same. */
export function within<T, U>(
  clock: Clock,
  ms: number,
  promise: Promise<T>,
  onLate: () => U,
): Promise<T | U> {
  return race(promise, (isOver) => clock.sleep(ms, isOver).then(onLate));
}

/**
 * What a promise gives, unless `signal` aborts first; then it throws the signal's reason. A request may
 * wait a minute for its turn in the budget: nobody who stops should wait with it.
 */
export function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return race(
    promise,
    (isOver) =>
      new Promise<never>((_, reject) => {
        const onAbort = () => reject(signal.reason as Error);
        signal.addEventListener("abort", onAbort, { once: true, signal: isOver });
      }),
  );
}

/** Sleeps; returns early, without throwing, when `signal` aborts. Milliseconds; none or less: at once. */
export async function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0 && !signal.aborted) await clock.sleep(ms, signal).catch(() => {});
}

/** The first of two to settle. @param other is given a signal that aborts when the race is over */
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
    over.abort();
  }
}
