import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database, Writer } from "@/lib/server/store/database";
import { readRecordedState } from "@/lib/server/store/history/recorded-endpoints";
import { readRolledUpUntil } from "@/lib/server/store/report/rolled-up-days";
import {
  deleteFinished,
  FINISHED_KINDS,
  measureFinished,
} from "@/lib/server/store/retention-rules";
import {
  deleteExpired,
  hasExpired,
  measureRecord,
  readRecordedCompanies,
  type RecordSize,
} from "@/lib/server/store/sync/retention";
import { ownTime, readClocks, type ClockSource } from "./clock-agreement";
import { repeat } from "./repeat";
import { thinSamples } from "./calls/thin-samples";
import { MINUTE_MS, HOUR_MS, DAY_MS } from "@/lib/domain/time/units";
import { iso } from "@/lib/domain/time/instant";

/** Delayed so that the first snapshots come first. */
const FIRST_AFTER_MS = MINUTE_MS;
const BATCH_ROWS = 1_000;
/** A deletion can have thousands of files. */
const BATCH_FINISHED = 20;
/** Pause between two batches, so that a long clean-up doesn't monopolise the database. */
const REST_MS = 200;
/** Largest share of a company's record deleted per day without a command. */
const MAX_SHARE_OF_RECORD = 0.1;
/** Factor for estimated sizes: even an estimate of twice the true size doesn't exceed the tenth. */
const MAX_SHARE_OF_ESTIMATE = 0.5;
/** Counting all endpoints of a large company each hour would take longer than the clean-up. */
const MAX_ENDPOINTS_COUNTED = 50;
/** Charts of a week compare it with the one before. */
const ALL_CALLS_MS = 14 * DAY_MS;

/** Retained data, identified by log fields, measured and deleted in batches. */
type Kept = {
  fields: Readonly<Record<string, string>>;
  batchRows: number;
  /** Null: nothing has expired. */
  measure: (cutoffMs: number) => Promise<RecordSize | null>;
  deleteBatch: (cutoffMs: number, rows: number) => Promise<number>;
  /** How the rest is deleted if more is expired than is deleted in a day. */
  rest: string;
};

type Options = {
  database: Database;
  /** The leader's. */
  writer: Writer;
  clock: Clock;
  log: Log;
  companies: readonly ClockSource[];
  retentionDays: number;
  disk: { isLow(): Promise<boolean> };
  signal: AbortSignal;
};

/**
 * Deletes rolled-up history older than the retention period, hourly and in small batches, until `signal`
 * aborts: also of companies no longer configured, and finished deletions, displays and pairings. Of older call samples
 * only a few an hour are kept. Nothing is deleted while disk space is low, because deleting needs space first.
 *
 * A clock wrong by months would make all history look expired. So our clock, PostgreSQL's and those of the APIs
 * have to agree (`readClocks`), the earliest counts, and a company's record is older only if its own API's clock
 * says so too; and still no more than a tenth of it is deleted per day, or a twentieth of its estimated size.
 */
export async function enforceRetention(options: Options): Promise<void> {
  const { database, writer, clock, log, disk, signal } = options;
  /** Recently deleted rows by kind, on the monotonic clock. */
  const dropped = new Map<string, { atMs: number; rows: number }[]>();
  let saidMs: number | null = null;
  await repeat(options, { firstAfterMs: FIRST_AFTER_MS, everyMs: HOUR_MS }, cleanUp);

  async function cleanUp(): Promise<void> {
    try {
      const agreed = await agreeOnTheTime();
      if (agreed === null) return;
      for (const company of await readRecordedCompanies(database)) {
        if (signal.aborted || (await disk.isLow())) return;
        await cleanUpCompany(company, agreed);
      }
      for (const what of FINISHED_KINDS) {
        if (signal.aborted || (await disk.isLow())) return;
        await dropExpired(finished(what), agreed - options.retentionDays * DAY_MS);
      }
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err }, "old history could not be dropped; retrying in an hour");
    }
  }

  /** An error doesn't keep the history of other companies. */
  async function cleanUpCompany(company: string, agreedMs: number): Promise<void> {
    try {
      // Reports of its days are derived from it.
      const rolledUpMs = await readRolledUpUntil(database, company);
      const nowMs = ownTime(agreedMs, await readRecordedState(database, company));
      const expiredMs = nowMs - options.retentionDays * DAY_MS;
      await dropExpired(recordOf(company), Math.min(expiredMs, rolledUpMs));
      await thinSamples(options, company, nowMs - ALL_CALLS_MS);
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err, company }, "old history could not be dropped; retrying in an hour");
    }
  }

  /** @returns epoch milliseconds; null while the clocks disagree, or without an API response */
  async function agreeOnTheTime(): Promise<number | null> {
    const clocks = await readClocks(options);
    if (clocks === null) return null;
    if (clocks.agreedMs !== null) return clocks.agreedMs;
    if (isTimeToSay()) {
      const instants = Object.entries(clocks.facts).map(([whose, ms]) => [whose, iso(ms)] as const);
      log.warn(
        { event: "clocks_disagree", ...Object.fromEntries(instants) },
        "no old history is dropped while the clocks disagree",
      );
    }
    return null;
  }

  function recordOf(company: string): Kept {
    const place = { statement: 0 };
    return {
      fields: { company },
      batchRows: BATCH_ROWS,
      measure: (cutoffMs) => measure(company, cutoffMs),
      deleteBatch: (cutoffMs, rows) => deleteExpired(writer, company, cutoffMs, rows, place),
      rest: "the rest goes within the next days, or by `npm run retention`",
    };
  }

  async function measure(company: string, cutoffMs: number): Promise<RecordSize | null> {
    if (!(await hasExpired(database, company, cutoffMs))) return null;
    const size = await measureRecord(database, company, cutoffMs, MAX_ENDPOINTS_COUNTED);
    // What is left of a company that was removed can be counted, so that all of it goes.
    return size.isEstimate && size.rows <= BATCH_ROWS
      ? measureRecord(database, company, cutoffMs)
      : size;
  }

  function finished(what: (typeof FINISHED_KINDS)[number]): Kept {
    return {
      fields: { what },
      batchRows: BATCH_FINISHED,
      async measure(cutoffMs) {
        const size = await measureFinished(database, what, cutoffMs);
        return size.expired === 0 ? null : size;
      },
      deleteBatch: (cutoffMs, rows) => deleteFinished(writer, what, cutoffMs, rows),
      rest: "the rest goes within the next days",
    };
  }

  async function dropExpired(kept: Kept, cutoffMs: number): Promise<void> {
    const key = JSON.stringify(kept.fields);
    const size = await kept.measure(cutoffMs);
    if (size === null) return;
    const share = MAX_SHARE_OF_RECORD * (size.isEstimate ? MAX_SHARE_OF_ESTIMATE : 1);
    const room = Math.ceil(size.rows * share) - droppedLately(key);
    // If all that is expired may be deleted, so may the gaps, files and endpoints that follow it.
    const isAll = !size.isEstimate && size.expired <= room;
    const most = isAll ? Number.POSITIVE_INFINITY : Math.max(0, room);
    let rows = 0;
    try {
      while (!signal.aborted && rows < most) {
        const gone = await kept.deleteBatch(cutoffMs, Math.min(kept.batchRows, most - rows));
        rows += gone;
        if (gone === 0 || (await disk.isLow())) break;
        await clock.sleep(REST_MS, signal);
      }
    } finally {
      if (rows > 0) {
        dropped.set(key, [...(dropped.get(key) ?? []), { atMs: clock.monotonicMs(), rows }]);
        log.info(
          {
            event: "history_dropped",
            ...kept.fields,
            rows,
            of: size.rows,
            from: size.oldestMs === null ? null : iso(size.oldestMs),
            before: iso(cutoffMs),
          },
          "dropped old history",
        );
      }
    }
    if (rows > 0 && (size.expired > most || rows >= most)) {
      const waiting = size.expired - rows;
      log.warn(
        // More than were estimated to be expired have gone: how many are left isn't known.
        {
          event: "history_kept",
          ...kept.fields,
          rows: waiting > 0 ? waiting : null,
          of: size.rows,
        },
        `more history is too old than is deleted in a day: ${kept.rest}`,
      );
    }
  }

  function droppedLately(key: string): number {
    const sinceMs = clock.monotonicMs() - DAY_MS;
    const recent = (dropped.get(key) ?? []).filter(({ atMs }) => atMs > sinceMs);
    dropped.set(key, recent);
    return recent.reduce((sum, { rows }) => sum + rows, 0);
  }

  function isTimeToSay(): boolean {
    const nowMs = clock.monotonicMs();
    if (saidMs !== null && nowMs - saidMs < DAY_MS) return false;
    saidMs = nowMs;
    return true;
  }
}
