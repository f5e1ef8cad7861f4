import { createSeal, OURS } from "@/lib/server/upstream/seal";
import { parseCommand, runCommand as run } from "@/lib/v3-service/command";
import { say } from "./terminal";
import { authSecretsOf, readStoreConfig, runCommand, withDatabase } from "./with-database";

/**
 * `npm run v3 -- ...`: the API clients and signing keys of the embedded v3 service, in the database of DATABASE_URL
 * or the embedded one of DATA_DIR. May run beside the app.
 */
await runCommand(async () => {
  const command = parseCommand(process.argv.slice(2));
  const config = readStoreConfig();
  const keySeal = createSeal(authSecretsOf(config), OURS, "v3 signing keys");
  await withDatabase(config, async (database) => {
    const lines = await run(database, command, { keySeal, nowMs: Date.now() });
    for (const line of lines) say(...line.split("\t"));
  });
});
