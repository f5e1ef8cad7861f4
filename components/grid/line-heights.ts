import type { Line } from "./board";

/** Pixels, as in grid.css: the virtual list needs the position of lines that aren't rendered. */
type LineHeights = Readonly<Record<Line["kind"], number>>;
export const DESK_HEIGHTS: LineHeights = { group: 32, row: 30, fold: 30 };
export const PHONE_HEIGHTS: LineHeights = { group: 40, row: 69, fold: 52 };
