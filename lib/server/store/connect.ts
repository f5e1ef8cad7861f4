import { LOCKS } from "./locks";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runMigrations } from "drizzle-orm/node-postgres/migrator";
import { Client, Pool, type PoolClient } from "pg";
import type { Logger } from "pino";
import type { AuditKeys } from "./audit/keys";
import type { AuditPen, Database } from "./database";
import { quietConnection, quietDrizzle } from "@/lib/server/quiet-errors";
import { ensureAppRole, grantToApp } from "./roles";
import { whileLocked } from "./while-locked";

const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECTION_TIMEOUT_MS = 5_000;

/** Each schema with its own journal, so that either can move without the other. */
const JOURNALS = [
  { folder: "lib/server/store/migrations", table: "migrations" },
  { folder: "lib/v3-service/store/migrations", table: "v3_migrations" },
] as const;

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
  const pool = new Pool({
    connectionString,
    max: options.max ?? 10,
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
  let closing: Promise<void> | null = null;
  // Without a listener the death of a connection would end the process. A closing pool has none to lose.
  const tell = (message: string) => (error: Error) => {
    if (closing === null) options.log.warn({ err: error }, message);
  };
  pool.on("error", tell("an idle database connection was lost"));
  pool.on("connect", (client) => {
    client.on("error", tell("a database connection was lost"));
    quietConnection(client);
  });
  try {
    await pool.query("select 1");
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    pool,
    orm: ormOf(pool, options.audit),
    connectionString,
    close: () => (closing ??= pool.end()),
  };
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
 * Brings both schemas up to date, and lets the app's role use them. Instances that start at once take turns.
 * @param owner connects as whoever owns the tables; without anything to do, as anybody who may read them
 * @param options.projectRoot holds the migration folders; default: the working directory
 * @param options.appRole the app's own role, when that is another; one that is missing is made in the
 *   embedded PostgreSQL only
 * @throws Error with a sentence when the role may not migrate; Error of `pg` or Drizzle; what was applied
 *   before the failing migration stays
 */
export async function migrate(
  { connectionString }: Pick<Database, "connectionString">,
  options: {
    log: Logger;
    /** Aborts when the process is told to stop. */
    signal?: AbortSignal | undefined;
    projectRoot?: string;
    appRole?: { name: string; isEmbedded: boolean };
  },
): Promise<void> {
  const projectRoot = options.projectRoot ?? process.cwd();
  const { log, signal, appRole } = options;
  await whileLocked(connectionString, LOCKS.migration, { log, signal }, async (client) => {
    try {
      for (const { folder, table } of JOURNALS) {
        const migrationsFolder = path.join(/* turbopackIgnore: true */ projectRoot, folder);
        if (!(await isPending(client, migrationsFolder, table))) continue;
        await ensureTrigrams(client, log);
        await runMigrations(drizzle(client), {
          migrationsFolder,
          migrationsSchema: "drizzle",
          migrationsTable: table,
        });
      }
    } catch (cause) {
      if (!isForbidden(cause)) throw cause;
      const sentence =
        "this role may not upgrade the database; set DATABASE_MIGRATION_URL to the address of its owner.";
      throw new Error(sentence, { cause });
    }
    if (appRole === undefined) return;
    if (appRole.isEmbedded) await ensureAppRole(client);
    await grantToApp(client, appRole.name);
  });
}

/** Whether a journal has migrations that were not applied. */
async function isPending(client: Client, folder: string, table: string): Promise<boolean> {
  const journal = path.join(folder, "meta/_journal.json");
  if (!existsSync(journal)) {
    throw new Error(`${folder} contains no migrations; start from the project's folder`);
  }
  const { entries } = JSON.parse(readFileSync(journal, "utf8")) as { entries: { when: number }[] };
  const name = `drizzle.${table}`;
  const { rows: found } = await client.query("select to_regclass($1) is not null as found", [name]);
  if (found[0]?.found !== true) return true;
  const { rows } = await client.query<{ last: string | null }>(
    `select max(created_at) as last from ${name}`,
  );
  const last = Number(rows[0]?.last ?? 0);
  return entries.some(({ when }) => when > last);
}

/** Whether PostgreSQL refused something for want of a privilege. */
function isForbidden(error: unknown): boolean {
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("code" in cause && cause.code === "42501") return true;
  }
  return false;
}

/** Searching by part of a name uses pg_trgm; a server without it still works, only slower. */
async function ensureTrigrams(client: Client, log: Logger): Promise<void> {
  try {
    await client.query("create extension if not exists pg_trgm");
  } catch (error) {
    log.warn({ err: error }, "the extension pg_trgm is not available");
  }
}
