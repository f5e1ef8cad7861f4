import type { Database } from "@/lib/server/store/database";

/** However much is asked for, health and what goes on by itself have connections of their own, ... */
const KEPT = 8;
/** ... most of them for polls, deliveries and backups, so that health doesn't wait behind these either. */
const BACKGROUND = 6;
/** What the embedded API answers must make neither our own polls wait, nor people. */
const SERVICE = 4;

/**
 * Who takes which connections of a database: requests those that it was opened with, which they can use up.
 * @returns `kept`: for health and what must be told; `background`: for what goes on by itself; `service`: for the
 *   embedded API
 */
export function allotConnections(database: Database): {
  kept: Database;
  background: Database;
  service: Database;
} {
  const kept = database.apart(KEPT);
  return { kept, background: kept.share(BACKGROUND), service: database.apart(SERVICE) };
}
