/**
 * How far a scan through a list that moves while it is read has come. Positions count from 0 at the head.
 *
 * Files that arrive at the head push the rest towards the end: what has been seen stays behind us. Files
 * that go pull it forward, past us, by no more than `total_count` has fallen; so as much of what we have
 * seen is taken back. What moves beyond a gap without a trace in `total_count` may be missed: counting at
 * the end of the scan tells.
 */
export type FileCoverage = {
  /** Every file before this position has been seen by the scan, or came after it began. */
  covered: number;
  /**
   * The same for this stretch beyond a gap; null: there is none. Without it a scan would stand still while
   * a file goes before every page.
   */
  ahead: { from: number; to: number } | null;
  /** Upstream's `total_count` of the last page; null before the first. */
  total: number | null;
};

/** What a page says of itself. */
type PageMeta = { page: number; per_page: number; total_count: number };

/** Takes a page into account that was read just now, whichever it was. */
export function afterPage(coverage: FileCoverage, meta: PageMeta): FileCoverage {
  const total = meta.total_count;
  const fallen = (coverage.total ?? total) - total;
  // A page that is short before the end hides something: counting at the end of the scan tells.
  const from = (meta.page - 1) * meta.per_page;
  const to = Math.min(from + meta.per_page, Math.max(from, total));
  const { ahead } = coverage;
  const stretches = [{ from, to }];
  if (ahead !== null && fallen >= 0 && ahead.to - fallen > ahead.from) {
    stretches.push({ from: ahead.from, to: ahead.to - fallen });
  }
  let covered = Math.max(0, coverage.covered - Math.max(0, fallen));
  for (const stretch of stretches.toSorted((a, b) => a.from - b.from)) {
    if (stretch.from <= covered) covered = Math.max(covered, stretch.to);
  }
  const beyond = stretches.filter((stretch) => stretch.from > covered);
  return { covered, ahead: beyond.toSorted((a, b) => b.to - a.to)[0] ?? null, total };
}

/** Whether the scan has seen the whole list. */
export function isCovered({ covered, total }: FileCoverage): boolean {
  return total !== null && covered >= total;
}

/** The page with the first position that has not been seen, from 1. */
export function nextPage({ covered }: FileCoverage, perPage: number): number {
  return Math.floor(covered / perPage) + 1;
}

/**
 * A scan that goes on after a while. What shifted meanwhile shows in `total_count`; one page more is read
 * again for what came and went without a trace in it.
 */
export function resumed(page: number, total: number | null, perPage: number): FileCoverage {
  return { covered: Math.max(0, page - 2) * perPage, ahead: null, total };
}
