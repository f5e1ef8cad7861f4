import { CommandError, parseCommand, runCommand } from "@/lib/v3-service/command";
import { withDatabase } from "./with-database";

/**
 * `npm run v3 -- ...`: the API clients of the embedded v3 service, in the database of DATABASE_URL
 * or the embedded one of DATA_DIR. May run beside the app.
 */
async function main(words: readonly string[]): Promise<void> {
  const command = parseCommand(words);
  await withDatabase(async (database) => {
    for (const line of await runCommand(database, command, Date.now())) console.log(line);
  });
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof CommandError ? error.message : error);
  process.exitCode = 1;
}
