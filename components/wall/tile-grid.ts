import type { Judged } from "./problem";
import { hasNotes, type Scene } from "./scene";
import { TILES_WIDTH_U, contentWidthU } from "./space";
import { companyTiles, partnerTiles, type Tile } from "./tiles";

const TILE_GAP_U = 2.4;
/** A company's name and its eight counts need a wide tile. */
const MOST_WIDE_TILES = 5;

type TileGrid = { columns: number; lines: number };

/**
 * The tiles of a picture, and their number of columns.
 * @param inRows problems that have a row; null on a calm wall
 */
export function tilesOf(
  scene: Scene,
  inRows: readonly Judged[] | null,
): { tiles: readonly Tile[]; tileColumns: number } {
  const { judged, trusts, space, when } = scene;
  const isCalm = inRows === null;
  const isSide = space.shape === "landscape" && !isCalm;
  const widthU = isSide ? TILES_WIDTH_U : contentWidthU(space);
  const { columns, lines } = tileGrid(scene, isCalm);
  const room = {
    slots: columns * lines,
    tileWidthU: (widthU - (columns - 1) * TILE_GAP_U) / columns,
  };
  const [only] = trusts;
  const tiles =
    trusts.length === 1 && only !== undefined
      ? partnerTiles(judged, only, partnersOf(inRows ?? []), room, when)
      : companyTiles(judged, trusts, room, when);
  return { tiles, tileColumns: columns };
}

const partnersOf = (judged: readonly Judged[]): ReadonlySet<string> =>
  new Set(judged.map(({ row }) => row.partner_name));

function tileGrid(scene: Scene, isCalm: boolean): TileGrid {
  const { space, trusts } = scene;
  const isTall = hasNotes(scene);
  // Without a field there is room for more of them.
  const isBare = isCalm && scene.seen.length === 0;
  if (space.shape === "portrait") return { columns: 3, lines: isBare ? 5 : isTall ? 2 : 3 };
  const companies = trusts.length;
  if (isCalm) {
    const columns = companies > 1 && companies <= 8 ? Math.min(4, companies) : 6;
    return { columns, lines: isBare ? 3 : 2 };
  }
  if (companies > 1 && companies <= MOST_WIDE_TILES) return { columns: 1, lines: MOST_WIDE_TILES };
  return { columns: 2, lines: isTall ? 4 : 6 };
}
