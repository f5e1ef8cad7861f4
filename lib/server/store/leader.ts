import { setMaxListeners } from "node:events";
import { Client } from "pg";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import { withSettings } from "./connect";
import type { Database, Writer } from "./database";
import { fenced } from "./fence";
import { hangUp } from "./hang-up";
import { LOCKS } from "./locks";
import type { Lead } from "./schema/leads";

/** Leadership in effect; ends with the connection that holds the lock. */
type Term = {
  /** For writes during this term. */
  writer: Writer;
  /** Aborts when leadership is lost. */
  lost: AbortSignal;
};

const HEARTBEAT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 5_000;
/**
 * Three heartbeats: a holder whose session has been idle for this long is considered hung. One whose connection
 * stalls has already given up by then.
 */
const SILENT_MS = 15_000;

/** A background job that runs in one process among all that share a database. */
export type Leadership = {
  /** Starts competing for leadership; runs the job while leading. */
  start(): void;
  /** Gives up leadership; resolves when the job has ended. */
  stop(): Promise<void>;
};

type LeadershipOptions = {
  database: Pick<Database, "connectionString" | "orm" | "pool">;
  of: Lead;
  clock: Clock;
  /** Returns 0 to 1, exclusive. */
  random: () => number;
  log: Log;
  /** Average wait between attempts, milliseconds. */
  retryMs: number;
  /** How long a holder's heartbeat may be missing before it loses leadership, milliseconds. */
  silentMs?: number;
  /**
   * Runs the job until its signal aborts, on loss of leadership or `stop`. All its writes go through `writer`,
   * which rejects once another process leads.
   */
  lead: (signal: AbortSignal, writer: Writer) => Promise<void>;
};

/** Competes for leadership from `start` to `stop`, and runs the job while leading. */
export function createLeadership(options: LeadershipOptions): Leadership {
  const stopping = new AbortController();
  let running: Promise<void> = Promise.resolve();
  return {
    start() {
      running = compete(options, stopping.signal);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function compete(options: LeadershipOptions, signal: AbortSignal): Promise<void> {
  const { database, of, clock, random, log, retryMs, silentMs = SILENT_MS } = options;
  let unreachable = false;
  /** Kept between attempts: a new one costs PostgreSQL a process. */
  let session: Session | null = null;
  while (!signal.aborted) {
    try {
      session ??= await openSession(database, { of, log });
      const term = await tryToLead(session, database, { of, clock, log, silentMs });
      unreachable = false;
      if (term !== null) {
        const leading = AbortSignal.any([term.lost, signal]);
        // Every company adds a listener, so there is no fixed limit.
        setMaxListeners(0, leading);
        try {
          await options.lead(leading, term.writer);
        } finally {
          await session.close();
        }
      }
    } catch (err) {
      if (!unreachable) log.warn({ err, of }, "no leader can be elected without the database");
      unreachable = true;
      // After a query timeout the connection's state is unknown.
      await session?.close();
    }
    await clock.sleep(retryMs * (0.8 + 0.4 * random()), signal).catch(() => {});
    if (session?.lost.aborted === true) session = null;
  }
  await session?.close();
}

/** A connection that can hold a lead. */
type Session = {
  client: Client;
  /** Aborts when the connection, and so a lead that it holds, is lost. */
  lost: AbortSignal;
  isLeading: boolean;
  /** @param err why; absent: for a reason that needs no log */
  lose: (err?: unknown) => void;
  /** Closes the connection, which gives up the lead; never throws. */
  close(): Promise<void>;
};

/** @throws when the database can't be reached */
async function openSession(
  database: LeadershipOptions["database"],
  { of, log }: Pick<LeadershipOptions, "of" | "log">,
): Promise<Session> {
  const client = new Client({
    ...withSettings(database.connectionString),
    application_name: `plumbline ${of}`,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
  });
  const lost = new AbortController();
  const lose = (err?: unknown) => {
    if (lost.signal.aborted) return;
    if (err !== undefined && session.isLeading) log.warn({ err, of }, "leadership was lost");
    lost.abort();
  };
  client.on("error", lose);
  client.on("end", () => lose());
  const session: Session = {
    client,
    lost: lost.signal,
    isLeading: false,
    lose,
    async close() {
      lose();
      await hangUp(client);
    },
  };
  try {
    await client.connect();
    // Server-side TCP settings; ignored on a Unix socket.
    await client.query(
      "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3",
    );
  } catch (error) {
    await session.close();
    throw error;
  }
  return session;
}

/**
 * Tries once to become the leader.
 *
 * The advisory lock belongs to a session: PostgreSQL releases it when the connection ends, however the holder
 * died. If a machine disappears, PostgreSQL notices by TCP keepalive within 20 s; if PostgreSQL disappears, we
 * notice by the heartbeat within 10 s. A holder that hangs, or whose connection stalls, keeps its session; it
 * is terminated after `silentMs` without a heartbeat. If the holder resumes, its writes are rejected, because
 * its successor has started a new term (`fenced`).
 * @returns null while another process leads
 * @throws when the database can't be reached
 */
async function tryToLead(
  session: Session,
  database: LeadershipOptions["database"],
  {
    of,
    clock,
    log,
    silentMs,
  }: Pick<LeadershipOptions, "of" | "clock" | "log"> & { silentMs: number },
): Promise<Term | null> {
  const { client, lost, lose } = session;
  if (
    !(await isLocked(client, of)) &&
    !((await endSilent(client, of, silentMs, log)) && (await isLocked(client, of)))
  )
    return null;
  const term = await startTerm(client, of);
  session.isLeading = true;
  void beat();
  return { writer: fenced(database, { of, term, onDeposed: lose }), lost };

  async function beat(): Promise<void> {
    try {
      while (!lost.aborted) {
        await clock.sleep(HEARTBEAT_MS, lost);
        await client.query("select 1");
      }
    } catch (error) {
      // After a query timeout the connection's state is unknown, so close it and release the lock.
      lose(error);
      await hangUp(client);
    }
  }
}

/**
 * Starts a new term. Waits for earlier leaders' open transactions; any later ones fail.
 * @returns the new term
 */
async function startTerm(client: Client, of: Lead): Promise<string> {
  const { rows } = await client.query<{ term: string }>(
    `insert into leads (of, term, since) values ($1, gen_random_uuid(), clock_timestamp())
     on conflict (of) do update set term = excluded.term, since = excluded.since
     returning term`,
    [of],
  );
  const [begun] = rows;
  if (begun === undefined) throw new Error(`no term of ${of} was begun`);
  return begun.term;
}

/** @returns whether this session now holds the leadership lock */
async function isLocked(client: Client, of: Lead): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>("select pg_try_advisory_lock($1) as got", [
    LOCKS[of],
  ]);
  return rows[0]?.got === true;
}

/**
 * Terminates the session that holds leadership if its heartbeat has stopped, judged by PostgreSQL's clock.
 * @returns whether a session was terminated
 */
async function endSilent(client: Client, of: Lead, silentMs: number, log: Log): Promise<boolean> {
  const { rows } = await client.query<{ silent_ms: string; ended: boolean }>(
    `select extract(epoch from clock_timestamp() - holder.state_change) * 1000 as silent_ms,
       pg_terminate_backend(holder.pid, $3) as ended
     from pg_locks held join pg_stat_activity holder on holder.pid = held.pid
     where held.locktype = 'advisory' and held.granted and held.objsubid = 1
       and held.database = (select oid from pg_database where datname = current_database())
       and (held.classid::bigint << 32) + held.objid::bigint = $1
       and clock_timestamp() - holder.state_change > make_interval(secs => $2::float8 / 1000)`,
    [LOCKS[of], silentMs, ANSWER_TIMEOUT_MS / 2],
  );
  const [holder] = rows;
  if (holder === undefined) return false;
  const silentSeconds = Math.round(Number(holder.silent_ms) / 1000);
  log.warn(
    { event: "lead_taken_over", of, silentSeconds },
    "the leader hangs: its lead is taken over",
  );
  return holder.ended;
}
