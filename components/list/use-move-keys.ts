import { useEffect, type RefObject } from "react";
import { isTypedInto } from "./is-handled-elsewhere";
import { useEarlyKeys } from "./use-early-keys";

const WANTS_KEYS =
  "input, textarea, select, button, a, [role=menu], [role=dialog], [role=alertdialog]";

/**
 * J, K, arrows, Home and End move through the rows, except where other elements need these keys;
 * including keys pressed before hydration.
 */
export function useMoveKeys(
  body: RefObject<HTMLElement | null>,
  active: number,
  count: number,
  moveTo: (index: number) => void,
) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      const isInGrid = target !== null && (body.current?.contains(target) ?? false);
      const isFree = isInGrid || target?.closest(WANTS_KEYS) === null;
      if (!isFree || isTypedInto(target)) return;
      const to = destination(event.key, isInGrid, active, count);
      if (to === null) return;
      event.preventDefault();
      moveTo(to);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [body, active, count, moveTo]);
  useEarlyKeys();
}

/** Arrows scroll the page unless the focus is in the grid; J and K always move between rows. */
function destination(key: string, isInGrid: boolean, active: number, count: number): number | null {
  if (key === "j" || (key === "ArrowDown" && isInGrid)) return isInGrid ? active + 1 : active;
  if (key === "k" || (key === "ArrowUp" && isInGrid)) return isInGrid ? active - 1 : active;
  if (key === "Home" && isInGrid) return 0;
  return key === "End" && isInGrid ? count - 1 : null;
}
