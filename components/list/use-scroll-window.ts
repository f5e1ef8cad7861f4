import { useEffect, useState, type RefObject } from "react";

/** Rows beyond the edge of the box, and the initial number before it is measured. */
const MORE_ROWS = 12;

/** The rows of equal height to render in a scroll container: `[first, end)`. */
export function useScrollWindow(
  box: RefObject<HTMLElement | null>,
  rowCount: number,
  rowPx: number,
) {
  const [top, setTop] = useState(0);
  useEffect(() => {
    const element = box.current;
    if (element === null) return;
    const look = () => setTop(Math.floor(element.scrollTop / rowPx));
    element.addEventListener("scroll", look, { passive: true });
    return () => element.removeEventListener("scroll", look);
  }, [box, rowPx]);
  const first = Math.max(0, Math.min(top, rowCount - 1) - MORE_ROWS);
  return { first, end: Math.min(rowCount, top + 2 * MORE_ROWS) };
}
