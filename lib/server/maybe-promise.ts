/** A value, or a promise of one. Awaiting values already in memory would dominate the time of hot requests. */
export type MaybePromise<T> = T | Promise<T>;

/** Continues with a value, synchronously if it isn't a promise. Errors of `goOn` are then thrown, not rejected. */
export function andThen<T, U>(
  value: MaybePromise<T>,
  goOn: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
