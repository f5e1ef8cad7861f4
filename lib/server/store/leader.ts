import { setMaxListeners } from "node:events";
import { Client } from "pg";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database, Writer } from "./database";
import { fenced } from "./fence";
import { hangUp } from "./hang-up";
import { LOCKS } from "./locks";
import type { Lead } from "./schema/leads";

/** Leadership held: it ends with the connection that holds it. */
type Term = {
  /** What is written under it. */
  writer: Writer;
  /** Aborts as soon as leadership is lost. */
  lost: AbortSignal;
  /** Gives leadership up; never throws. */
  release(): Promise<void>;
};

const HEARTBEAT_MS = 5_000;
const ANSWER_TIMEOUT_MS = 5_000;
/**
 * A holder that PostgreSQL has not heard for this long hangs: three heartbeats. One whose connection stalls has
 * given up by itself before that.
 */
const SILENT_MS = 15_000;

/** Something that goes on by itself, in one process of all that share a database. */
export type Leadership = {
  /** Begins to compete for the lead and, holding it, to do the work. */
  start(): void;
  /** Gives the lead up; resolves when nothing of it runs any more. */
  stop(): Promise<void>;
};

type LeadershipOptions = {
  database: Pick<Database, "connectionString" | "orm">;
  of: Lead;
  clock: Clock;
  /** 0 to 1, exclusive. */
  random: () => number;
  log: Log;
  /** About how long it waits before it tries again, milliseconds. */
  retryMs: number;
  /** After how long without a word a holder loses the lead, milliseconds. */
  silentMs?: number;
  /**
   * Does the work until its signal aborts: leadership lost, or `stop`. All that it writes goes through `writer`,
   * which refuses once somebody else leads.
   */
  lead: (signal: AbortSignal, writer: Writer) => Promise<void>;
};

/** Competes for a lead from `start` to `stop`, and leads whenever it is won. */
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
  while (!signal.aborted) {
    try {
      const term = await tryToLead(database, { of, clock, log, silentMs });
      unreachable = false;
      if (term !== null) {
        try {
          const leading = AbortSignal.any([term.lost, signal]);
          // However many companies there are, each of them listens to it.
          setMaxListeners(0, leading);
          await options.lead(leading, term.writer);
        } finally {
          await term.release();
        }
      }
    } catch (err) {
      if (!unreachable) log.warn({ err, of }, "a lead cannot be won without the database");
      unreachable = true;
    }
    await clock.sleep(retryMs * (0.8 + 0.4 * random()), signal).catch(() => {});
  }
}

/**
 * Tries once to win a lead.
 *
 * The lock is a session's: PostgreSQL frees it when the connection ends, however the holder died. A
 * machine that vanishes without a word is noticed by TCP keepalives within 20 s on PostgreSQL's side, and
 * a PostgreSQL that vanishes by the heartbeat within 10 s on ours. A holder that hangs, or whose connection
 * stalls, keeps its session: it is ended when no heartbeat has come for `silentMs`. Should the holder wake
 * again, what it still writes is refused: whoever wins begins a term of its own first (`fenced`).
 * @returns null while somebody else leads
 * @throws when the database cannot be reached
 */
async function tryToLead(
  database: LeadershipOptions["database"],
  {
    of,
    clock,
    log,
    silentMs,
  }: Pick<LeadershipOptions, "of" | "clock" | "log"> & { silentMs: number },
): Promise<Term | null> {
  const client = new Client({
    connectionString: database.connectionString,
    application_name: `plumbline ${of}`,
    connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
    query_timeout: ANSWER_TIMEOUT_MS,
    keepAlive: true,
  });
  const lost = new AbortController();
  const lose = (err?: unknown) => {
    if (lost.signal.aborted) return;
    if (err !== undefined) log.warn({ err, of }, "a lead was lost");
    lost.abort();
  };
  client.on("error", lose);
  client.on("end", () => lose());

  const release = async () => {
    lose();
    await hangUp(client);
  };
  let term: string;
  try {
    await client.connect();
    // Settings of the server's end of a TCP connection; a Unix socket ignores them.
    await client.query(
      "set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3",
    );
    if (
      !(await isLocked(client, of)) &&
      !((await endSilent(client, of, silentMs, log)) && (await isLocked(client, of)))
    ) {
      await release();
      return null;
    }
    term = await startTerm(client, of);
  } catch (error) {
    await release();
    throw error;
  }
  void beat();
  const writer = fenced(database, { of, term, onDeposed: lose });
  return { writer, lost: lost.signal, release };

  async function beat(): Promise<void> {
    try {
      while (!lost.signal.aborted) {
        await clock.sleep(HEARTBEAT_MS, lost.signal);
        await client.query("select 1");
      }
    } catch (error) {
      // A query that timed out leaves its connection in doubt: it goes, and the lock with it.
      lose(error);
      await hangUp(client);
    }
  }
}

/**
 * Makes whatever earlier leaders still write fail, once what they are writing just now has ended.
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

/** @returns whether this session holds the lock of a lead now */
async function isLocked(client: Client, of: Lead): Promise<boolean> {
  const { rows } = await client.query<{ got: boolean }>("select pg_try_advisory_lock($1) as got", [
    LOCKS[of],
  ]);
  return rows[0]?.got === true;
}

/**
 * Ends the session that holds a lead, if its heartbeat has stopped. All by PostgreSQL's own clock.
 * @returns whether one was ended
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
    "whoever had a lead hangs: it is taken over",
  );
  return holder.ended;
}
