/** The cells of a row that have more to say than they show, from left to right. */
export const DETAIL_CELLS = [
  "verdict",
  "age",
  "bar",
  "over",
  "next",
  "run",
  "strip",
  "calls",
] as const;
export type DetailCell = (typeof DETAIL_CELLS)[number];

/** What is explained: a cell under the pointer, or the one that has the focus. */
export type TipTarget = {
  element: HTMLElement;
  /** Gets `aria-describedby`; null under a pointer. */
  focused: HTMLElement | null;
  lineKey: string;
  cell: DetailCell;
};
