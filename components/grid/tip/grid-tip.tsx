"use client";

import {
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type RefObject,
} from "react";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { lazyPart } from "@/components/ui/lazy-part";
import { DETAIL_CELLS, type TipTarget } from "./detail-cells";

// Without it, the page only lacks its tooltips.
const CellTip = lazyPart(() => import("./cell-tip"), null);

/** Ignores a pointer that only passes over. */
const HOVER_MS = 350;

type Given = {
  board: RefObject<HTMLElement | null>;
  /** The endpoint of a line; null for other lines. */
  rowAt: (lineKey: string) => SyncStatusRow | null;
};

/**
 * The grid's single tooltip. Follows the pointer over cells with `data-cell`, and the keyboard
 * focus: on a row it explains the age, on a cell that cell. Escape closes it.
 * @param filterKey the filters as one string: a change may have moved the line under the tooltip
 */
export function GridTip({ filterKey, ...given }: Given & { filterKey: string }) {
  const isNew = useRef(true);
  const takeNew = useCallback(() => {
    const wasNew = isNew.current;
    isNew.current = false;
    return wasNew;
  }, []);
  return <Tip key={filterKey} takeNew={takeNew} {...given} />;
}

function Tip({ board, rowAt, takeNew }: Given & { takeNew: () => boolean }) {
  const [target, setTarget] = useState<TipTarget | null>(null);
  const close = useCallback(() => setTarget(null), []);
  useTargets(board, takeNew, setTarget);
  const row = target === null ? null : rowAt(target.lineKey);
  useLayoutEffect(() => {
    // A filter change may give the element to another line, which only the rendered page shows.
    // oxlint-disable-next-line react/set-state-in-effect
    if (target !== null && lineAt(target.element) !== target.lineKey) close();
  });
  return target === null || row === null ? null : (
    <Suspense>
      <CellTip target={target} row={row} onClose={close} />
    </Suspense>
  );
}

function lineAt(element: HTMLElement): string | undefined {
  return element.closest<HTMLElement>("[data-line]")?.dataset["line"];
}

/**
 * Finds the cell to explain, from pointer and focus within the board.
 * @param takeNew whether a cell may have been entered before this mounted: true at most once
 */
function useTargets(
  board: RefObject<HTMLElement | null>,
  takeNew: () => boolean,
  setTarget: (target: TipTarget | null) => void,
) {
  useEffect(() => {
    const grid = board.current;
    if (grid === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOpen = false;
    const show = (target: TipTarget | null) => {
      clearTimeout(timer);
      isOpen = target !== null;
      setTarget(target);
    };
    const targetAt = (node: EventTarget | null, focused: HTMLElement | null): TipTarget | null => {
      if (!(node instanceof Element)) return null;
      const line = node.closest<HTMLElement>("[data-line]");
      const element =
        node.closest<HTMLElement>("[data-cell]") ??
        (focused === null ? null : line?.querySelector<HTMLElement>('[data-cell="age"]'));
      const lineKey = line?.dataset["line"];
      const cell = DETAIL_CELLS.find((name) => name === element?.dataset["cell"]);
      if (!element || lineKey === undefined || cell === undefined) return null;
      // The explanation that it opens would be covered.
      if (focused === null && cell === "verdict" && element instanceof HTMLButtonElement)
        return null;
      return { element, focused, lineKey, cell };
    };
    const onOver = (event: PointerEvent) => {
      if (event.pointerType !== "mouse") return;
      const target = targetAt(event.target, null);
      clearTimeout(timer);
      if (target === null || isOpen) show(target);
      else timer = setTimeout(() => show(target), HOVER_MS);
    };
    const onFocus = (event: FocusEvent) => {
      const node = event.target;
      // Pointers also focus, but hover already covers them.
      if (!(node instanceof HTMLElement) || !node.matches(":focus-visible")) return;
      show(targetAt(node, node));
    };
    const close = () => show(null);
    if (takeNew()) {
      const focused = grid.querySelector<HTMLElement>(":focus-visible");
      const hovered = [...grid.querySelectorAll(":hover")].at(-1) ?? null;
      if (focused !== null) show(targetAt(focused, focused));
      else timer = setTimeout(() => show(targetAt(hovered, null)), HOVER_MS);
    }
    grid.addEventListener("pointerover", onOver);
    grid.addEventListener("pointerleave", close);
    grid.addEventListener("pointerdown", close);
    grid.addEventListener("focusin", onFocus);
    grid.addEventListener("focusout", close);
    return () => {
      clearTimeout(timer);
      grid.removeEventListener("pointerover", onOver);
      grid.removeEventListener("pointerleave", close);
      grid.removeEventListener("pointerdown", close);
      grid.removeEventListener("focusin", onFocus);
      grid.removeEventListener("focusout", close);
    };
  }, [board, takeNew, setTarget]);
}
