/** What is there already, or comes later. Waiting for what is in memory costs more than all else of an answer. */
export type MaybePromise<T> = T | Promise<T>;

/** Goes on with a value: at once where it is there. What `goOn` throws is thrown, or rejects. */
export function andThen<T, U>(
  value: MaybePromise<T>,
  goOn: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
