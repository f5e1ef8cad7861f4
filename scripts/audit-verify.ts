import { findAuthSecret, parseConfig } from "@/lib/server/config";
import { deriveAuditKey, keysById, readKeptKeys } from "@/lib/server/store/audit/keys";
import { verifyAudit } from "@/lib/server/store/audit/verify-audit";
import { isDatabaseOutage } from "@/lib/server/outage";
import { loadEnvironment, withDatabaseAsItIs } from "./with-database";

/** What tells where the log, its keys and its recorded heads are. */
const VARIABLES = [
  "DATA_DIR",
  "DATABASE_URL",
  "AUTH_SECRET",
  "EARLIER_AUTH_SECRETS",
  "AUDIT_HEAD_FILE",
];

/**
 * `npm run audit:verify`: whether each company's audit log is what was written, a line for each. Exits 1
 * when one is not, or cannot be read. Changes nothing, and may run beside the app.
 */
async function main(): Promise<void> {
  loadEnvironment();
  const given = VARIABLES.map((name) => [name, process.env[name]]);
  const config = parseConfig(Object.fromEntries(given), process.cwd());
  const secret = findAuthSecret(config);
  const secrets = [...config.earlierAuthSecrets, ...(secret === null ? [] : [secret])];
  const keys = keysById([...readKeptKeys(config.dataDir), ...secrets.map(deriveAuditKey)]);
  await withDatabaseAsItIs(config, async (database) => {
    const { lines, isIntact } = await verifyAudit(database, keys, config.auditHeadFile);
    for (const line of lines) console.log(line);
    if (!isIntact) process.exitCode = 1;
  });
}

/** What is wrong, in a sentence: what fails here is expected to, and a stack would hide it. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  let innermost = error;
  while (innermost.cause instanceof Error) innermost = innermost.cause;
  const isOfPostgres = "severity" in innermost || isDatabaseOutage(error);
  if (!isOfPostgres) return error.message;
  // A host with several addresses fails at each of them, and says nothing but that itself.
  const reasons = innermost instanceof AggregateError ? innermost.errors.map(String) : [];
  return `The database can't be read: ${innermost.message || reasons.join(", ")}`;
}

try {
  await main();
} catch (error) {
  console.error(sentenceOf(error));
  process.exitCode = 1;
}
