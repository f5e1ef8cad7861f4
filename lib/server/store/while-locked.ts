import pg from "pg";
import type { Logger } from "pino";

const CONNECTION_TIMEOUT_MS = 5_000;
const LOOK_EVERY_MS = 5_000;

/**
 * Runs `work` while holding an advisory lock, so that processes which start at once take turns. The lock
 * belongs to a session, so it uses a separate connection that is closed afterwards. Logs any wait, for the lock
 * or for a table in use by another session.
 * @param lock lock number, not used for anything else
 * @param options.signal aborts on shutdown: the connection is dropped
 * @param options.lookEveryMs interval of checks for a wait; default 5 s
 * @param work gets the connection that holds the lock
 * @throws Error of `pg` when nothing answers within 5 s; any error of `work`
 */
export async function whileLocked<T>(
  connectionString: string,
  lock: number,
  { log, signal, lookEveryMs = LOOK_EVERY_MS }: WhileLocked,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = connectionTo(connectionString, log);
  const onAbort = () => void client.end().catch(() => {});
  await client.connect();
  signal?.addEventListener("abort", onAbort);
  const waits = tellWaits(client, connectionString, log, lookEveryMs);
  try {
    // Those of the role are for single queries; a migration of much history takes longer.
    await client.query("set statement_timeout = 0; set lock_timeout = 0");
    await client.query("select pg_advisory_lock($1)", [lock]);
    return await work(client);
  } finally {
    signal?.removeEventListener("abort", onAbort);
    await waits.stop();
    await client.end();
  }
}

export type WhileLocked = { log: Logger; signal?: AbortSignal | undefined; lookEveryMs?: number };

function connectionTo(connectionString: string, log: Logger): pg.Client {
  const client = new pg.Client({
    connectionString,
    application_name: "plumbline start",
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
  });
  client.on("error", (error) => log.warn({ err: error }, "a connection used at startup was lost"));
  return client;
}

/** Polls on a second connection for sessions that block the first, and logs each once. */
function tellWaits(
  waiting: pg.Client,
  connectionString: string,
  log: Logger,
  everyMs: number,
): { stop(): Promise<void> } {
  const reported = new Set<number>();
  let looking: Promise<void> = Promise.resolve();
  const look = async () => {
    const client = connectionTo(connectionString, log);
    try {
      await client.connect();
      // The types omit `processID`.
      const { processID } = waiting as pg.Client & { processID: number | null };
      const { rows } = await client.query<Holder>(
        `select pid, application_name as application, state,
           round(extract(epoch from clock_timestamp() - xact_start))::int as seconds
         from pg_stat_activity where pid = any(pg_blocking_pids($1))`,
        [processID],
      );
      for (const { pid, application, state, seconds } of rows) {
        if (reported.has(pid)) continue;
        reported.add(pid);
        log.warn(
          { event: "start_waits", pid, application, state, seconds },
          "Startup is waiting for a lock held by another database connection, and continues when it is released.",
        );
      }
    } catch (error) {
      log.warn({ err: error }, "could not determine what startup is waiting for");
    } finally {
      await client.end().catch(() => {});
    }
  };
  const timer = setInterval(() => {
    looking = looking.then(look);
  }, everyMs);
  return {
    stop() {
      clearInterval(timer);
      return looking;
    },
  };
}

/** A session that blocks the start; `seconds`: age of its transaction, null outside one. */
type Holder = { pid: number; application: string; state: string | null; seconds: number | null };
