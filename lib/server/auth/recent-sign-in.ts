import type { Database } from "@/lib/server/store/database";
import { TOLERATED_MS, type DatabaseTime } from "@/lib/server/store/database-time";
import { readAuthenticated } from "@/lib/server/store/people/own-sessions";

/** What cannot be undone needs somebody who has proven who they are within this. */
export const RECENT_MS = 60 * 60_000;

/**
 * Whether the person of a session has proven who they are lately, on PostgreSQL's clock, and asked anew each
 * time: another instance may have seen it. Rejects when the database does not answer.
 * @param sessionId its public id
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
    // Not the time that ends are judged by: after a jump of the clock somebody is asked once more, and let in by it.
    const agoMs = time.heard(row.databaseMs).ms - row.authenticatedAtMs;
    return agoMs >= -TOLERATED_MS && agoMs < RECENT_MS;
  };
}
