/** How long a page must be visible without interruption to count as a visit. */
export const MIN_VISIT_MS = 10_000;
/** After a longer absence, changes since then are shown; a shorter one continues the visit. */
export const AWAY_MS = 5 * 60_000;

/**
 * Tracks visits of a page. A visit that is long enough is recorded at once, and again at its end: if its end is missed,
 * the recorded time is too early, never too late.
 * @param later calls back after some milliseconds; the function that it returns cancels that
 * @param onViewed called when the page has been viewed until now
 */
export function createVisit({
  later,
  onViewed,
}: {
  later: (run: () => void, ms: number) => () => void;
  onViewed: () => void;
}) {
  let hasViewed = false;
  let stop: (() => void) | null = null;
  return {
    /** The page became visible. */
    begin() {
      if (hasViewed || stop !== null) return;
      stop = later(() => {
        stop = null;
        hasViewed = true;
        onViewed();
      }, MIN_VISIT_MS);
    },
    /** The page was hidden or closed. */
    end() {
      stop?.();
      stop = null;
      if (hasViewed) onViewed();
      hasViewed = false;
    },
  };
}
