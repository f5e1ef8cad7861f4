/** What acts on its own, and waits after a restore until an administrator lets it go on. */
export const PAUSABLE = ["deletions"] as const;
export type Pausable = (typeof PAUSABLE)[number];

/** Why it waits. */
export const PAUSE_REASONS = ["restored"] as const;
export type PauseReason = (typeof PAUSE_REASONS)[number];
