import { useCallback, useLayoutEffect, useMemo, useRef, useState, type RefObject } from "react";
import { flushSync } from "react-dom";
import { offsetsOf, rangeWithin } from "./line-range";

/** Height of the window that the keys bar covers. */
const KEYS_BAR_PX = 28;
/** Window height that the server renders for; a taller window is filled after hydration. */
const SERVER_WINDOW_PX = 800;

/**
 * The lines to render. Every height is known in advance, so only the board's position in the window
 * is measured; it scrolls with the page.
 * @param board its first element is the header, which sticks to the top of the window
 * @param heights of all lines, pixels
 * @param isWhole all of them, as in print
 * @param coveredPx height covered at the bottom of the window
 * @param more lines rendered beyond either edge, at least 1: the next to be focused
 * @returns start of each line, `[first, end)` of those to render, the heights above and below, and
 *   `reveal`, which scrolls no further than needed to show a line
 */
export function useVisibleLines(
  board: RefObject<HTMLElement | null>,
  heights: readonly number[],
  isWhole: boolean,
  coveredPx = KEYS_BAR_PX,
  more?: number,
) {
  const offsets = useMemo(() => offsetsOf(heights), [heights]);
  // In pixels rather than lines, so that a change of lines needs no new measurement.
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
    // Synchronously: otherwise the window would briefly show space without lines.
    const lookNow = () => flushSync(look);
    // Also reports its target once before the first paint, which measures the board.
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

/** 0 where the header is hidden. */
function headPx(body: HTMLElement): number {
  return body.firstElementChild?.clientHeight ?? 0;
}

/** Top of the first line, relative to the window. */
function linesTop(body: HTMLElement): number {
  return body.getBoundingClientRect().top + headPx(body);
}
