import type { Log } from "@/lib/server/log";

/**
 * Logs a warning when running as root.
 * @param uid of this process; undefined on systems without user ids
 */
export function warnOfRoot(log: Pick<Log, "warn">, uid: number | undefined): void {
  if (uid !== 0) return;
  log.warn(
    "Plumbline is running as root, so a flaw in it would expose the whole machine; run it as a user that owns DATA_DIR.",
  );
}
