import { parseCommand, runCommand as run } from "@/lib/v3-service/command";
import { say } from "./terminal";
import { runCommand, withDatabase } from "./with-database";

/**
 * `npm run v3 -- ...`: the API clients of the embedded v3 service, in the database of DATABASE_URL
 * or the embedded one of DATA_DIR. May run beside the app.
 */
await runCommand(async () => {
  const command = parseCommand(process.argv.slice(2));
  await withDatabase(async (database) => {
    for (const line of await run(database, command, Date.now())) say(...line.split("\t"));
  });
});
