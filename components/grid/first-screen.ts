import type { SyncStatusView } from "@/lib/contracts/dashboard";
import { buildBoardLines, type Board, type Line } from "./board";
import { placeRows } from "@/lib/domain/order";
import { verdictsOf, momentOf } from "@/lib/domain/judge";
import type { BoardState } from "./board-url";

/** Enough for a common screen: each more delays the first paint, and the browser fetches the rest itself. */
const LINES = 32;
/** More discs than this on one folded line cannot be told apart. */
const FOLDED_ROWS = 24;

/**
 * What the server draws of a board: its counts and its first lines, so that five thousand rows neither
 * travel twice nor hold up the first paint. `lineCount` is that of the whole board; `isFrozen`: we were blind, so its
 * counts are of the past.
 */
export type FirstScreen = Board & { lineCount: number; isFrozen: boolean };

/** @param nowMs the server's clock, epoch milliseconds */
export function firstScreen(view: SyncStatusView, state: BoardState, nowMs: number): FirstScreen {
  const moment = momentOf(view, nowMs);
  const placed = placeRows(view.rows, moment, state);
  const board = buildBoardLines(placed, verdictsOf(view.rows, moment), state);
  const lines = board.lines.slice(0, LINES).map(shorten);
  return {
    ...board,
    lines,
    // All rows come with the browser's own copy.
    matches: [],
    lineCount: board.lines.length,
    isFrozen: moment.isFrozen,
  };
}

function shorten(line: Line): Line {
  return line.kind === "fold" ? { ...line, rows: line.rows.slice(0, FOLDED_ROWS) } : line;
}
