import { Client } from "pg";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";

/** Leadership held: it ends with the connection that holds it. */
type Term = {
  /** Aborts as soon as leadership is lost. */
  lost: AbortSignal;
  /** Gives leadership up; never throws. */
  release(): Promise<void>;
};

/** Any number that nobody else locks in the same database. */
const LOCK_KEY = 7_301_992_466;
const HEARTBEAT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * Tries once to become the one collector of a database.
 *
 * The lock is a session's: PostgreSQL frees it when the connection ends, however the holder died. A
 * machine that vanishes without a word is noticed by TCP keepalives within 20 s on PostgreSQL's side, and
 * a PostgreSQL that vanishes by the heartbeat within 10 s on ours.
 * @returns null while somebody else leads
 * @throws when the database cannot be reached
 */
export async function tryToLead(
  connectionString: string,
  clock: Clock,
  log: Log,
): Promise<Term | null> {
  const client = new Client({
    connectionString,
    application_name: "plumbline collector",
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
  });
  const lost = new AbortController();
  const lose = (err?: unknown) => {
    if (lost.signal.aborted) return;
    if (err !== undefined) log.warn({ err }, "the collector lost its lock");
    lost.abort();
  };
  client.on("error", lose);
  client.on("end", () => lose());

  const release = async () => {
    lose();
    await client.end().catch(() => {});
  };
  try {
    await client.connect();
    // Settings of the server's end of a TCP connection; a Unix socket ignores them.
    await client.query(
      "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3",
    );
    const { rows } = await client.query<{ got: boolean }>(
      "select pg_try_advisory_lock($1) as got",
      [LOCK_KEY],
    );
    if (rows[0]?.got !== true) {
      await release();
      return null;
    }
  } catch (error) {
    await release();
    throw error;
  }
  void beat();
  return { lost: lost.signal, release };

  async function beat(): Promise<void> {
    try {
      while (!lost.signal.aborted) {
        await clock.sleep(HEARTBEAT_MS, lost.signal);
        await client.query("select 1");
      }
    } catch (error) {
      // A query that timed out leaves its connection in doubt: it goes, and the lock with it.
      lose(error);
      await client.end().catch(() => {});
    }
  }
}
