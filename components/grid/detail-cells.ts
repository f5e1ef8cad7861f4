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
