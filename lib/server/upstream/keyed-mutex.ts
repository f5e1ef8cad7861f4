import { UpstreamFailure } from "./upstream";

/**
 * Runs one function at a time per key, in order of arrival, so that a hanging upstream never accumulates
 * requests for the same resource.
 * @param patienceMs a caller that waits longer fails as `unreachable`; real time, like the deadline of the
 * request ahead
 */
export function createKeyedMutex(patienceMs: number) {
  const last = new Map<string, Promise<unknown>>();

  return function take<T>(key: string, run: () => Promise<T>): Promise<T> {
    const { promise, resolve, reject } = deferred<T>();
    let gaveUp = false;
    const timer = setTimeout(() => {
      gaveUp = true;
      reject(
        new UpstreamFailure("unreachable", `an earlier request for ${key} is still open`, {
          maybeExecuted: false,
        }),
      );
    }, patienceMs);
    const turn = (last.get(key) ?? Promise.resolve())
      .then(() => {
        clearTimeout(timer);
        return gaveUp ? undefined : run().then(resolve, reject);
      })
      .finally(() => {
        if (last.get(key) === turn) last.delete(key);
      });
    last.set(key, turn);
    return promise;
  };
}

/** `Promise.withResolvers`, which Node 20 lacks. */
function deferred<T>() {
  let resolve!: (value: T) => void;
  let reject!: (reason: unknown) => void;
  const promise = new Promise<T>((onValue, onReason) => {
    resolve = onValue;
    reject = onReason;
  });
  return { promise, resolve, reject };
}

export type KeyedMutex = ReturnType<typeof createKeyedMutex>;
