import { existsSync } from "node:fs";
import pino from "pino";
import { createLog } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import { openStore } from "@/lib/server/store/open-store";

/**
 * Runs a command's work on the database that the app would use: that of DATABASE_URL, or the embedded one
 * of DATA_DIR, which is joined where it lives and started where it does not.
 * @throws Error with a sentence when it cannot be used; whatever `work` throws
 */
export async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  // The app reads it too; what the environment says goes before.
  if (existsSync(".env")) process.loadEnvFile(".env");
  const { DATABASE_URL, DATABASE_MIGRATION_URL, DATA_DIR } = process.env;
  const store = await openStore(
    {
      databaseUrl: DATABASE_URL || null,
      databaseMigrationUrl: DATABASE_MIGRATION_URL || null,
      dataDir: DATA_DIR || "./.data",
    },
    { log: createLog("error", pino.destination(2)), max: 1 },
  );
  try {
    await work(store.database);
  } finally {
    await store.stop();
  }
}
