import { pgTable, text, timestamp } from "drizzle-orm/pg-core";
import type { PauseReason, Pausable, UNLOGGED_RESTORE } from "@/lib/domain/pause";

const instant = (name: string) => timestamp(name, { withTimezone: true, precision: 3 });

/** What has to wait until an administrator lets it go on: a row each, and none for what goes on. On our clock. */
export const pauses = pgTable("pauses", {
  what: text().$type<Pausable | typeof UNLOGGED_RESTORE>().primaryKey(),
  since: instant("since").notNull(),
  reason: text().$type<PauseReason>().notNull(),
  /** When the backup was made that was restored; null: it has another reason. */
  backupAt: instant("backup_at"),
});
