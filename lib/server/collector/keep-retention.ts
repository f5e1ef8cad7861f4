import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database, Writer } from "@/lib/server/store/database";
import {
  deleteExpired,
  measureRecord,
  readDatabaseClock,
  readRecordedCompanies,
} from "@/lib/server/store/sync/retention";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The first clean-up leaves the start to the first snapshots. */
const FIRST_AFTER_MS = 60_000;
const BATCH_ROWS = 2_000;
/** Between two batches, so that a long clean-up never has the database to itself. */
const REST_MS = 200;
/** An answer of the API that is older than this says nothing of its clock now. */
const HEARD_WITHIN_MS = HOUR_MS;
/** Clocks that differ by more do not agree. */
const TOLERATED_MS = HOUR_MS;
/** What may go of a company's record in a day, without anybody's word. */
const MOST_OF_A_RECORD = 0.1;

type Options = {
  database: Database;
  /** The leader's. */
  writer: Writer;
  clock: Clock;
  log: Log;
  companies: readonly {
    slug: string;
    /** See `WatchedCompany`. */
    apiClock: { aheadMs: number; heardMs: number } | null;
  }[];
  retentionDays: number;
  disk: { isLow(): Promise<boolean> };
  signal: AbortSignal;
};

/**
 * Drops what is older than the retention, hourly and in small batches, until `signal` aborts: also of companies
 * that are configured no more. Nothing is dropped while the disk is low: deleting writes first.
 *
 * A clock that is wrong by months would make all history old. So our clock, PostgreSQL's and that of an API,
 * heard within the hour, have to agree; the earliest of them counts; and even then no more than a tenth of a
 * company's record goes in a day.
 */
export async function keepRetention(options: Options): Promise<void> {
  const { database, writer, clock, log, companies, disk, signal } = options;
  /** By company, what went in the last days: on the steady clock. */
  const dropped = new Map<string, { atMs: number; rows: number }[]>();
  let saidMs: number | null = null;
  try {
    await clock.sleep(FIRST_AFTER_MS, signal);
    while (!signal.aborted) {
      await cleanUp();
      await clock.sleep(HOUR_MS, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }

  async function cleanUp(): Promise<void> {
    try {
      const agreed = await agreeOnTheTime();
      if (agreed === null) return;
      const cutoffMs = agreed - options.retentionDays * DAY_MS;
      for (const company of await readRecordedCompanies(database)) {
        if (signal.aborted || (await disk.isLow())) return;
        await dropExpired(company, cutoffMs);
      }
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err }, "old history could not be dropped; tried again in an hour");
    }
  }

  /** @returns the earliest of the clocks, epoch milliseconds; null while they do not agree, or the API is silent */
  async function agreeOnTheTime(): Promise<number | null> {
    const steadyMs = clock.monotonicMs();
    const heard = companies.flatMap(({ apiClock }) =>
      apiClock !== null && steadyMs - apiClock.heardMs <= HEARD_WITHIN_MS
        ? [apiClock.aheadMs + steadyMs]
        : [],
    );
    if (heard.length === 0) return null;
    const databaseMs = await readDatabaseClock(database);
    const clocks = [clock.nowMs(), databaseMs, ...heard];
    const [earliestMs, latestMs] = [Math.min(...clocks), Math.max(...clocks)];
    if (latestMs - earliestMs <= TOLERATED_MS) return earliestMs;
    if (isTimeToSay()) {
      const facts = { ours: clock.nowMs(), database: databaseMs, api: heard[0] ?? 0 };
      const instants = Object.entries(facts).map(([whose, ms]) => [whose, instant(ms)] as const);
      log.warn(
        { event: "clocks_disagree", ...Object.fromEntries(instants) },
        "no old history is dropped while the clocks disagree",
      );
    }
    return null;
  }

  async function dropExpired(company: string, cutoffMs: number): Promise<void> {
    const size = await measureRecord(database, company, cutoffMs);
    const room = Math.ceil(size.rows * MOST_OF_A_RECORD) - droppedLately(company);
    // Where all of the record may go, so may the gaps, files and endpoints that come after it.
    const most = size.expired <= room ? Number.POSITIVE_INFINITY : Math.max(0, room);
    let rows = 0;
    try {
      while (!signal.aborted && rows < most) {
        const batch = Math.min(BATCH_ROWS, most - rows);
        const gone = await deleteExpired(writer, company, cutoffMs, batch);
        if (gone === 0 || (await disk.isLow())) break;
        rows += gone;
        await clock.sleep(REST_MS, signal);
      }
    } finally {
      if (rows > 0) {
        dropped.set(company, [
          ...(dropped.get(company) ?? []),
          { atMs: clock.monotonicMs(), rows },
        ]);
        log.info(
          {
            event: "history_dropped",
            company,
            rows,
            of: size.rows,
            from: size.oldestMs === null ? null : instant(size.oldestMs),
            before: instant(cutoffMs),
          },
          "dropped old history",
        );
      }
    }
    if (size.expired > most && rows > 0) {
      log.warn(
        { event: "history_kept", company, rows: size.expired - rows, of: size.rows },
        "more than a tenth of the history is too old: the rest goes a tenth a day, or by `npm run retention`",
      );
    }
  }

  function droppedLately(company: string): number {
    const sinceMs = clock.monotonicMs() - DAY_MS;
    const recent = (dropped.get(company) ?? []).filter(({ atMs }) => atMs > sinceMs);
    dropped.set(company, recent);
    return recent.reduce((sum, { rows }) => sum + rows, 0);
  }

  function isTimeToSay(): boolean {
    const nowMs = clock.monotonicMs();
    if (saidMs !== null && nowMs - saidMs < DAY_MS) return false;
    saidMs = nowMs;
    return true;
  }
}

function instant(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
