import { existsSync } from "node:fs";
import path from "node:path";
import pino from "pino";
import { createLog } from "@/lib/server/log";
import { openDatabase } from "@/lib/server/store/connect";
import type { Database } from "@/lib/server/store/database";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { openStore, type StoreConfig } from "@/lib/server/store/open-store";

/** Reads `.env`, as the app does; what the environment says goes before. */
export function loadEnvironment(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}

/**
 * Runs a command's work on the database that the app would use: that of DATABASE_URL, or the embedded one
 * of DATA_DIR, which is joined where it lives and started where it does not.
 * @throws Error with a sentence when it cannot be used; whatever `work` throws
 */
export async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  loadEnvironment();
  const { DATABASE_URL, DATABASE_MIGRATION_URL, DATA_DIR } = process.env;
  const store = await openStore(
    {
      databaseUrl: DATABASE_URL || null,
      databaseMigrationUrl: DATABASE_MIGRATION_URL || null,
      dataDir: DATA_DIR || "./.data",
    },
    { log: commandLog(), max: 1 },
  );
  try {
    await work(store.database);
  } finally {
    await store.stop();
  }
}

/**
 * The same database as it is, whatever version it is of, for commands that only read.
 * @param work gets null where there is no embedded database yet; none is made
 */
export async function withDatabaseAsItIs(
  { databaseUrl, dataDir }: Pick<StoreConfig, "databaseUrl" | "dataDir">,
  work: (database: Database | null) => Promise<void>,
): Promise<void> {
  const log = commandLog();
  if (databaseUrl === null && !existsSync(path.join(dataDir, "postgres/data/PG_VERSION"))) {
    await work(null);
    return;
  }
  const embedded = databaseUrl === null ? await startEmbeddedPostgres({ dataDir, log }) : null;
  try {
    // As its owner: an earlier version knew no other role.
    const database = await openDatabase(databaseUrl ?? embedded?.connectionString ?? "", {
      log,
      max: 1,
    });
    try {
      await work(database);
    } finally {
      await database.close();
    }
  } finally {
    await embedded?.stop();
  }
}

const commandLog = () => createLog("error", pino.destination(2));
