import { LOCKS } from "./locks";
import { drizzle } from "drizzle-orm/node-postgres";
import { Pool, type ClientBase, type PoolClient } from "pg";
import type { Logger } from "pino";
import type { SignedRow } from "./audit/chain";
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
import { systemClock } from "@/lib/server/clock";
import { parseUrl } from "@/lib/server/environment";
import { isDatabaseOutage } from "@/lib/server/outage";
import { quietConnection, quietDrizzle, withoutQuotes } from "@/lib/server/quiet-errors";
import { ensureAppRole, grantToApp } from "./roles";
import { sharePool } from "./pool/share-pool";
import { whileLocked } from "./while-locked";

const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECTION_TIMEOUT_MS = 5_000;
/** Interval at which lost connections are logged again. */
const TELL_AGAIN_MS = 60_000;

/**
 * Our single statements rely on read committed, whatever the server's default: those that wait for a lock see what was
 * committed meanwhile instead of failing with 40001. Timestamps are read in the style ISO only.
 */
const SETTINGS =
  "-c TimeZone=UTC -c DateStyle=ISO -c default_transaction_isolation=read\\ committed";

/** Our tables are named without their schema. An address may name other schemas; what the role is set to is ignored. */
const SCHEMA = "-c search_path=public";

/**
 * Allows rolling updates: the previous version may still start after the next one has migrated. Migrations are
 * additive for one version.
 */
const MAX_VERSIONS_AHEAD = 1;

/** Signing keys of the audit log, and a hook for its writes. */
type AuditBook = {
  keys: AuditKeys;
  /** Called after each committed transaction that appended to the log, with the rows; must not throw. */
  onCommit(rows: readonly SignedRow[]): void;
};

/**
 * Opens a pool and verifies that the database answers.
 *
 * `timestamptz` columns are read as `Date` with milliseconds. Raw `sql` through Drizzle returns strings
 * instead; name the decoder there.
 * @param options.max most connections; default 10
 * @param options.audit signing keys of the audit log and the hook called after each commit that appended to it;
 * without it, appending throws
 * @throws Error of `pg` when nothing answers within 5 s
 */
export async function openDatabase(
  connectionString: string,
  options: { log: Logger; max?: number; audit?: AuditBook },
): Promise<Database> {
  quietDrizzle();
  const pools: Pool[] = [];
  let closing: Promise<void> | null = null;
  let [untold, toldMs] = [0, Number.NEGATIVE_INFINITY];
  /** At most once a minute: a database that restarts again and again breaks all connections each time. */
  const tellLoss = (err: Error) => {
    // While the pool closes, losses are expected.
    if (closing !== null) return;
    untold += 1;
    const nowMs = systemClock.monotonicMs();
    if (nowMs - toldMs < TELL_AGAIN_MS) return;
    const count = untold === 1 ? {} : { count: untold };
    options.log.warn({ err, ...count }, "a database connection was lost");
    [untold, toldMs] = [0, nowMs];
  };
  const open = (max: number) => {
    const pool = new Pool({
      ...withSettings(connectionString),
      max,
      application_name: "plumbline",
      connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
      statement_timeout: STATEMENT_TIMEOUT_MS,
      // Covers a server that can no longer answer or enforce statement_timeout.
      query_timeout: STATEMENT_TIMEOUT_MS + 5_000,
      idle_in_transaction_session_timeout: 30_000,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
    });
    // Without listeners, a lost connection would crash the process. The client's hears of every loss.
    pool.on("error", () => {});
    pool.on("connect", (client) => {
      client.on("error", tellLoss);
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

/** Our settings around the `options` of an address, if it has any: pg would use those instead of ours. */
export function withSettings(connectionString: string): {
  connectionString: string;
  options: string;
} {
  const url = parseUrl(connectionString);
  const given = url?.searchParams.getAll("options").at(-1);
  if (url === null || given === undefined) {
    return { connectionString, options: `${SCHEMA} ${SETTINGS}` };
  }
  url.searchParams.delete("options");
  // The last of two values for the same setting holds.
  return { connectionString: url.href, options: `${SCHEMA} ${given} ${SETTINGS}` };
}

/**
 * Drizzle over the pool, with our own transactions. Drizzle's leak the connection when `begin` fails, and
 * return a connection to the pool as idle after a statement timed out on it: each outage would cost
 * connections, or a caller would get one inside another transaction.
 */
function ormOf(pool: Pool, audit: AuditBook | undefined): Database["orm"] {
  const orm = drizzle(pool);
  const transaction: Database["orm"]["transaction"] = async (work, config) => {
    const added: SignedRow[] = [];
    const pen: AuditPen = {
      keys() {
        if (audit === undefined) throw new Error("the database was opened without an audit key");
        return audit.keys;
      },
      added: (rows) => void added.push(...rows),
    };
    const client = await pool.connect();
    try {
      const result = await drizzle(client).transaction(
        (tx) => work(Object.assign(tx, { audit: pen })),
        config,
      );
      if (added.length > 0) audit?.onCommit(added);
      return result;
    } finally {
      client.release(!isIdle(client));
    }
  };
  return Object.assign(orm, { transaction });
}

/** Whether a connection is idle: no pending response and no open transaction. */
function isIdle(client: PoolClient): boolean {
  // Missing from the types.
  const { readyForQuery } = client as PoolClient & { readyForQuery?: boolean };
  return readyForQuery === true && client.getTransactionStatus() === "I";
}

/**
 * Migrates both schemas in one transaction and grants the app role its privileges. Instances that start
 * concurrently take turns.
 * @param owner connects as the owner of the tables; when there is nothing to migrate, any role that can read
 * the journals will do
 * @param options.projectRoot contains the migration folders; default: the working directory
 * @param options.appRole the app's role when it isn't the owner; created if missing in the embedded PostgreSQL
 * only
 * @param options.beforeFirst called before an empty database gets its tables; if it throws, the database stays
 * empty
 * @param options.beforeUpgrade called before a used database is changed, with the newest pending migration;
 * returns the path of the backup it made
 * @throws Error with a readable message when the role may not migrate or read, an empty database isn't UTF8, a
 * migration fails or the database is newer than this program; nothing has changed then. Any error of `beforeUpgrade`; Error of `pg` when the
 * connection is lost
 */
export async function migrate(
  { connectionString }: Pick<Database, "connectionString">,
  options: {
    log: Logger;
    /** Aborts on shutdown. */
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
    const applied = await readApplied(client).catch((cause: unknown) => {
      if (!isForbidden(cause)) throw cause;
      throw new Error(
        "this role has no access to the tables of Plumbline; start once with DATABASE_MIGRATION_URL set to the address of their owner, which gives it what it needs.",
        { cause },
      );
    });
    const unknown = countUnknown(migrations, applied);
    if (unknown > MAX_VERSIONS_AHEAD) {
      throw new Error(
        `the database was upgraded by a newer version of Plumbline, with ${unknown} migrations that this version doesn't know. Start that version, or a later one. To go back, restore a backup from before the upgrade into an empty database: npm run restore -- FILE. Nothing was changed.`,
      );
    }
    const pending = pendingOf(migrations, applied);
    const newest = pending.at(-1);
    const encodingProblem = await readEncodingProblem(client);
    if (encodingProblem !== null && isUsed(applied)) log.warn(encodingProblem);
    if (newest !== undefined) {
      if (!isUsed(applied)) {
        if (encodingProblem !== null) throw new Error(encodingProblem);
        beforeFirst?.();
      }
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
    // They name our tables without a schema. The extension may be in another one.
    await client.query(
      `select set_config('search_path',
         concat_ws(', ', 'public', nullif(current_setting('search_path'), '')), true)`,
    );
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

/** A sentence about an encoding that can't hold every name of a partner or feed; null: it's UTF8. */
async function readEncodingProblem(client: ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ encoding: string }>(
    "select current_setting('server_encoding') as encoding",
  );
  const encoding = rows[0]?.encoding;
  return encoding === "UTF8"
    ? null
    : `the database has the encoding ${encoding}, which can't store every name; use one with UTF8: create database NAME encoding 'UTF8' template template0.`;
}

/** Whether PostgreSQL refused for lack of a privilege (SQLSTATE 42501). */
function isForbidden(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === "42501") return true;
  }
  return false;
}

/** Substring search uses pg_trgm; without the extension it works, but slower. */
export async function ensureTrigrams(client: ClientBase, log: Logger): Promise<void> {
  try {
    await client.query("create extension if not exists pg_trgm");
  } catch (error) {
    log.warn({ err: error }, "the extension pg_trgm is not available");
  }
}
