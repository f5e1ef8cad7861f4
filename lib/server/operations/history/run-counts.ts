import type { RunCounts } from "@/lib/contracts/history";
import type { RunStatistics } from "@/lib/server/store/history/recorded-runs";

/** Outcomes that we don't know are counted as the rest. */
export function countsView({ count, counts }: Pick<RunStatistics, "count" | "counts">): RunCounts {
  const named = Object.values(counts).reduce((sum, value) => sum + value, 0);
  return { ...counts, other: count - named };
}
