import { existsSync } from "node:fs";
import path from "node:path";
import { systemClock } from "@/lib/server/clock";
import {
  ConfigProblems,
  ensureAuthSecret,
  findAuthSecret,
  parseConfig,
  type Config,
} from "@/lib/server/config/config";
import { naming, plainMessage } from "@/lib/server/file-problem.mjs";
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

/** Reads `.env`, as the app does; environment variables take precedence. */
export function loadEnvironment(): void {
  if (existsSync(".env")) process.loadEnvFile(".env");
}

/**
 * Runs a command's work on the app's database: that of DATABASE_URL, or the embedded one of DATA_DIR, which is started
 * unless it is already running.
 * @throws Error with a sentence if it can't be used; any error of `work`
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
 * Like `withDatabase`, but without migrating, for read-only commands.
 * @param work gets null if there is no embedded database; none is created
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
    // As its owner: earlier versions had no other role.
    const variable = databaseUrl === null ? "DATA_DIR" : "DATABASE_URL";
    const database = await naming(variable, () =>
      openDatabase(databaseUrl ?? embedded?.connectionString ?? "", { log, max: 1 }),
    );
    try {
      await work(database);
    } finally {
      await database.close();
    }
  } finally {
    await embedded?.stop();
  }
}

/** The app's own database, for commands whose work is recorded in the audit log. */
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

/** For commands: errors go to standard error, a sentence each; results to standard output. */
export const commandLog = () =>
  createLog("error", { write: (line) => complain(loggedWords(line)) });

/** @param line of the log, JSON */
function loggedWords(line: string): string {
  const { msg, err } = JSON.parse(line) as { msg?: string; err?: { message?: string } };
  return [msg, err?.message].filter((words) => words !== undefined && words !== "").join(": ");
}

/** Variables that locate the record, its audit log's keys, and the recorded heads of that log. */
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
 * Location of the record and its audit log, from the environment and `.env`.
 * @throws ConfigProblems
 */
export function readStoreConfig(): Config {
  loadEnvironment();
  const names = VARIABLES.flatMap((name) => [name, `${name}_FILE`]);
  const given = names.map((name) => [name, process.env[name]]);
  return parseConfig(Object.fromEntries(given), process.cwd());
}

/** The current secret, created if missing, and the earlier ones. */
export const authSecretsOf = (config: Config): AuthSecrets => [
  ensureAuthSecret(config),
  ...config.earlierAuthSecrets,
];

/** All known secrets; none is created. */
function knownSecrets(config: Config): string[] {
  const secret = findAuthSecret(config);
  return [...(secret === null ? [] : [secret]), ...config.earlierAuthSecrets];
}

/** All known keys that may have signed backups. */
export const readBackupKeys = (config: Config): DerivedKey[] =>
  knownSecrets(config).map((secret) => deriveKey(secret, "backups"));

/** All known keys of the audit log, by id. */
export function readAuditKeys(config: Config): ReadonlyMap<string, Buffer> {
  return keysById([...readKeptKeys(config.dataDir), ...knownSecrets(config).map(deriveAuditKey)]);
}

/** Runs a command; an error is printed as a sentence, and the process exits with 1. */
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

/** The error as a sentence: failures here are expected, and a stack would hide it. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // What names its variable is in words already.
  if (!("code" in error) && /^[A-Z][A-Z_]+: /.test(error.message)) return error.message;
  let innermost = error;
  while (innermost.cause instanceof Error) innermost = innermost.cause;
  const isOfPostgres = "severity" in innermost || isDatabaseOutage(error);
  return isOfPostgres
    ? `The database can't be read: ${plainMessage(innermost)}`
    : plainMessage(error);
}
