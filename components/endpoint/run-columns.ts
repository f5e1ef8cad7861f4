import type { RunCounts } from "@/lib/contracts/history";

/** What the table of runs can be narrowed to and sorted by; the contract's own lists bring zod along. */
export const RUN_FILTERS = [
  "completed",
  "failed",
  "timed_out",
  "rate_limited",
  "in_progress",
  "other",
] as const satisfies readonly (keyof RunCounts)[];

export const RUN_SORTS = ["started", "duration", "status"] as const;
export type RunSort = (typeof RUN_SORTS)[number];
