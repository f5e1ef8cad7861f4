import type { Line } from "./board";

/** Pixels, as in grid.css: the virtual list needs the position of lines that aren't rendered. */
type LineHeights = Readonly<Record<Line["kind"], number>> & { problem: number };
export const DESK_HEIGHTS: LineHeights = {
  section: 36,
  group: 30,
  row: 30,
  problem: 30,
  fold: 30,
};
/** What needs attention has a line more, for who is on it and what can be done. */
export const PHONE_HEIGHTS: LineHeights = {
  section: 40,
  group: 56,
  row: 69,
  problem: 109,
  fold: 52,
};

/** @param hasActs whether lines show what can be done */
export function heightOf(line: Line, heights: LineHeights, hasActs: boolean): number {
  return line.kind === "row" && line.isProblem && hasActs ? heights.problem : heights[line.kind];
}
