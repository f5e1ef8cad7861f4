import type { Line } from "./board";

/** Pixels, as in grid.css: the virtual list must know where a line is without having drawn it. */
export type LineHeights = Readonly<Record<Line["kind"], number>>;
export const DESK_HEIGHTS: LineHeights = { group: 32, row: 30, fold: 30 };
export const PHONE_HEIGHTS: LineHeights = { group: 40, row: 69, fold: 52 };

export const PHONE_QUERY = "(max-width: 640px)";
