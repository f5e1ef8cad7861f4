import type { SyncStatusView } from "@/lib/contracts/dashboard";
import { buildBoardLines, type Board, type Line } from "./board";
import { placeRows } from "@/lib/domain/order";
import { verdictsOf, momentOf } from "@/lib/domain/judge";
import type { BoardState } from "./board-url";

/** Fills a common screen; more would delay the first paint, and the browser fetches the rest. */
const LINES = 32;
/** More discs than this on a folded line can't be distinguished. */
const FOLDED_ROWS = 24;

/**
 * The server-rendered part of a board: its counts and first lines, so that five thousand rows
 * neither travel twice nor delay the first paint. `lineCount` covers the whole board; `isFrozen`:
 * blind, so its counts are past.
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
    // The browser loads all rows itself.
    matches: [],
    lineCount: board.lines.length,
    isFrozen: moment.isFrozen,
  };
}

function shorten(line: Line): Line {
  return line.kind === "fold" ? { ...line, rows: line.rows.slice(0, FOLDED_ROWS) } : line;
}
