import type { Database } from "@/lib/server/store/database";
import { TOLERATED_MS, type DatabaseTime } from "@/lib/server/store/database-time";
import { readAuthenticated } from "@/lib/server/store/people/own-sessions";

/** Irreversible actions require an authentication at most this long ago. */
export const RECENT_MS = 60 * 60_000;

/**
 * Whether the person of a session has authenticated within `RECENT_MS`, on PostgreSQL's clock. Not cached, because the
 * reauthentication may have happened on another instance. Rejects with database errors.
 * @param sessionId the session's public id
 */
export type RecentSignIn = (sessionId: string) => Promise<boolean>;

export function createRecentSignIn({
  database,
  time,
}: {
  database: Database;
  time: DatabaseTime;
}): RecentSignIn {
  return async (sessionId) => {
    const row = await readAuthenticated(database.orm, sessionId);
    if (row === null || row.authenticatedAtMs === null) return false;
    // `ms`, not `judgedMs`: after a jump of the clock a person authenticates once more, and that then counts.
    const agoMs = time.observe(row.databaseMs).ms - row.authenticatedAtMs;
    return agoMs >= -TOLERATED_MS && agoMs < RECENT_MS;
  };
}
