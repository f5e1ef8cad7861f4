import { useLayoutEffect, useRef, type RefObject } from "react";

const GLIDE_MS = 160;
const EASE = "cubic-bezier(0.2, 0, 0, 1)";

/**
 * Animates lines that new data has moved to their new positions. Changes that the person made are
 * immediate, as is everything with reduced motion.
 * @param keys of all lines in order; `offsets` their starts, pixels
 * @param filterKey the filters as one string
 */
export function useGlide(
  board: RefObject<HTMLElement | null>,
  keys: readonly string[],
  offsets: readonly number[],
  filterKey: string,
) {
  const last = useRef({ keys, offsets, filterKey });
  useLayoutEffect(() => {
    const before = last.current;
    last.current = { keys, offsets, filterKey };
    if (before.keys === keys || before.filterKey !== filterKey || isSameOrder(before.keys, keys))
      return;
    if (window.matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    const topBefore = new Map(before.keys.map((key, at) => [key, before.offsets[at] ?? 0]));
    const topNow = new Map(keys.map((key, at) => [key, offsets[at] ?? 0]));
    for (const line of board.current?.querySelectorAll<HTMLElement>("[data-line]") ?? []) {
      const key = line.dataset["line"] ?? "";
      const fromPx = topBefore.get(key);
      const farPx = window.innerHeight;
      const movedPx = fromPx === undefined ? 0 : fromPx - (topNow.get(key) ?? fromPx);
      if (movedPx === 0) continue;
      const startPx = Math.max(-farPx, Math.min(farPx, movedPx));
      line.animate([{ transform: `translateY(${startPx}px)` }, { transform: "none" }], {
        duration: GLIDE_MS,
        easing: EASE,
      });
    }
  }, [board, keys, offsets, filterKey]);
}

function isSameOrder(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((key, at) => key === b[at]);
}
