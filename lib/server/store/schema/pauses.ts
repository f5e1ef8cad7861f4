import { pgTable, text } from "drizzle-orm/pg-core";
import type { PauseReason, Pausable, UNLOGGED_RESTORE } from "@/lib/domain/pause";
import { instant } from "./instant";

/** What waits for an administrator to resume it, one row each; no row: running. On our clock. */
export const pauses = pgTable("pauses", {
  what: text().$type<Pausable | typeof UNLOGGED_RESTORE>().primaryKey(),
  since: instant("since").notNull(),
  reason: text().$type<PauseReason>().notNull(),
  /** When the restored backup was made; null: paused for another reason. */
  backupAt: instant("backup_at"),
});
