import { LOCKS } from "./locks";
import { drizzle } from "drizzle-orm/node-postgres";
import { Pool, type ClientBase, type PoolClient } from "pg";
import type { Logger } from "pino";
import type { AuditKeys } from "./audit/keys";
import type { AuditPen, Database } from "./database";
import {
  applyMigrations,
  countUnknown,
  isUsed,
  MigrationFailed,
  pendingOf,
  readApplied,
  readMigrations,
  type Migration,
} from "./journals";
import { isDatabaseOutage } from "@/lib/server/outage";
import { quietConnection, quietDrizzle, withoutQuotes } from "@/lib/server/quiet-errors";
import { ensureAppRole, grantToApp } from "./roles";
import { sharePool } from "./pool/share-pool";
import { whileLocked } from "./while-locked";

const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECTION_TIMEOUT_MS = 5_000;

/** A rolling update: while the next version starts, this one still does. Migrations are additive for one version. */
const MOST_AHEAD = 1;

/** How the audit log is kept. */
type AuditBook = {
  keys: AuditKeys;
  /** Called after each transaction that added to the log; must not throw. */
  onCommit(): void;
};

/**
 * Opens a pool and proves that the database answers.
 *
 * Instants: `timestamptz` columns read as `Date` with milliseconds. Raw `sql` through Drizzle gives
 * strings instead; name the decoder there.
 *
 * @param options.max connections at most; default 10
 * @param options.audit what the audit log is signed with, and who is told after each commit that added to it;
 *   without it nothing can be added
 * @throws Error of `pg` when nothing answers within 5 s
 */
export async function openDatabase(
  connectionString: string,
  options: { log: Logger; max?: number; audit?: AuditBook },
): Promise<Database> {
  quietDrizzle();
  const pools: Pool[] = [];
  let closing: Promise<void> | null = null;
  // Without a listener the death of a connection would end the process. A closing pool has none to lose.
  const tell = (message: string) => (error: Error) => {
    if (closing === null) options.log.warn({ err: error }, message);
  };
  const open = (max: number) => {
    const pool = new Pool({
      connectionString,
      max,
      application_name: "plumbline",
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      // Where the server cannot answer any more, nor enforce its own timeout.
      query_timeout: STATEMENT_TIMEOUT_MS + 5_000,
      idle_in_transaction_session_timeout: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      options: "-c TimeZone=UTC",
    });
    pool.on("error", tell("an idle database connection was lost"));
    pool.on("connect", (client) => {
      client.on("error", tell("a database connection was lost"));
      quietConnection(client);
    });
    pools.push(pool);
    return pool;
  };
  const pool = open(options.max ?? 10);
  try {
    await pool.query("select 1");
  } catch (error) {
    await pool.end();
    throw error;
  }
  const over = (connections: Pool): Database => ({
    pool: connections,
    orm: ormOf(connections, options.audit),
    connectionString,
    share: (most) => over(sharePool(connections, most)),
    apart: (most) => over(open(most)),
    close: () => (closing ??= Promise.all(pools.map((one) => one.end())).then(() => undefined)),
  });
  return over(pool);
}

/**
 * Drizzle over the pool, with transactions of our own. Drizzle's never return a connection whose `begin`
 * fails, and return one whose statement timed out as if nothing were under way on it: a pool would lose
 * its connections in every outage, or hand out one that is inside somebody else's transaction.
 */
function ormOf(pool: Pool, audit: AuditBook | undefined): Database["orm"] {
  const orm = drizzle(pool);
  const transaction: Database["orm"]["transaction"] = async (work, config) => {
    let isAdded = false;
    const pen: AuditPen = {
      keys() {
        if (audit === undefined) throw new Error("the database was opened without an audit key");
        return audit.keys;
      },
      added: () => void (isAdded = true),
    };
    const client = await pool.connect();
    try {
      const result = await drizzle(client).transaction(
        (tx) => work(Object.assign(tx, { audit: pen })),
        config,
      );
      if (isAdded) audit?.onCommit();
      return result;
    } finally {
      client.release(!isIdle(client));
    }
  };
  return Object.assign(orm, { transaction });
}

/** Whether nothing is under way on a connection: no answer is owed, no transaction open. */
function isIdle(client: PoolClient): boolean {
  // The types leave this one out.
  const { readyForQuery } = client as PoolClient & { readyForQuery?: boolean };
  return readyForQuery === true && client.getTransactionStatus() === "I";
}

/**
 * Brings both schemas up to date in one transaction, and lets the app's role use them. Instances that start at
 * once take turns.
 * @param owner connects as whoever owns the tables; without anything to do, as anybody who may read them
 * @param options.projectRoot holds the migration folders; default: the working directory
 * @param options.appRole the app's own role, when that is another; one that is missing is made in the
 *   embedded PostgreSQL only
 * @param options.beforeFirst called before an empty database gets its tables; what it throws leaves it empty
 * @param options.beforeUpgrade called before a database that was used is changed, with the newest migration
 *   that it lacks; returns the backup that it made
 * @throws Error with a sentence when the role may not migrate, a migration fails or the database is newer than
 *   this program: all is as it was then; whatever `beforeUpgrade` throws; Error of `pg` when it is lost
 */
export async function migrate(
  { connectionString }: Pick<Database, "connectionString">,
  options: {
    log: Logger;
    /** Aborts when the process is told to stop. */
    signal?: AbortSignal | undefined;
    projectRoot?: string;
    appRole?:
      | { name: string; isEmbedded: false }
      | { name: string; isEmbedded: true; password: string | null };
    beforeFirst?: (() => void) | undefined;
    beforeUpgrade?: (client: ClientBase, newest: Migration) => Promise<string>;
  },
): Promise<void> {
  const { log, signal, appRole, beforeFirst, beforeUpgrade } = options;
  const migrations = readMigrations(options.projectRoot ?? process.cwd());
  await whileLocked(connectionString, LOCKS.migration, { log, signal }, async (client) => {
    const applied = await readApplied(client);
    const unknown = countUnknown(migrations, applied);
    if (unknown > MOST_AHEAD) {
      throw new Error(
        `the database was upgraded by a newer version of Plumbline, with ${unknown} migrations that this version doesn't know. Start that version, or a later one. To go back, restore a backup from before the upgrade into an empty database: npm run restore -- FILE. Nothing was changed.`,
      );
    }
    const pending = pendingOf(migrations, applied);
    const newest = pending.at(-1);
    if (newest !== undefined) {
      if (!isUsed(applied)) beforeFirst?.();
      const backup = isUsed(applied) ? await beforeUpgrade?.(client, newest) : undefined;
      await upgrade(client, pending, { log, backup });
    }
    if (appRole === undefined) return;
    if (appRole.isEmbedded) await ensureAppRole(client, appRole.password);
    await grantToApp(client, appRole.name);
  });
}

async function upgrade(
  client: ClientBase,
  pending: readonly Migration[],
  { log, backup }: { log: Logger; backup: string | undefined },
): Promise<void> {
  await ensureTrigrams(client, log);
  await client.query("begin");
  try {
    await applyMigrations(client, pending);
    await client.query("commit");
  } catch (cause) {
    await client.query("rollback").catch(() => {});
    if (isForbidden(cause)) {
      throw new Error(
        "this role may not upgrade the database; set DATABASE_MIGRATION_URL to the address of its owner.",
        { cause },
      );
    }
    if (!(cause instanceof MigrationFailed) || isDatabaseOutage(cause)) throw cause;
    const kept = backup === undefined ? "" : ` A backup from before is ${backup}.`;
    throw new Error(
      `the database couldn't be upgraded (${cause.tag}: ${withoutQuotes(cause.message)}). Nothing was changed, and the version that ran before still works.${kept}`,
      { cause },
    );
  }
}

/** Whether PostgreSQL refused something for want of a privilege. */
function isForbidden(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === "42501") return true;
  }
  return false;
}

/** Searching by part of a name uses pg_trgm; a server without it still works, only slower. */
export async function ensureTrigrams(client: ClientBase, log: Logger): Promise<void> {
  try {
    await client.query("create extension if not exists pg_trgm");
  } catch (error) {
    log.warn({ err: error }, "the extension pg_trgm is not available");
  }
}
