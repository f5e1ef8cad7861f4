import path from "node:path";
import { parseArgs } from "node:util";
import type { Pausable } from "@/lib/domain/pause";
import { readHeadFile, writeHeadFile } from "@/lib/server/store/audit/head-file";
import { verifyAudit } from "@/lib/server/store/audit/verify-audit";
import type { Manifest } from "@/lib/server/store/backup/manifest";
import { restoreBackup } from "@/lib/server/store/backup/restore-backup";
import { freeBytes } from "@/lib/server/store/disk";
import { startEmbeddedPostgres } from "@/lib/server/store/embedded/start-embedded-postgres";
import { openStore } from "@/lib/server/store/open-store";
import type { Config } from "@/lib/server/config/config";
import { CommandError } from "@/lib/v3-service/command";
import { createProgress, sizeText } from "./progress";
import { say } from "./terminal";
import {
  commandLog,
  readAuditKeys,
  readBackupKeys,
  readStoreConfig,
  runCommand,
} from "./with-database";

/** Everything that a restore pauses, and where it is resumed. */
const PAUSED: Readonly<Record<Pausable, string>> = {
  deletions: "deletions, on the Schedule files page",
  links: "share links, at /settings/links",
  displays: "displays, at /settings/displays",
  tokens: "API tokens, at /settings/tokens",
  deliveries: "messages, at /settings/channels",
};

/** Output of a restore: what has ended and what is paused. */
const PAUSED_LINES = [
  "Everyone is signed out. Invitations and password links no longer work.",
  "Paused until an administrator resumes them:",
  ...Object.values(PAUSED).map((line) => `  ${line}`),
];

const USAGE = `Name one backup: npm run restore -- FILE

Backups are signed with a key that follows from AUTH_SECRET; EARLIER_AUTH_SECRETS count, too.
  --trust-unverified-file   restores a file that isn't signed, or that was signed with another AUTH_SECRET or by others.
                            Whatever it says then holds: who is an administrator, and what the record shows.`;

/**
 * `npm run restore -- FILE`: restores a backup into an empty database, of DATABASE_URL or in DATA_DIR, migrates it and
 * checks its audit log. Exits 1 if it wasn't restored, and also if the audit log isn't intact. The file must be signed
 * with one of our keys, unless `--trust-unverified-file` is given.
 */
await runCommand(async () => {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { "trust-unverified-file": { type: "boolean", default: false } },
  });
  const [name] = positionals;
  if (name === undefined || positionals.length > 1) throw new CommandError(USAGE);
  const isTrusted = values["trust-unverified-file"];
  const file = path.resolve(name);
  const config = readStoreConfig();
  const log = commandLog();
  const stopping = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => stopping.abort(new Error("Stopped; nothing was restored.")));
  }
  let embedded: Awaited<ReturnType<typeof startEmbeddedPostgres>> | null = null;
  const progress = createProgress(process.stdout, () => performance.now());
  const open = async (manifest: Manifest): Promise<string> => {
    const given = config.databaseMigrationUrl ?? config.databaseUrl;
    if (given !== null) return given;
    embedded = await startEmbeddedPostgres({
      dataDir: config.dataDir,
      log,
      bin: config.postgresBin,
    });
    await refuseWithoutRoom(config.dataDir, manifest);
    return embedded.connectionString;
  };
  try {
    const { manifest, skipped } = await restoreBackup(open, file, {
      log,
      projectRoot: process.cwd(),
      keys: isTrusted ? null : readBackupKeys(config),
      nowMs: Date.now(),
      signal: stopping.signal,
      onProgress: (doing, done) =>
        progress.show(doing === "check" ? "Checking the file" : "Restoring", done),
    })
      .finally(() => progress.clear())
      .catch((error: unknown) => {
        throw stopping.signal.aborted ? stopping.signal.reason : error;
      });
    for (const table of skipped) {
      say(`Left out: the table ${table}, which isn't Plumbline's.`);
    }
    const rows = manifest.tables.reduce((total, table) => total + table.rows, 0);
    say(`Restored ${rows.toLocaleString("en-US")} rows as of ${manifest.created_at}.`);
    if (isTrusted) {
      say("Its signature wasn't checked, as --trust-unverified-file says.");
    }
    await check(config, manifest);
  } finally {
    await (embedded as { stop(): Promise<void> } | null)?.stop();
  }
});

async function refuseWithoutRoom(dataDir: string, { tables }: Manifest): Promise<void> {
  const needed = tables.reduce((total, { bytes }) => total + bytes, 0);
  const free = await freeBytes(dataDir);
  if (free >= needed) return;
  throw new Error(
    `The backup needs ${sizeText(needed)} at least, and ${dataDir} has room for ${sizeText(free)}. Nothing was changed.`,
  );
}

/** Opens the database as the app does, and checks its audit log against the externally recorded heads. */
async function check(config: Config, manifest: Manifest): Promise<void> {
  const { auditHeadFile } = config;
  const heads = new Map(Object.entries(manifest.audit_heads));
  // An existing record of heads is left alone; a new place starts with those of the backup.
  if (heads.size > 0 && (await readHeadFile(auditHeadFile)) === null) {
    await writeHeadFile(auditHeadFile, heads, async () => {});
  }
  const store = await openStore(config, { log: commandLog(), max: 1 });
  try {
    const { lines, isIntact } = await verifyAudit(
      store.database,
      readAuditKeys(config),
      auditHeadFile,
    );
    say("Audit log:");
    for (const line of lines) say(`  ${line}`);
    if (!isIntact) {
      say(
        `The database is restored, but its audit log isn't what is recorded or can't be checked here. If rows are missing at its end because they're newer than the backup, move ${auditHeadFile} away to accept that.`,
      );
      process.exitCode = 1;
    }
    for (const line of PAUSED_LINES) say(line);
  } finally {
    await store.stop();
  }
}
