/** Lines rendered beyond either edge, so that scrolling finds them there. */
const OVERSCAN = 3;

/**
 * Start of each line and, last, the total height.
 * @param heights pixels
 * @returns one more than there are lines, ascending, the first one 0
 */
export function offsetsOf(heights: readonly number[]): readonly number[] {
  let sum = 0;
  return [0, ...heights.map((height) => (sum += height))];
}

/**
 * The lines within a window, and some beyond its edges.
 * @param offsets from `offsetsOf`
 * @param fromPx top of the window, negative above the first line; `untilPx` its bottom
 * @param more how many beyond either edge
 * @returns `[first, end)`
 */
export function rangeWithin(
  offsets: readonly number[],
  fromPx: number,
  untilPx: number,
  more = OVERSCAN,
): { first: number; end: number } {
  const count = offsets.length - 1;
  return {
    first: Math.max(0, lineAt(offsets, fromPx) - more),
    end: Math.min(count, lineAt(offsets, untilPx) + 1 + more),
  };
}

/** The last line that starts at or above a height; the first one for heights above all. */
function lineAt(offsets: readonly number[], px: number): number {
  let low = 0;
  let high = offsets.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((offsets[middle] ?? 0) <= px) low = middle;
    else high = middle - 1;
  }
  return low;
}
