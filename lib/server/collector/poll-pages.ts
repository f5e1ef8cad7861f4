import { checksPerWindow, rhythmOf, type RhythmGiven } from "./rhythm";
import type { Snapshots } from "./snapshots";

/**
 * Upper bound of the pages that polls of one host's companies read within any `WINDOW_MS`, according to their
 * last polls. The actual number may be lower for a while, because intervals shorten only gradually.
 * @returns infinite while any of them has never been polled, since its list's length is unknown
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
