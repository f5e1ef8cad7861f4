import type { Clock } from "./clock";
import type { Log } from "./log";

/** Why recording is stopped, and since when, epoch milliseconds. */
export type RecordingStopped = { reason: "disk_full" | "database_away"; sinceMs: number };

/** Whether this process can record its observations. Shown on every page and in metrics, and changes are logged. */
export type Recording = {
  /** Null: recording works. */
  stopped(): RecordingStopped | null;
  /** Reports whether the database answered. */
  databaseAnswered(isAnswering: boolean): void;
  /** Checks the disk periodically until `stop`. */
  start(): void;
  stop(): Promise<void>;
};

/** Interval of disk checks; `disk` doesn't measure more often either. */
const LOOK_MS = 5_000;

export function createRecording({
  clock,
  log,
  disk,
}: {
  clock: Clock;
  log: Log;
  disk: { isLow(): Promise<boolean> };
}): Recording {
  let now: RecordingStopped | null = null;
  let isDatabaseAway = false;
  let isDiskFull = false;
  const stopping = new AbortController();
  let looking: Promise<void> = Promise.resolve();

  function note(): void {
    const reason = isDatabaseAway ? "database_away" : isDiskFull ? "disk_full" : null;
    if (reason === (now?.reason ?? null)) return;
    if (reason === null) {
      const seconds = Math.round((clock.nowMs() - (now?.sinceMs ?? 0)) / 1000);
      log.info({ event: "recording_resumed", seconds }, "observations are recorded again");
    } else {
      log.warn({ event: "recording_stopped", reason }, "observations are not being recorded");
    }
    now = reason === null ? null : { reason, sinceMs: clock.nowMs() };
  }

  async function look(): Promise<void> {
    while (!stopping.signal.aborted) {
      isDiskFull = await disk.isLow();
      note();
      await clock.sleep(LOOK_MS, stopping.signal).catch(() => {});
    }
  }

  return {
    stopped: () => now,
    databaseAnswered(isAnswering) {
      isDatabaseAway = !isAnswering;
      note();
    },
    start() {
      looking = look();
    },
    async stop() {
      stopping.abort();
      await looking;
    },
  };
}
