import { isPressing } from "@/lib/domain/deadlines/row-promise";
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

/** Of a promise below its feed. */
const PROMISE_HEIGHT = 22;

/**
 * Whether a line has its promise on a line of its own: what needs attention, and promises that are missed or at risk.
 * Others have it beside their name, where there is room.
 */
export function hasPromiseLine(line: Extract<Line, { kind: "row" }>): boolean {
  const { promise } = line.row;
  if (promise == null) return false;
  return line.isProblem || line.isPromiseBelow === true || isPressing(promise.state);
}

/** @param hasActs whether lines show what can be done */
export function heightOf(line: Line, heights: LineHeights, hasActs: boolean): number {
  if (line.kind !== "row") return heights[line.kind];
  const height = line.isProblem && hasActs ? heights.problem : heights.row;
  return hasPromiseLine(line) ? height + PROMISE_HEIGHT : height;
}
