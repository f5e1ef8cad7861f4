import type { Clock } from "./clock";

/** What a promise gives, or `otherwise` when it has not within `ms` milliseconds; it goes on all the same. */
export async function within<T, U>(
  clock: Clock,
  ms: number,
  promise: Promise<T>,
  otherwise: U,
): Promise<T | U> {
  const settled = new AbortController();
  const late = clock.sleep(ms, settled.signal).then(() => otherwise);
  try {
    return await Promise.race([promise, late]);
  } finally {
    settled.abort();
    late.catch(() => undefined);
  }
}
