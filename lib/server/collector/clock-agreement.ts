import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import { readDatabaseClock } from "@/lib/server/store/sync/retention";

/** An older API response says nothing about its clock now. */
const RECEIVED_WITHIN_MS = 3_600_000;
/** Largest difference between clocks that counts as agreement. */
const TOLERATED_MS = 3_600_000;

/**
 * Reads our clock, PostgreSQL's, and those of the APIs that responded within the hour. Irreversible work that
 * depends on the date waits until they agree, since any one of them may be wrong by months.
 * @returns `agreedMs` is the earliest clock, epoch milliseconds, null while they disagree; null without a
 * recent API response
 */
export async function readClocks({
  database,
  clock,
  companies,
}: {
  database: Database;
  clock: Clock;
  /** See `WatchedCompany`. */
  companies: readonly { apiClock: { aheadMs: number; receivedMs: number } | null }[];
}): Promise<{
  agreedMs: number | null;
  facts: { ours: number; database: number; api: number };
} | null> {
  const steadyMs = clock.monotonicMs();
  const apiClocks = companies.flatMap(({ apiClock }) =>
    apiClock !== null && steadyMs - apiClock.receivedMs <= RECEIVED_WITHIN_MS
      ? [apiClock.aheadMs + steadyMs]
      : [],
  );
  const [api] = apiClocks;
  if (api === undefined) return null;
  const facts = { ours: clock.nowMs(), database: await readDatabaseClock(database), api };
  const clocks = [facts.ours, facts.database, ...apiClocks];
  const [earliestMs, latestMs] = [Math.min(...clocks), Math.max(...clocks)];
  return { agreedMs: latestMs - earliestMs <= TOLERATED_MS ? earliestMs : null, facts };
}
