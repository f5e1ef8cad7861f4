/** The wall's space in its own unit: 1 u is a hundredth of the short side of a 16:9 screen. */
export type WallSpace = {
  shape: "landscape" | "portrait";
  widthU: number;
  heightU: number;
};

/** Of the window, in CSS pixels. */
export type WallSize = { widthPx: number; heightPx: number };

const LONG_U = 1600 / 9;
const SHORT_U = 100;

/**
 * @param layout the display's setting
 * @param size null when unknown (on the server): then 16:9, and landscape unless configured
 *   otherwise
 */
export function wallSpace(
  layout: "auto" | "landscape" | "portrait",
  size: WallSize | null,
): WallSpace {
  const isPortrait =
    layout === "portrait" || (layout === "auto" && size !== null && size.heightPx > size.widthPx);
  const shape = isPortrait ? "portrait" : "landscape";
  const least = isPortrait
    ? { widthU: SHORT_U, heightU: LONG_U }
    : { widthU: LONG_U, heightU: SHORT_U };
  if (size === null || !(size.widthPx > 0) || !(size.heightPx > 0)) return { shape, ...least };
  // As in the styles: the picture fits completely, and other proportions only add space.
  const unitPx = Math.min(size.widthPx / least.widthU, size.heightPx / least.heightU);
  return { shape, widthU: size.widthPx / unitPx, heightU: size.heightPx / unitPx };
}

/** Sizes of the picture's parts, in u; `public/wall.css` has the same. */
export const PAGE_MARGIN_U = 4;
export const TILES_WIDTH_U = 57;
/** The column of next attempts. */
export const ATTEMPTS_WIDTH_U = 46;
export const COLUMN_GAP_U = 4;
const MAX_ROWS = 6;
const MIN_ROW_U = { landscape: 10.6, portrait: 11.6 } as const;
/** A portrait row that names its company takes another line. */
const MIN_NAMED_ROW_U = { ...MIN_ROW_U, portrait: 13.6 } as const;
export const TALLEST_ROW_U = 14;
const HEAD_U = { landscape: 21, portrait: 49 } as const;
const FOOT_U = { landscape: 6.4, portrait: 12 } as const;
const MAIN_PADDING_U = 2;
const BAND_U = { landscape: 10.4, portrait: 21 } as const;
export const MORE_LINES = { landscape: 1, portrait: 2 } as const;
const MORE_LINE_U = 5.4;
/** In portrait, tiles are below the rows, three per line; this is their maximum height. */
export const PORTRAIT_TILES_U = 34;
/** A line of tiles, and one whose tiles have dates. */
const TILE_LINE_U = 12;
const NOTED_TILE_LINE_U = 17;

/** Height of the given number of tile lines below the rows of a portrait picture. */
export function portraitTilesU(lines: number, isNoted: boolean): number {
  return Math.min(PORTRAIT_TILES_U, lines * (isNoted ? NOTED_TILE_LINE_U : TILE_LINE_U));
}

/** Width of text and rows across the whole picture. */
export function contentWidthU({ widthU }: WallSpace): number {
  return widthU - 2 * PAGE_MARGIN_U;
}

/** Width of the problem column. @param besideU width of the column beside it */
export function rowsWidthU(space: WallSpace, besideU = TILES_WIDTH_U): number {
  const side = space.shape === "landscape" ? besideU + COLUMN_GAP_U : 0;
  return contentWidthU(space) - side;
}

/**
 * Height left for rows and what is below them.
 * @param given.tilesU height of the tiles in portrait; default: the maximum
 */
export function rowsHeightU(
  { shape, heightU }: WallSpace,
  {
    hasBand,
    hasMore,
    tilesU = PORTRAIT_TILES_U,
  }: { hasBand: boolean; hasMore: boolean; tilesU?: number },
): number {
  const below = shape === "portrait" ? tilesU : 0;
  const more = hasMore ? MORE_LINES[shape] * MORE_LINE_U : 0;
  const band = hasBand ? BAND_U[shape] : 0;
  return heightU - HEAD_U[shape] - FOOT_U[shape] - MAIN_PADDING_U - below - more - band;
}

/**
 * Number of problems that get a row.
 * @param given.isNamed each row names its company
 */
export function rowCapacity(
  space: WallSpace,
  given: { hasBand: boolean; hasMore: boolean; isNamed: boolean; tilesU?: number },
): number {
  const leastU = (given.isNamed ? MIN_NAMED_ROW_U : MIN_ROW_U)[space.shape];
  return Math.max(1, Math.min(MAX_ROWS, Math.floor(rowsHeightU(space, given) / leastU)));
}
