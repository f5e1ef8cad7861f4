import { parseArgs } from "node:util";
import { verifyAudit } from "@/lib/server/store/audit/verify-audit";
import { say } from "./terminal";
import { readAuditKeys, readStoreConfig, runCommand, withDatabaseAsItIs } from "./with-database";

/**
 * `npm run audit:verify`: checks that each company's audit log is unchanged, and prints a line for each. Exits 1 if one
 * was changed or can't be read. Read-only, and may run beside the app.
 */
await runCommand(async () => {
  parseArgs();
  const config = readStoreConfig();
  const keys = readAuditKeys(config);
  await withDatabaseAsItIs(config, async (database) => {
    const { lines, isIntact } = await verifyAudit(database, keys, config.auditHeadFile);
    for (const line of lines) say(line);
    if (!isIntact) process.exitCode = 1;
  });
});
