import { existsSync } from "node:fs";
import pino from "pino";
import { migrate, openDatabase } from "@/lib/server/store/connect";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { CommandError, parseCommand, runCommand } from "@/lib/v3-service/command";

/**
 * `npm run v3 -- ...`: the API clients of the embedded v3 service, in the database of DATABASE_URL
 * or the embedded one of DATA_DIR. May run beside the app.
 */
async function main(words: readonly string[]): Promise<void> {
  const command = parseCommand(words);
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
      for (const line of await runCommand(database, command, Date.now())) console.log(line);
    } finally {
      await database.close();
    }
  } finally {
    await embedded?.stop();
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error);
  process.exitCode = 1;
}
