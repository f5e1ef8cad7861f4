import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import { plainCause } from "@/lib/server/file-problem.mjs";
import { isDatabaseOutage } from "@/lib/server/outage";

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 5_000;
/** Interval at which an unchanged reason is logged again. */
const TELL_AGAIN_MS = 60_000;

/** How startup waits for its database. */
export type Waiting = {
  clock: Clock;
  /** Aborts on shutdown. */
  signal: AbortSignal;
  /** Called with true when waiting starts and with false once the database answers. */
  onWait: (isWaiting: boolean) => void;
};

/**
 * Opens a database, retrying while it is unreachable, so that startup doesn't depend on which machine is up
 * first. Logs what it waits for: at once, whenever the reason changes, and once a minute.
 * @param open retried while its errors say that the database is unreachable, starting, or out of connections
 * @param where names the database in the log, without a password
 * @throws any other error of `open`; the signal's reason
 */
export async function awaitDatabase<T>(
  open: () => Promise<T>,
  { clock, signal, onWait }: Waiting,
  { where, log }: { where: string; log: Log },
): Promise<T> {
  const begunMs = clock.monotonicMs();
  let lastReport = null as { reason: string; atMs: number } | null;
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    signal.throwIfAborted();
    try {
      const opened = await open();
      const waitedSeconds = Math.round((clock.monotonicMs() - begunMs) / 1000);
      if (lastReport !== null) {
        log.info({ event: "database_answered", where, waitedSeconds }, "the database answers");
        onWait(false);
      }
      return opened;
    } catch (error) {
      if (!isDatabaseOutage(error)) throw error;
      const reason = plainCause(error);
      const nowMs = clock.monotonicMs();
      if (lastReport === null) onWait(true);
      if (lastReport?.reason !== reason || nowMs - lastReport.atMs >= TELL_AGAIN_MS) {
        lastReport = { reason, atMs: nowMs };
        log.warn(
          { event: "database_awaited", where, reason },
          "Waiting for the database. Plumbline starts when it answers.",
        );
      }
      await clock.sleep(waitMs, signal);
    }
  }
}
