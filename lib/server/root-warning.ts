import type { Log } from "./log";

/**
 * Says once why running as root is unwise.
 * @param uid of this process; undefined where the system knows none
 */
export function warnOfRoot(log: Pick<Log, "warn">, uid: number | undefined): void {
  if (uid !== 0) return;
  log.warn(
    "Plumbline is running as root, so a flaw in it would expose the whole machine; run it as a user that owns DATA_DIR.",
  );
}
