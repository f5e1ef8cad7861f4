import type { Pool, PoolClient } from "pg";

type Callback = (
  error: Error | undefined,
  client: PoolClient | undefined,
  done: () => void,
) => void;

/**
 * The same pool for those who together may take only some of its connections: whoever wants one more waits, for as
 * long as it takes, and no one else waits behind them.
 * @param most connections at a time
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

  /** Whoever waits gets the place itself: nobody who comes meanwhile is before them. */
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
  // The pool's own `query` connects by it, too.
  return Object.create(pool, { connect: { value: connect } }) as Pool;
}
