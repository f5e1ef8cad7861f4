import type { Pool, PoolClient } from "pg";

type Callback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: () => void,
) => void;

/**
 * A view of a pool limited to some of its connections. Callers beyond the limit wait without a timeout, and
 * don't hold up users of the rest of the pool.
 * @param most connections in use at once
 */
export function sharePool(pool: Pool, most: number): Pool {
  let taken = 0;
  const waiting: Callback[] = [];

  function take(callback: Callback): void {
    if (taken === most) {
      waiting.push(callback);
      return;
    }
    taken += 1;
    dial(callback);
  }

  function dial(callback: Callback): void {
    pool.connect((error, client, done) => {
      if (client === undefined) {
        giveBack();
        callback(error, client, done);
        return;
      }
      const release = client.release.bind(client);
      client.release = (why) => {
        release(why);
        giveBack();
      };
      callback(error, client, () => client.release());
    });
  }

  /** Passes the slot directly to the next waiter, so that no later caller overtakes it. */
  function giveBack(): void {
    const next = waiting.shift();
    if (next === undefined) taken -= 1;
    else dial(next);
  }

  const connect = (callback?: Callback) =>
    callback === undefined
      ? new Promise<PoolClient>((resolve, reject) => {
          take((error, client) => {
            if (client === undefined) reject(error ?? new Error("there is no connection"));
            else resolve(client);
          });
        })
      : take(callback);
  // The pool's `query` also goes through `connect`.
  return Object.create(pool, { connect: { value: connect } }) as Pool;
}
