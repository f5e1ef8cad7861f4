import type { Database } from "@/lib/server/store/database";

/** Reserved for health checks and background jobs, whatever the request load. */
const KEPT = 8;
/** Limit for polls, deliveries and backups, so that health checks don't queue behind them. */
const BACKGROUND = 6;
/** Keeps the embedded API's load from delaying our polls and user requests. */
const SERVICE = 4;

/**
 * Divides a database's connections. Requests use the pool it was opened with, and may exhaust it.
 * @returns `kept`: for health checks and notifications; `background`: for background jobs; `service`: for the
 * embedded API
 */
export function allotConnections(database: Database): {
  kept: Database;
  background: Database;
  service: Database;
} {
  const kept = database.apart(KEPT);
  return { kept, background: kept.share(BACKGROUND), service: database.apart(SERVICE) };
}
