/** What is paused after a restore, until an administrator resumes it: background jobs and public access. */
export const PAUSABLE = ["deletions", "deliveries", "displays", "links", "tokens"] as const;
export type Pausable = (typeof PAUSABLE)[number];

/** Stored beside the pauses after a restore, until the next start has written the restore to the activity log. */
export const UNLOGGED_RESTORE = "log";

/** Reasons of a pause. */
export const PAUSE_REASONS = ["restored"] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];

/** A pause. `backupAtMs`: when the restored backup was made, epoch milliseconds; null: unknown. */
export type Paused = { what: Pausable; backupAtMs: number | null };
