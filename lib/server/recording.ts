import type { Clock } from "./clock";
import type { Log } from "./log";

/** Why the database takes no writes at all; null: it does, as far as is known. */
export type DatabaseProblem = "database_away" | "database_read_only" | null;

/** `write_failed`: the database answers, and can't take what was observed of a company. */
export const STOPPED_REASONS = [
  "disk_full",
  "database_away",
  "database_read_only",
  "write_failed",
] as const;

/** Why recording is stopped, and since when, epoch milliseconds. */
export type RecordingStopped = { reason: (typeof STOPPED_REASONS)[number]; sinceMs: number };

/** Whether this process can record its observations. Shown on every page and in metrics, and changes are logged. */
export type Recording = {
  /**
   * @param company omitted: of any company
   * @returns null: recording works
   */
  stopped(company?: string): RecordingStopped | null;
  /** Reports how the database answered. */
  databaseAnswered(problem: DatabaseProblem): void;
  /** Reports whether what a check observed of a company was recorded; null: this process no longer checks it. */
  checkRecorded(company: string, isRecorded: boolean | null): void;
  /** Checks the disk periodically until `stop`. */
  start(): void;
  stop(): Promise<void>;
};

/** Interval of disk checks; `disk` doesn't measure more often either. */
const LOOK_MS = 5_000;
/** Checks in a row that aren't recorded; one may fail by chance. */
const FAILED_CHECKS = 2;

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
  let databaseProblem: DatabaseProblem = null;
  let isDiskFull = false;
  /** Companies whose last checks weren't recorded although the database answered. */
  const unrecorded = new Map<string, { checks: number; sinceMs: number }>();
  const stopping = new AbortController();
  let looking: Promise<void> = Promise.resolve();

  /** Of the company, or of the first that failed. */
  function failedOf(company: string | undefined): RecordingStopped | null {
    const failed = [...unrecorded].find(
      ([slug, { checks }]) => (company ?? slug) === slug && checks >= FAILED_CHECKS,
    );
    return failed === undefined ? null : { reason: "write_failed", sinceMs: failed[1].sinceMs };
  }

  function resumed(sinceMs: number, of: { company?: string }): void {
    const seconds = Math.round((clock.nowMs() - sinceMs) / 1000);
    log.info({ event: "recording_resumed", ...of, seconds }, "observations are recorded again");
  }

  function note(): void {
    const reason = databaseProblem ?? (isDiskFull ? "disk_full" : null);
    if (reason === (now?.reason ?? null)) return;
    if (reason === null) resumed(now?.sinceMs ?? 0, {});
    else {
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
    stopped: (company) => now ?? failedOf(company),
    databaseAnswered(problem) {
      databaseProblem = problem;
      note();
    },
    checkRecorded(company, isRecorded) {
      const before = unrecorded.get(company);
      if (isRecorded !== false) {
        unrecorded.delete(company);
        if (isRecorded && before !== undefined && before.checks >= FAILED_CHECKS)
          resumed(before.sinceMs, { company });
      } else if (now === null) {
        const checks = (before?.checks ?? 0) + 1;
        unrecorded.set(company, { checks, sinceMs: before?.sinceMs ?? clock.nowMs() });
        if (checks === FAILED_CHECKS)
          log.warn(
            { event: "recording_stopped", reason: "write_failed", company },
            "observations of a company are not being recorded",
          );
      }
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
