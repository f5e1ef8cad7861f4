import { useState } from "react";

/** A list item: `key` is unique and stable, elements are shared by lines of one `kind`. */
type Line = { key: string; kind: string };

/** An element that renders a line: its React key, and the line. */
export type Slot<L extends Line> = { slot: number; line: L };

/** All rendered elements, top to bottom; `next` is the first unused number. */
export type Slots<L extends Line> = { taken: readonly Slot<L>[]; next: number };

export const NO_SLOTS = { taken: [], next: 0 } as const satisfies Slots<Line>;

/** Each line keeps its element, wherever it is now; others get new ones. */
export function keepSlots<L extends Line>(before: Slots<L>, drawn: readonly L[]): Slots<L> {
  const had = new Map(before.taken.map(({ slot, line }) => [line.key, slot]));
  let { next } = before;
  const taken = drawn.map((line) => ({ slot: had.get(line.key) ?? next++, line }));
  return { taken, next };
}

/**
 * As many lines as possible reuse an element of their kind, in order: no element moves, because
 * moving one costs a browser as much as creating one.
 * @param kept the line whose element must not be reused, because the focus may be in it
 */
export function reuseSlots<L extends Line>(
  before: Slots<L>,
  drawn: readonly L[],
  kept: string | null,
): Slots<L> {
  const from = before.taken;
  const fits = (at: number, to: number) => {
    const [old, line] = [from[at]?.line, drawn[to]];
    if (old?.key === kept || line?.key === kept) return old?.key === line?.key;
    return old?.kind === line?.kind;
  };
  // The longest common subsequence: how many elements can stay from here on.
  const width = drawn.length + 1;
  const stays = new Uint16Array((from.length + 1) * width);
  const staying = (at: number, to: number) => stays[at * width + to] ?? 0;
  for (let at = from.length - 1; at >= 0; at -= 1) {
    for (let to = drawn.length - 1; to >= 0; to -= 1) {
      stays[at * width + to] = fits(at, to)
        ? 1 + staying(at + 1, to + 1)
        : Math.max(staying(at + 1, to), staying(at, to + 1));
    }
  }
  let { next } = before;
  let at = 0;
  const taken = drawn.map((line, to) => {
    while (at < from.length && !fits(at, to) && staying(at + 1, to) >= staying(at, to + 1)) at += 1;
    const old = from[at];
    if (old === undefined || !fits(at, to)) return { slot: next++, line };
    at += 1;
    return { slot: old.slot, line };
  });
  return { taken, next };
}

/** With more lines, as in print, computing this would take longer than rendering them again. */
const MAX_LINES = 300;

/**
 * The elements of the current lines. When the person changes the filters, elements are reused with
 * other texts, because creating them takes a browser several times as long. Otherwise each line has
 * its own.
 * @param filterKey the filters as one string
 * @param activeKey the line that has, or had, the focus
 */
export function useRecycledRows<L extends Line>(
  drawn: readonly L[],
  filterKey: string,
  activeKey: string | null,
): readonly Slot<L>[] {
  const [last, setLast] = useState(() => ({
    drawn,
    filterKey,
    slots: keepSlots<L>(NO_SLOTS, drawn),
  }));
  if (last.drawn === drawn) return last.slots.taken;
  const mayReuse =
    last.filterKey !== filterKey && Math.max(drawn.length, last.drawn.length) <= MAX_LINES;
  const slots = mayReuse ? reuseSlots(last.slots, drawn, activeKey) : keepSlots(last.slots, drawn);
  // Setting state during render replaces this render before anything is painted.
  setLast({ drawn, filterKey, slots });
  return slots.taken;
}
