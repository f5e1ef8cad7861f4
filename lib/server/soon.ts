/** What is there already, or comes later. Waiting for what is in memory costs more than all else of an answer. */
export type Soon<T> = T | Promise<T>;

/** Goes on with a value: at once where it is there. What `goOn` throws is thrown, or rejects. */
export function soon<T, U>(value: Soon<T>, goOn: (value: T) => Soon<U>): Soon<U> {
  return value instanceof Promise ? value.then(goOn) : goOn(value);
}
