/**
 * Progress of a scan through a list that changes while it is read. Positions are 0-based from the head.
 *
 * Files added at the head push the rest towards the end: what has been seen stays behind the scan. Deletions
 * pull the rest forward, by no more than `total_count` has fallen, so as much of the progress is taken back.
 * Changes that leave no trace in `total_count` may cause misses, which the count at the end of the scan
 * reveals.
 */
export type FileCoverage = {
  /** Every file before this position has been seen by the scan, or was added after it started. */
  covered: number;
  /**
   * A further seen range beyond a gap; null: none. Without it, a scan would make no progress while a file is
   * deleted before every page.
   */
  ahead: { from: number; to: number } | null;
  /** Upstream's `total_count` on the last page; null before the first. */
  total: number | null;
};

/** Paging metadata of a page. */
type PageMeta = { page: number; per_page: number; total_count: number };

/** Updates the progress after reading any page. */
export function afterPage(coverage: FileCoverage, meta: PageMeta): FileCoverage {
  const total = meta.total_count;
  const fallen = (coverage.total ?? total) - total;
  // A short page before the end hides something, which the count at the end of the scan reveals.
  const from = (meta.page - 1) * meta.per_page;
  const to = Math.min(from + meta.per_page, Math.max(from, total));
  const { ahead } = coverage;
  const ranges = [{ from, to }];
  if (ahead !== null && fallen >= 0 && ahead.to - fallen > ahead.from) {
    ranges.push({ from: ahead.from, to: ahead.to - fallen });
  }
  let covered = Math.max(0, coverage.covered - Math.max(0, fallen));
  for (const range of ranges.toSorted((a, b) => a.from - b.from)) {
    if (range.from <= covered) covered = Math.max(covered, range.to);
  }
  const beyond = ranges.filter((range) => range.from > covered);
  return { covered, ahead: beyond.toSorted((a, b) => b.to - a.to)[0] ?? null, total };
}

/** Whether the scan has seen the whole list. */
export function isCovered({ covered, total }: FileCoverage): boolean {
  return total !== null && covered >= total;
}

/** The page, 1-based, with the first position not seen yet. */
export function nextPage({ covered }: FileCoverage, perPage: number): number {
  return Math.floor(covered / perPage) + 1;
}

/**
 * Progress of a resumed scan. Shifts in the meantime show in `total_count`; one more page is read again for
 * those that cancelled out.
 */
export function resumed(page: number, total: number | null, perPage: number): FileCoverage {
  return { covered: Math.max(0, page - 2) * perPage, ahead: null, total };
}
