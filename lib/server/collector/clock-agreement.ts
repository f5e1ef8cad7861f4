import type { Clock } from "@/lib/server/clock";
import type { Database } from "@/lib/server/store/database";
import { readDatabaseClock } from "@/lib/server/store/sync/retention";

/** An answer of the API that is older than this says nothing of its clock now. */
const HEARD_WITHIN_MS = 3_600_000;
/** Clocks that differ by more do not agree. */
const TOLERATED_MS = 3_600_000;

/**
 * Our clock, PostgreSQL's and those of the APIs that were heard within the hour. What is done once and for all by
 * the date waits until they agree: any one of them may be wrong by months.
 * @returns `agreedMs` is the earliest of them, epoch milliseconds, null while they do not agree; null while no API
 *   is heard
 */
export async function readClocks({
  database,
  clock,
  companies,
}: {
  database: Database;
  clock: Clock;
  /** See `WatchedCompany`. */
  companies: readonly { apiClock: { aheadMs: number; heardMs: number } | null }[];
}): Promise<{
  agreedMs: number | null;
  facts: { ours: number; database: number; api: number };
} | null> {
  const steadyMs = clock.monotonicMs();
  const heard = companies.flatMap(({ apiClock }) =>
    apiClock !== null && steadyMs - apiClock.heardMs <= HEARD_WITHIN_MS
      ? [apiClock.aheadMs + steadyMs]
      : [],
  );
  const [api] = heard;
  if (api === undefined) return null;
  const facts = { ours: clock.nowMs(), database: await readDatabaseClock(database), api };
  const clocks = [facts.ours, facts.database, ...heard];
  const [earliestMs, latestMs] = [Math.min(...clocks), Math.max(...clocks)];
  return { agreedMs: latestMs - earliestMs <= TOLERATED_MS ? earliestMs : null, facts };
}
