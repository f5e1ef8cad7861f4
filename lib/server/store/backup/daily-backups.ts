import { stat } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "@/lib/server/clock";
import type { DerivedKey } from "@/lib/server/keys";
import type { Log } from "@/lib/server/log";
import type { Database, Writer } from "@/lib/server/store/database";
import type { DiskGuard } from "@/lib/server/store/disk";
import { createLeadership, type Leadership } from "@/lib/server/store/leader";
import {
  makeBackupFolder,
  nameOfBackup,
  prune,
  readDatabaseBytes,
  readKept,
  readShortage,
  removePartial,
} from "./kept-backups";
import { writeBackup } from "./write-backup";
import { HOUR_MS } from "@/lib/domain/time/units";

/** Hour of low activity, in the server's time zone. */
const QUIET_HOUR = 3;
/** For a machine that is off at night, the backup is made by day: slightly longer than the longest day. */
const OVERDUE_MS = 26 * HOUR_MS;
const LOOK_EVERY_MS = 60_000;
const RETRY_MS = 10 * 60_000;
const LOCK_RETRY_MS = 10_000;

/** Why a day's backup hasn't been made. */
type NotMade = "disk" | "error";

type DailyOptions = {
  database: Pick<Database, "connectionString" | "orm" | "pool">;
  dataDir: string;
  /** Number of backups to keep; at least 1. */
  kept: number;
  /** Signing key. */
  key: DerivedKey;
  build: string;
  clock: Clock;
  log: Log;
  disk: DiskGuard;
  /** Free bytes of a directory; default: measured. */
  measure?: (directory: string) => Promise<number>;
  /** Called on each attempt without a backup. */
  onNotMade?: (why: NotMade) => void;
};

/**
 * Makes daily backups in DATA_DIR, in one process among all that share a database.
 * @param options.random returns 0 to 1, exclusive
 */
export function createDailyBackups(options: DailyOptions & { random: () => number }): Leadership {
  const { database, clock, random, log } = options;
  return createLeadership({
    database,
    of: "backups",
    clock,
    random,
    log,
    retryMs: LOCK_RETRY_MS,
    lead: (signal, writer) => keepDaily({ ...options, writer }, signal),
  });
}

/**
 * Makes a daily backup until `signal` aborts, pruning the oldest. Without enough space it is skipped, and made
 * once there is. For one process at a time.
 * @param options.writer the leader's, so that a deposed leader neither starts nor deletes a backup
 */
export async function keepDaily(
  options: DailyOptions & { writer: Writer },
  signal: AbortSignal,
): Promise<void> {
  const { database, dataDir, kept, key, build, clock, log, disk, measure } = options;
  const { onNotMade = () => {}, writer } = options;
  const stillLeads = () => writer.orm.transaction(async () => {});
  /** The last problem logged, so that each is logged once. */
  let lastLogged: NotMade | null = null;

  while (!signal.aborted) {
    const waitMs = await look().catch((err: unknown) => {
      if (signal.aborted) return 0;
      onNotMade("error");
      if (lastLogged !== "error")
        log.warn({ event: "backup_failed", err }, "no backup could be made");
      lastLogged = "error";
      return RETRY_MS;
    });
    await clock.sleep(waitMs, signal).catch(() => {});
  }

  /** @returns delay until the next check, milliseconds */
  async function look(): Promise<number> {
    const folder = await makeBackupFolder(dataDir);
    const nowMs = clock.nowMs();
    // A backup dated in the future was made while the clock was wrong, and doesn't count.
    const last = (await readKept(dataDir, "daily")).findLast(({ atMs }) => atMs <= nowMs);
    if (!isDue(nowMs, last?.atMs ?? null, await bornMs(folder))) return LOOK_EVERY_MS;
    await stillLeads();
    // Only the leader writes these, so any partial file was left by a dead process.
    await removePartial(dataDir, "daily");
    const bytes = (last?.bytes ?? (await readDatabaseBytes(database.pool)) / 2) * 1.25;
    const shortage = await readShortage(dataDir, bytes, measure);
    if (shortage !== null) {
      onNotMade("disk");
      if (lastLogged !== "disk") {
        log.warn({ event: "backup_skipped", ...shortage }, "there is no room for today's backup");
      }
      lastLogged = "disk";
      return LOOK_EVERY_MS;
    }
    const file = path.join(folder, nameOfBackup("daily", null, nowMs));
    const made = await writeBackup(database.connectionString, file, {
      log,
      key,
      build,
      nowMs,
      signal,
      mayGoOn: async () => {
        if (await disk.isLow()) throw new Error("the disk is nearly full");
      },
    });
    await stillLeads();
    await prune(dataDir, "daily", { kept, newest: file });
    log.info({ event: "backup_kept", file, ...made }, "today's backup is made");
    lastLogged = null;
    return LOOK_EVERY_MS;
  }
}

/**
 * Whether a backup is due now. Epoch milliseconds.
 * @param lastMs when the last one was made; null: none
 * @param sinceMs since when one could have been made
 */
export function isDue(nowMs: number, lastMs: number | null, sinceMs: number): boolean {
  const quiet = new Date(nowMs);
  quiet.setHours(QUIET_HOUR, 0, 0, 0);
  if (quiet.getTime() > nowMs) {
    quiet.setDate(quiet.getDate() - 1);
    quiet.setHours(QUIET_HOUR, 0, 0, 0);
  }
  const isQuiet = nowMs - quiet.getTime() < HOUR_MS;
  if (isQuiet && (lastMs ?? 0) < quiet.getTime()) return true;
  return nowMs - (lastMs ?? sinceMs) > OVERDUE_MS;
}

/** Creation time of the folder. */
async function bornMs(folder: string): Promise<number> {
  const { birthtimeMs, mtimeMs } = await stat(folder);
  // On file systems without a birth time.
  return birthtimeMs > 0 ? birthtimeMs : mtimeMs;
}

/** The newest complete backup, daily or before an upgrade; null: none, or unreadable. */
export async function readLastBackup(
  dataDir: string,
): Promise<{ atMs: number; bytes: number } | null> {
  const kept = [...(await readKept(dataDir, "daily")), ...(await readKept(dataDir, "before"))];
  return kept.toSorted((a, b) => a.atMs - b.atMs).at(-1) ?? null;
}
