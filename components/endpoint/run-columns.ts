import type { RunCounts } from "@/lib/contracts/history";

/** Filters and columns of the run table; importing the contract's lists would load zod. */
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
