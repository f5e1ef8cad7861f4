import { existsSync } from "node:fs";
import path from "node:path";
import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as runMigrations } from "drizzle-orm/node-postgres/migrator";
import { Client, Pool, type PoolClient } from "pg";
import type { Logger } from "pino";
import type { Database } from "./database";
import { quietConnection, quietDrizzle } from "./quiet-errors";
import { whileLocked } from "./while-locked";

/** Any fixed number; whoever migrates a database holds this advisory lock. */
const MIGRATION_LOCK = 7_186_001;
const STATEMENT_TIMEOUT_MS = 10_000;
const CONNECTION_TIMEOUT_MS = 5_000;

/** Each schema with its own journal, so that either can move without the other. */
const JOURNALS = [
  { folder: "lib/server/store/migrations", table: "migrations" },
  { folder: "lib/v3-service/store/migrations", table: "v3_migrations" },
] as const;

/**
 * Opens a pool and proves that the database answers.
 *
 * Instants: `timestamptz` columns read as `Date` with milliseconds. Raw `sql` through Drizzle gives
 * strings instead; name the decoder there.
 *
 * @param options.max connections at most; default 10
 * @throws Error of `pg` when nothing answers within 5 s
 */
export async function openDatabase(
  connectionString: string,
  options: { log: Logger; max?: number },
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
    orm: ormOf(pool),
    connectionString,
    close: () => (closing ??= pool.end()),
  };
}

/**
 * Drizzle over the pool, with transactions of our own. Drizzle's never return a connection whose `begin`
 * fails, and return one whose statement timed out as if nothing were under way on it: a pool would lose
 * its connections in every outage, or hand out one that is inside somebody else's transaction.
 */
function ormOf(pool: Pool): Database["orm"] {
  const orm = drizzle(pool);
  const transaction: typeof orm.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzle(client).transaction(work, config);
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
 * Brings both schemas up to date. Instances that start at once take turns.
 * @param options.projectRoot holds the migration folders; default: the working directory
 * @throws Error of `pg` or Drizzle; what was applied before the failing migration stays
 */
export async function migrate(
  database: Database,
  options: { log: Logger; projectRoot?: string },
): Promise<void> {
  const projectRoot = options.projectRoot ?? process.cwd();
  const { log } = options;
  await whileLocked(database.connectionString, MIGRATION_LOCK, log, async (client) => {
    await ensureTrigrams(client, log);
    for (const { folder, table } of JOURNALS) {
      const migrationsFolder = path.join(/* turbopackIgnore: true */ projectRoot, folder);
      if (!existsSync(path.join(migrationsFolder, "meta/_journal.json"))) {
        throw new Error(`${migrationsFolder} holds no migrations; start from the project's folder`);
      }
      await runMigrations(drizzle(client), {
        migrationsFolder,
        migrationsSchema: "drizzle",
        migrationsTable: table,
      });
    }
  });
}

/** Searching by part of a name uses pg_trgm; a server without it still works, only slower. */
async function ensureTrigrams(client: Client, log: Logger): Promise<void> {
  try {
    await client.query("create extension if not exists pg_trgm");
  } catch (error) {
    log.warn({ err: error }, "the extension pg_trgm is not available");
  }
}
