/** How long a page has to be visible without a break for a visit to count. */
export const LOOK_MS = 10_000;
/** Somebody who was away for longer is told of what changed meanwhile; for less their visit goes on. */
export const AWAY_MS = 5 * 60_000;

/**
 * Follows whether somebody looks at a page. A visit that is long enough counts at once, and again when it ends: where
 * its end is never heard of, too early a moment is kept, never too late a one.
 * @param later calls back after some milliseconds, unless what it returns is called before
 * @param onLooked told that somebody has looked until now
 */
export function createVisit({
  later,
  onLooked,
}: {
  later: (run: () => void, ms: number) => () => void;
  onLooked: () => void;
}) {
  let hasLooked = false;
  let stop: (() => void) | null = null;
  return {
    /** The page is visible. */
    begin() {
      if (hasLooked || stop !== null) return;
      stop = later(() => {
        stop = null;
        hasLooked = true;
        onLooked();
      }, LOOK_MS);
    },
    /** It isn't any more, or it goes. */
    end() {
      stop?.();
      stop = null;
      if (hasLooked) onLooked();
      hasLooked = false;
    },
  };
}
