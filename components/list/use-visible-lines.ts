import { useCallback, useLayoutEffect, useMemo, useRef, useState, type RefObject } from "react";
import { flushSync } from "react-dom";
import { offsetsOf, rangeWithin } from "./line-range";

/** The keys at the foot of the window hide this much of it. */
const KEYS_BAR_PX = 28;
/** Height that the server draws for; a taller window fills up as soon as it is hydrated. */
const SERVER_WINDOW_PX = 800;

/**
 * Which lines are worth drawing. Every height is known beforehand, so nothing is ever measured but where
 * the board lies in the window; it scrolls with the page.
 * @param board its first element is the head, which sticks to the top of the window
 * @param heights of all lines, pixels
 * @param isWhole all of them, as on paper
 * @param coveredPx what lies over the foot of the window
 * @param more how many lines to draw beyond either edge, at least 1: the one that the focus goes to next
 * @returns where each line begins, `[first, end)` of those to draw, the heights of those above and below,
 * and `reveal`, which scrolls no further than needed to show a line
 */
export function useVisibleLines(
  board: RefObject<HTMLElement | null>,
  heights: readonly number[],
  isWhole: boolean,
  coveredPx = KEYS_BAR_PX,
  more?: number,
) {
  const offsets = useMemo(() => offsetsOf(heights), [heights]);
  // As pixels, not as lines: other lines are drawn where the window is at once, without another look.
  const [seen, setSeen] = useState<Seen>({ fromPx: 0, untilPx: SERVER_WINDOW_PX });
  const range = useMemo(
    () => rangeWithin(offsets, seen.fromPx, seen.untilPx, more),
    [offsets, seen, more],
  );

  const latest = useRef(offsets);
  useLayoutEffect(() => {
    latest.current = offsets;
  }, [offsets]);
  const look = useCallback(() => {
    const body = board.current;
    if (body === null) return;
    const fromPx = -linesTop(body);
    const next = { fromPx, untilPx: fromPx + window.innerHeight };
    setSeen((last) => (showsSame(latest.current, last, next, more) ? last : next));
  }, [board, more]);
  useLayoutEffect(() => {
    // At once: later the window would show for a moment where no line is drawn yet.
    const lookNow = () => flushSync(look);
    // Also tells of its target once before the first paint: the board is looked at then.
    const observer = new ResizeObserver(lookNow);
    observer.observe(document.body);
    window.addEventListener("scroll", lookNow, { passive: true });
    window.addEventListener("resize", lookNow);
    return () => {
      observer.disconnect();
      window.removeEventListener("scroll", lookNow);
      window.removeEventListener("resize", lookNow);
    };
  }, [look]);

  const reveal = useCallback(
    (index: number) => {
      const body = board.current;
      if (body === null) return;
      const linesPx = linesTop(body);
      const topPx = linesPx + (offsets[index] ?? 0);
      const bottomPx = linesPx + (offsets[index + 1] ?? 0);
      const lowestPx = window.innerHeight - coveredPx;
      if (topPx < headPx(body)) window.scrollBy(0, topPx - headPx(body));
      else if (bottomPx > lowestPx) window.scrollBy(0, bottomPx - lowestPx);
      look();
    },
    [board, offsets, look, coveredPx],
  );

  const count = heights.length;
  const first = isWhole ? 0 : Math.min(range.first, count);
  const end = isWhole ? count : Math.min(range.end, count);
  const totalPx = offsets[count] ?? 0;
  return {
    offsets,
    first,
    end,
    abovePx: offsets[first] ?? 0,
    belowPx: totalPx - (offsets[end] ?? totalPx),
    reveal,
  };
}

type Seen = { fromPx: number; untilPx: number };

function showsSame(offsets: readonly number[], a: Seen, b: Seen, more?: number): boolean {
  const [before, now] = [a, b].map(({ fromPx, untilPx }) =>
    rangeWithin(offsets, fromPx, untilPx, more),
  );
  return before?.first === now?.first && before?.end === now?.end;
}

/** 0 where the head is not shown. */
function headPx(body: HTMLElement): number {
  return body.firstElementChild?.clientHeight ?? 0;
}

/** Top of the first line, relative to the window. */
function linesTop(body: HTMLElement): number {
  return body.getBoundingClientRect().top + headPx(body);
}
