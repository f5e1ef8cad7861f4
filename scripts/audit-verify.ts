import { verifyAudit } from "@/lib/server/store/audit/verify-audit";
import { say } from "./terminal";
import { readAuditKeys, readStoreConfig, runCommand, withDatabaseAsItIs } from "./with-database";

/**
 * `npm run audit:verify`: whether each company's audit log is what was written, a line for each. Exits 1
 * when one is not, or cannot be read. Changes nothing, and may run beside the app.
 */
await runCommand(async () => {
  const config = readStoreConfig();
  const keys = readAuditKeys(config);
  await withDatabaseAsItIs(config, async (database) => {
    const { lines, isIntact } = await verifyAudit(database, keys, config.auditHeadFile);
    for (const line of lines) say(line);
    if (!isIntact) process.exitCode = 1;
  });
});
