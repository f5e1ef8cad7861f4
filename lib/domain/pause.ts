/** What acts on its own or lets people in, and waits after a restore until an administrator lets it go on. */
export const PAUSABLE = ["deletions", "deliveries", "displays", "links"] as const;
export type Pausable = (typeof PAUSABLE)[number];

/** Beside them after a restore, until the next start has written the restore into the activity log. */
export const UNLOGGED_RESTORE = "log";

/** Why it waits. */
export const PAUSE_REASONS = ["restored"] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** Something that waits. `backupAtMs`: when the backup was made that was restored, epoch milliseconds; null: not known. */
export type Paused = { what: Pausable; backupAtMs: number | null };
