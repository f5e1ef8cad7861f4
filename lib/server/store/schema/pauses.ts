import { pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { PauseReason, Pausable, UNLOGGED_RESTORE } from "@/lib/domain/pause";

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** What waits for an administrator to resume it, one row each; no row: running. On our clock. */
export const pauses = pgTable("pauses", {
  what: text().$type<Pausable | typeof UNLOGGED_RESTORE>().primaryKey(),
  since: instant("since").notNull(),
  reason: text().$type<PauseReason>().notNull(),
  /** When the restored backup was made; null: paused for another reason. */
  backupAt: instant("backup_at"),
});
