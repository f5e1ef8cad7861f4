import {
  useCallback,
  useLayoutEffect,
  useRef,
  useState,
  type FocusEvent,
  type RefObject,
} from "react";
import { useMoveKeys } from "./use-move-keys";

/**
 * Keyboard navigation of a windowed table: keys move the focus between rows, also to one that isn't rendered yet. They
 * continue at the row that was focused last, even when it is scrolled away.
 * @param table contains the rows, each with its key in `data-line`
 * @param keys of all rows, in order
 * @param primary selector of the element of a row that gets the focus
 * @param reveal scrolls to a row, by index
 * @returns the focus handler of the table
 */
export function useRowFocus(
  table: RefObject<HTMLElement | null>,
  keys: readonly string[],
  primary: string,
  reveal: (index: number) => void,
): (event: FocusEvent) => void {
  const [activeKey, setActiveKey] = useState<string | null>(null);
  const active = Math.max(0, activeKey === null ? 0 : keys.indexOf(activeKey));
  /** The row to focus once it is rendered. */
  const wanted = useRef<string | null>(null);
  const focusWanted = useCallback(() => {
    if (wanted.current === null) return;
    const row = table.current?.querySelector(`[data-line="${CSS.escape(wanted.current)}"]`);
    const target = row?.querySelector<HTMLElement>(primary);
    if (target == null) return;
    wanted.current = null;
    target.focus({ preventScroll: true });
  }, [table, primary]);
  useLayoutEffect(focusWanted);
  const moveTo = useCallback(
    (to: number) => {
      const key = keys[to];
      if (key === undefined) return;
      reveal(to);
      wanted.current = key;
      setActiveKey(key);
      focusWanted();
    },
    [keys, reveal, focusWanted],
  );
  useMoveKeys(table, active, keys.length, moveTo);
  return useCallback((event) => {
    const row = event.target.closest<HTMLElement>("[data-line]");
    if (row !== null) setActiveKey(row.dataset["line"] ?? null);
  }, []);
}
