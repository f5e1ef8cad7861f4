import { checksPerWindow, rhythmOf, type RhythmGiven } from "./rhythm";
import type { Snapshots } from "./snapshots";

/**
 * The most pages that polls of the companies of one host read within any `WINDOW_MS`, as far as their last
 * polls tell. What they do may be less for a while: they slow down at once and quicken later.
 * @returns infinite while one of them has never been polled: nobody knows how long its list is
 */
export function pollPagesPerWindow(
  snapshots: Pick<Snapshots, "get">,
  companies: readonly string[],
  polling: Omit<RhythmGiven, "pages">,
): number {
  const states = companies.map((company) => snapshots.get(company)?.state);
  if (states.includes(undefined)) return Number.POSITIVE_INFINITY;
  const pages = states.map((state) => Math.max(1, state?.totalPages ?? 1));
  const total = pages.reduce((sum, count) => sum + count, 0);
  return total * checksPerWindow(rhythmOf({ ...polling, pages }));
}
