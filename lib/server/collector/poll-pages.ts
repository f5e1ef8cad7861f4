import { WINDOW_MS } from "@/lib/server/upstream/budget";
import type { Snapshots } from "./snapshots";

/**
 * The most pages that polls of some companies read within any `WINDOW_MS`, as far as their last polls tell.
 * @returns infinite while one of them has never been polled: nobody knows how long its list is
 */
export function pollPagesPerWindow(
  snapshots: Pick<Snapshots, "get">,
  companies: readonly string[],
): number {
  return companies
    .map((company) => {
      const state = snapshots.get(company)?.state;
      if (state === undefined) return Number.POSITIVE_INFINITY;
      const polls = Math.ceil(WINDOW_MS / (state.rhythmSeconds * 1000));
      return Math.max(1, state.totalPages) * polls;
    })
    .reduce((sum, pages) => sum + pages, 0);
}
