import { existsSync } from "node:fs";
import path from "node:path";
import pino from "pino";
import { systemClock } from "@/lib/server/clock";
import {
  ConfigProblems,
  ensureAuthSecret,
  findAuthSecret,
  parseConfig,
  type Config,
} from "@/lib/server/config/config";
import { plainMessage } from "@/lib/server/file-problem.mjs";
import { deriveKey, type AuthSecrets, type DerivedKey } from "@/lib/server/keys";
import { createLog } from "@/lib/server/log";
import { isDatabaseOutage } from "@/lib/server/outage";
import {
  deriveAuditKey,
  keysById,
  openAuditKeys,
  readKeptKeys,
} from "@/lib/server/store/audit/keys";
import { openDatabase } from "@/lib/server/store/connect";
import type { Database } from "@/lib/server/store/database";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { openStore, type StoreConfig } from "@/lib/server/store/open-store";
import { CommandError } from "@/lib/v3-service/command";
import { complain } from "./terminal";

/** Reads `.env`, as the app does; what the environment says goes before. */
export function loadEnvironment(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}

/**
 * Runs a command's work on the database that the app would use: that of DATABASE_URL, or the embedded one
 * of DATA_DIR, which is joined where it lives and started where it does not.
 * @throws Error with a sentence when it cannot be used; whatever `work` throws
 */
export async function withDatabase(
  config: Config,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const backupKey = deriveKey(ensureAuthSecret(config), "backups");
  const store = await openStore(config, { log: commandLog(), max: 1, backupKey });
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
  { databaseUrl, dataDir, postgresBin: bin = null }: Omit<StoreConfig, "databaseMigrationUrl">,
  work: (database: Database | null) => Promise<void>,
): Promise<void> {
  const log = commandLog();
  if (databaseUrl === null && !existsSync(path.join(dataDir, "postgres/data/PG_VERSION"))) {
    await work(null);
    return;
  }
  const embedded = databaseUrl === null ? await startEmbeddedPostgres({ dataDir, log, bin }) : null;
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

/** The app's own database, for commands whose work stands in the audit log. */
export async function withAuditedDatabase(
  config: Config,
  work: (database: Database) => Promise<void>,
): Promise<void> {
  const log = commandLog();
  const secret = ensureAuthSecret(config);
  const keys = openAuditKeys(config, secret, log);
  const audit = { keys, headFile: config.auditHeadFile, clock: systemClock };
  const backupKey = deriveKey(secret, "backups");
  const store = await openStore(config, { log, audit, max: 2, backupKey });
  try {
    await work(store.database);
  } finally {
    await store.stop();
  }
}

/** For commands: standard error gets what is wrong, standard output what was asked for. */
export const commandLog = () => createLog("error", pino.destination(2));

/** What tells where the record is, its audit log's keys, and where the ends of that log are recorded. */
const VARIABLES = [
  "DATA_DIR",
  "DATABASE_URL",
  "DATABASE_MIGRATION_URL",
  "AUTH_SECRET",
  "EARLIER_AUTH_SECRETS",
  "AUDIT_HEAD_FILE",
  "POSTGRES_BIN",
];

/**
 * Where the record and its audit log are, from the environment and `.env`.
 * @throws ConfigProblems
 */
export function readStoreConfig(): Config {
  loadEnvironment();
  const names = VARIABLES.flatMap((name) => [name, `${name}_FILE`]);
  const given = names.map((name) => [name, process.env[name]]);
  return parseConfig(Object.fromEntries(given), process.cwd());
}

/** The present secret and the earlier ones; the present one is made where there is none. */
export const authSecretsOf = (config: Config): AuthSecrets => [
  ensureAuthSecret(config),
  ...config.earlierAuthSecrets,
];

/** Every secret that is known here; none is made. */
function knownSecrets(config: Config): string[] {
  const secret = findAuthSecret(config);
  return [...(secret === null ? [] : [secret]), ...config.earlierAuthSecrets];
}

/** Every key that backups may be signed with, as far as it is known here. */
export const readBackupKeys = (config: Config): DerivedKey[] =>
  knownSecrets(config).map((secret) => deriveKey(secret, "backups"));

/** Every key of the audit log that is known here, by id. */
export function readAuditKeys(config: Config): ReadonlyMap<string, Buffer> {
  return keysById([...readKeptKeys(config.dataDir), ...knownSecrets(config).map(deriveAuditKey)]);
}

/** Runs a command; what fails in it is said in a sentence, and the process exits with 1. */
export async function runCommand(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    for (const line of linesOf(error)) complain(line);
    process.exitCode = 1;
  }
}

function linesOf(error: unknown): readonly string[] {
  return error instanceof ConfigProblems || error instanceof CommandError
    ? error.message.split("\n")
    : [sentenceOf(error)];
}

/** What is wrong, in a sentence: what fails here is expected to, and a stack would hide it. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  let innermost = error;
  while (innermost.cause instanceof Error) innermost = innermost.cause;
  const isOfPostgres = "severity" in innermost || isDatabaseOutage(error);
  if (!isOfPostgres) return plainMessage(error);
  // A host with several addresses fails at each of them, and says nothing but that itself.
  const reasons = innermost instanceof AggregateError ? innermost.errors.map(String) : [];
  return `The database can't be read: ${innermost.message || reasons.join(", ")}`;
}
