import { isPressing } from "@/lib/domain/deadlines/row-promise";
import type { Line } from "./board";

/** Pixels, as in grid.css: the virtual list needs the position of lines that aren't rendered. */
type LineHeights = Readonly<Record<Line["kind"], number>> & {
  problem: number;
  /** In addition: of a promise or learned week below its row, and of a promise in it. */
  below: number;
  promiseWithin: number;
  /** Of a name's second line. */
  longName: number;
};
export const DESK_HEIGHTS: LineHeights = {
  section: 36,
  group: 30,
  row: 30,
  problem: 30,
  fold: 30,
  below: 22,
  promiseWithin: 0,
  longName: 0,
};
/** What needs attention has a line more, for who is on it and what can be done. */
export const PHONE_HEIGHTS: LineHeights = {
  section: 40,
  group: 56,
  row: 69,
  problem: 109,
  fold: 52,
  below: 22,
  promiseWithin: 22,
  longName: 18,
};

/**
 * Whether a row's promise is below it: that of what needs attention, and one that is missed or at risk. Others are in
 * the row, where what needs attention has its acts.
 * @param hasActs whether lines show what can be done
 */
export function isPromiseBelow(
  { row: { promise }, isProblem }: Extract<Line, { kind: "row" }>,
  hasActs: boolean,
): boolean {
  if (promise == null) return false;
  return isProblem || !hasActs || isPressing(promise.state);
}

/** Whether the learned week of what needs attention is below its row, where a promise would be. */
export function isQuietBelow(
  { row: { promise, known }, isProblem }: Extract<Line, { kind: "row" }>,
  hasActs: boolean,
): boolean {
  return isProblem && hasActs && promise == null && known.learned_week != null;
}

/** Characters that fit beside what is overdue on a phone 390 px wide. */
const NAME_CHARACTERS = 26;

/** Whether a row's name has two lines on a phone. */
export function isLongName({ row, isInGroup }: Extract<Line, { kind: "row" }>): boolean {
  const { partner_name: partner, endpoint_key: key } = row;
  return (isInGroup ? key : `${partner} / ${key}`).length > NAME_CHARACTERS;
}

/** @param hasActs whether lines show what can be done */
export function heightOf(line: Line, heights: LineHeights, hasActs: boolean): number {
  if (line.kind !== "row") return heights[line.kind];
  const height =
    (line.isProblem && hasActs ? heights.problem : heights.row) +
    (isLongName(line) ? heights.longName : 0);
  if (isPromiseBelow(line, hasActs) || isQuietBelow(line, hasActs)) return height + heights.below;
  return line.row.promise == null ? height : height + heights.promiseWithin;
}
