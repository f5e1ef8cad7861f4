import { readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import type { ClientBase } from "pg";
import { makeFolder } from "@/lib/server/file-problem.mjs";
import { freeBytes } from "@/lib/server/store/disk";

/** Directory in DATA_DIR for automatic backups. */

const FOLDER = "backups";
const SUFFIX = ".plumbline";
/** Reserved for recording. */
const SPARE_BYTES = 200 * 1024 * 1024;

/** `daily` backups, and those made `before` an upgrade. */
type Kind = "daily" | "before";

/** A complete backup. */
export type KeptBackup = {
  file: string;
  /** Parsed from its name, epoch milliseconds. */
  atMs: number;
  bytes: number;
};

export const backupFolder = (dataDir: string) => path.join(dataDir, FOLDER);

/** Creates the directory, readable only by this user. */
export async function makeBackupFolder(dataDir: string): Promise<string> {
  const folder = backupFolder(dataDir);
  makeFolder(folder);
  return folder;
}

/**
 * `daily-2026-03-02T03-00-00.000Z.plumbline`, with dashes for characters unsuitable in file names. @param of
 * subject, in front of the time
 */
export function nameOfBackup(kind: Kind, of: string | null, nowMs: number): string {
  const time = new Date(nowMs).toISOString().replaceAll(":", "-");
  return `${[kind, ...(of === null ? [] : [of]), time].join("-")}${SUFFIX}`;
}

/** Backups of a kind, oldest first; none if the directory is missing. */
export async function readKept(dataDir: string, kind: Kind): Promise<KeptBackup[]> {
  const folder = backupFolder(dataDir);
  const names = await namesIn(folder);
  const found = names
    .filter((name) => name.startsWith(`${kind}-`) && name.endsWith(SUFFIX))
    .map(async (name) => {
      const file = path.join(folder, name);
      const time = /(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d\.\d{3}Z)\.plumbline$/.exec(name);
      const atMs = time === null ? Number.NaN : Date.parse(`${time[1]}:${time[2]}:${time[3]}`);
      // It may be removed concurrently.
      const info = await stat(file).catch(() => null);
      return info === null || Number.isNaN(atMs) ? [] : [{ file, atMs, bytes: info.size }];
    });
  return (await Promise.all(found)).flat().toSorted((a, b) => a.atMs - b.atMs);
}

/** Removes partial files of killed processes. Call only as the sole writer of this kind. */
export async function removePartial(dataDir: string, kind: Kind): Promise<void> {
  const folder = backupFolder(dataDir);
  for (const name of await namesIn(folder)) {
    if (name.startsWith(`${kind}-`) && name.endsWith(`${SUFFIX}.partial`)) {
      await rm(path.join(folder, name), { force: true });
    }
  }
}

/**
 * Removes the oldest backups until `kept` are left.
 * @param newest always stays: it may look old if the clock was set back
 */
export async function prune(
  dataDir: string,
  kind: Kind,
  { kept, newest }: { kept: number; newest: string },
): Promise<void> {
  const others = (await readKept(dataDir, kind)).filter(({ file }) => file !== newest);
  for (const { file } of others.slice(0, Math.max(0, others.length - kept + 1))) {
    await rm(file, { force: true });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
}

/** Size of a database on disk, bytes. */
export async function readDatabaseBytes(client: Pick<ClientBase, "query">): Promise<number> {
  const { rows } = await client.query<{ bytes: string }>(
    "select pg_database_size(current_database()) as bytes",
  );
  return Number(rows[0]?.bytes ?? 0);
}

/**
 * Checks whether there is space for this many bytes.
 * @returns free and needed bytes if there isn't; null: enough space
 */
export async function readShortage(
  dataDir: string,
  bytes: number,
  measure = freeBytes,
): Promise<{ free: number; needed: number } | null> {
  const needed = bytes + SPARE_BYTES;
  const free = await measure(dataDir);
  return free < needed ? { free, needed } : null;
}
