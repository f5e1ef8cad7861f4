import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import { isDatabaseOutage } from "@/lib/server/outage";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
/** The same reason is told again after so long. */
const TELL_AGAIN_MS = 60_000;

/** How a start waits for its database. */
export type Waiting = {
  clock: Clock;
  /** Aborts when the process is told to stop. */
  signal: AbortSignal;
  /** Called with true when waiting begins, with false when the database answers. */
  onWait: (isWaiting: boolean) => void;
};

/**
 * Opens a database, and goes on trying while it's away: a start must not depend on which of two machines is up
 * first. Says in the log what it waits for: at once, whenever the reason changes, and each minute.
 * @param open tried again while what it throws says that the database is away, starting, or full
 * @param where names the database in the log, without a password
 * @throws whatever else `open` throws; the signal's reason
 */
export async function awaitDatabase<T>(
  open: () => Promise<T>,
  { clock, signal, onWait }: Waiting,
  { where, log }: { where: string; log: Log },
): Promise<T> {
  const begunMs = clock.monotonicMs();
  let told = null as { reason: string; atMs: number } | null;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    signal.throwIfAborted();
    try {
      const opened = await open();
      const waitedSeconds = Math.round((clock.monotonicMs() - begunMs) / 1000);
      if (told !== null) {
        log.info({ event: "database_answered", where, waitedSeconds }, "the database answers");
        onWait(false);
      }
      return opened;
    } catch (error) {
      if (!isDatabaseOutage(error)) throw error;
      const reason = error instanceof Error ? error.message : String(error);
      const nowMs = clock.monotonicMs();
      if (told === null) onWait(true);
      if (told?.reason !== reason || nowMs - told.atMs >= TELL_AGAIN_MS) {
        told = { reason, atMs: nowMs };
        log.warn(
          { event: "database_awaited", where, reason },
          "Waiting for the database. Plumbline starts when it answers.",
        );
      }
      await clock.sleep(waitMs, signal);
    }
  }
}
