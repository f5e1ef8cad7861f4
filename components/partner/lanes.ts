/** A mark on the ribbon: where it stands, 0 to 1 of the width, and how much of the width its name takes. */
export type Placed = { share: number; widthShare: number };

/**
 * Puts marks on as few lines as their names allow.
 * @param marks ascending by `share`
 * @param lanes how many lines there are
 * @returns for each mark its line, 0 at the top; null when its name finds room on none
 */
export function layLanes(marks: readonly Placed[], lanes: number): (number | null)[] {
  const endOf: number[] = Array.from({ length: lanes }, () => 0);
  return marks.map(({ share, widthShare }) => {
    // Near the right edge a name stands before its mark.
    const from = isFlipped({ share, widthShare }) ? share - widthShare : share;
    const lane = endOf.findIndex((end) => end <= from);
    if (lane === -1) return null;
    endOf[lane] = from + widthShare;
    return lane;
  });
}

/** Whether the name would leave the ribbon on the right. */
export function isFlipped({ share, widthShare }: Placed): boolean {
  return share + widthShare > 1;
}
