/** A mark on the ribbon: its position, 0 to 1 of the width, and the share that its name takes. */
export type Placed = { share: number; widthShare: number };

/**
 * Distributes marks over as few lanes as their names allow.
 * @param marks ascending by `share`
 * @param lanes number of lanes
 * @returns the lane of each mark, 0 at the top; null when its name fits on none
 */
export function layLanes(marks: readonly Placed[], lanes: number): (number | null)[] {
  const endOf: number[] = Array.from({ length: lanes }, () => 0);
  return marks.map(({ share, widthShare }) => {
    // Near the right edge a name is left of its mark.
    const from = isFlipped({ share, widthShare }) ? share - widthShare : share;
    const lane = endOf.findIndex((end) => end <= from);
    if (lane === -1) return null;
    endOf[lane] = from + widthShare;
    return lane;
  });
}

/** Whether the name would extend beyond the ribbon on the right. */
export function isFlipped({ share, widthShare }: Placed): boolean {
  return share + widthShare > 1;
}
