import path from "node:path";
import { parseArgs } from "node:util";
import { readBuild } from "@/lib/server/build";
import { ensureAuthSecret } from "@/lib/server/config/config";
import { deriveKey } from "@/lib/server/keys";
import { writeBackup } from "@/lib/server/store/backup/write-backup";
import { createProgress, sizeText } from "./progress";
import { say } from "./terminal";
import { commandLog, readStoreConfig, runCommand, withDatabaseAsItIs } from "./with-database";

/**
 * `npm run backup -- FILE`: a consistent copy of the whole database in one file. May run beside the app. Exits 1 and
 * leaves no file if it fails or is stopped.
 */
await runCommand(async () => {
  const { positionals } = parseArgs({ allowPositionals: true });
  const [given] = positionals;
  if (given === undefined || positionals.length > 1) {
    throw new Error("Name one file to write the backup to: npm run backup -- FILE");
  }
  const file = path.resolve(given);
  const config = readStoreConfig();
  const key = deriveKey(ensureAuthSecret(config), "backups");
  const build = await readBuild(process.cwd(), false).catch(() => "unknown");
  const stopping = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.once(name, () => stopping.abort(new Error("Stopped; no backup was kept.")));
  }
  await withDatabaseAsItIs(config, async (database) => {
    if (database === null) throw new Error(`There's no database in ${config.dataDir} yet.`);
    const progress = createProgress(process.stdout, () => performance.now());
    try {
      const { bytes, rows } = await writeBackup(database.connectionString, file, {
        log: commandLog(),
        key,
        build,
        nowMs: Date.now(),
        signal: stopping.signal,
        onProgress: (done) => progress.show("Backing up", done),
      });
      progress.clear();
      say(`${file}: ${rows.toLocaleString("en-US")} rows, ${sizeText(bytes)}`);
    } catch (error) {
      progress.clear();
      throw stopping.signal.aborted ? stopping.signal.reason : error;
    }
  });
});
