import path from "node:path";
import type { ClientBase } from "pg";
import type { DerivedKey } from "@/lib/server/keys";
import type { Log } from "@/lib/server/log";
import type { Migration } from "@/lib/server/store/journals";
import {
  makeBackupFolder,
  nameOfBackup,
  prune,
  readDatabaseBytes,
  readShortage,
  removePartial,
} from "./kept-backups";
import { writeBackup } from "./write-backup";

/** Neither repeated failing starts nor years of upgrades may fill the disk. */
const KEPT = 3;

/**
 * Backs up an embedded database before it is upgraded. For one process at a time.
 * @param options.nowMs our clock, epoch milliseconds
 * @param options.measure free bytes of a directory; default: measured
 * @returns the backup's file
 * @throws Error with a readable message when there isn't enough space for it and the upgrade
 */
export async function backUpBefore(
  client: ClientBase,
  newest: Migration,
  options: {
    connectionString: string;
    dataDir: string;
    log: Log;
    /** Signing key of the file. */
    key: DerivedKey;
    build: string;
    nowMs: number;
    /** Aborts on shutdown. */
    signal?: AbortSignal | undefined;
    measure?: ((directory: string) => Promise<number>) | undefined;
  },
): Promise<string> {
  const { connectionString, dataDir, log, measure, ...rest } = options;
  const folder = await makeBackupFolder(dataDir);
  // A backup is smaller than its database; the remainder is for tables that the upgrade rewrites.
  const shortage = await readShortage(dataDir, await readDatabaseBytes(client), measure);
  if (shortage !== null) {
    const [needed, free] = [shortage.needed, shortage.free].map((bytes) => Math.ceil(bytes / 1e6));
    throw new Error(
      `the database has to be upgraded, and ${needed} MB must be free for the upgrade and a backup from before it; ${free} MB are. Free some space and start again. Nothing was changed.`,
    );
  }
  await removePartial(dataDir, "before");
  const file = path.join(folder, nameOfBackup("before", newest.tag, rest.nowMs));
  log.info({ event: "backup_before_upgrade", file }, "backing up before the upgrade");
  const { bytes } = await writeBackup(connectionString, file, { log, ...rest });
  await prune(dataDir, "before", { kept: KEPT, newest: file });
  log.info({ event: "backup_kept", file, bytes }, "backed up before the upgrade");
  return file;
}
