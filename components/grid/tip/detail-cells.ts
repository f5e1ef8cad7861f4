/** Cells of a row with details, from left to right. */
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

/** The cell that the tooltip explains: under the pointer, or focused. */
export type TipTarget = {
  element: HTMLElement;
  /** Gets `aria-describedby`; null under a pointer. */
  focused: HTMLElement | null;
  lineKey: string;
  cell: DetailCell;
};
