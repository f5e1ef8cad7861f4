import pg from "pg";
import type { Logger } from "pino";

const CONNECTION_TIMEOUT_MS = 5_000;

/**
 * Runs `work` while holding one advisory lock of the database, so that processes which start at once take
 * turns. The lock belongs to a session, so its connection is no pool's and is closed afterwards.
 * @param lock any number that nothing else locks
 * @param work gets the connection that holds the lock
 * @throws Error of `pg` when nothing answers within 5 s; whatever `work` throws
 */
export async function whileLocked<T>(
  connectionString: string,
  lock: number,
  log: Logger,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString,
    application_name: "plumbline start",
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  client.on("error", (error) => log.warn({ err: error }, "the connection with the lock was lost"));
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lock]);
    return await work(client);
  } finally {
    await client.end();
  }
}
