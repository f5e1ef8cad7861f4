import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import { deleteExpired } from "@/lib/server/store/sync/retention";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The first clean-up leaves the start to the first snapshots. */
const FIRST_AFTER_MS = 60_000;
const BATCH_ROWS = 2_000;
/** Between two batches, so that a long clean-up never has the database to itself. */
const REST_MS = 200;

/**
 * Drops what is older than the retention, hourly and in small batches, until `signal` aborts.
 * Nothing is dropped while the disk is low: deleting writes first.
 */
export async function keepRetention(options: {
  database: Database;
  clock: Clock;
  log: Log;
  companies: readonly { slug: string; state: { apiClockOffsetMs: number } }[];
  retentionDays: number;
  disk: { isLow(): Promise<boolean> };
  signal: AbortSignal;
}): Promise<void> {
  const { database, clock, log, companies, disk, signal } = options;
  try {
    await clock.sleep(FIRST_AFTER_MS, signal);
    while (!signal.aborted) {
      for (const { slug, state } of companies) {
        // The record's instants are on the API's clock.
        const apiNowMs = clock.nowMs() + state.apiClockOffsetMs;
        await dropExpired(slug, apiNowMs - options.retentionDays * DAY_MS);
      }
      await clock.sleep(HOUR_MS, signal);
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }

  async function dropExpired(company: string, cutoffMs: number): Promise<void> {
    let dropped = 0;
    try {
      while (!signal.aborted && !(await disk.isLow())) {
        const rows = await deleteExpired(database, company, cutoffMs, BATCH_ROWS);
        if (rows === 0) break;
        dropped += rows;
        await clock.sleep(REST_MS, signal);
      }
    } catch (err) {
      if (signal.aborted) return;
      log.warn({ err, company }, "old history could not be dropped; tried again in an hour");
    }
    if (dropped > 0) log.info({ company, rows: dropped }, "dropped old history");
  }
}
