import { existsSync } from "node:fs";
import pino from "pino";
import { migrate, openDatabase } from "@/lib/server/store/connect";
import type { Database } from "@/lib/server/store/database";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";

/**
 * Runs a command's work on the database that the app would use: that of DATABASE_URL, or the embedded one
 * of DATA_DIR, which is joined where it lives and started where it does not.
 * @throws Error of `pg` when nothing answers; whatever `work` throws
 */
export async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  // The app reads it too; what the environment says goes before.
  if (existsSync(".env")) process.loadEnvFile(".env");
  const log = pino({ level: "warn" }, pino.destination(2));
  const embedded = process.env["DATABASE_URL"]
    ? null
    : await startEmbeddedPostgres({ dataDir: process.env["DATA_DIR"] || "./.data", log });
  try {
    const database = await openDatabase(
      embedded?.connectionString ?? process.env["DATABASE_URL"] ?? "",
      { log, max: 1 },
    );
    try {
      await migrate(database, { log });
      await work(database);
    } finally {
      await database.close();
    }
  } finally {
    await embedded?.stop();
  }
}
