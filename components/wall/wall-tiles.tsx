import { VerdictIcon } from "@/components/marks/verdict-icon";
import type { Tile } from "./tiles";

/** Compact tiles of what has no row: partners, or companies where there are several. */
export function WallTiles({
  tiles,
  columns,
  label,
  heightU,
}: {
  tiles: readonly Tile[];
  columns: number;
  label: string;
  /** Null: as high as its area. */
  heightU: number | null;
}) {
  if (tiles.length === 0) return null;
  return (
    <ul
      className={`wall-tiles has-${columns}-columns`}
      style={heightU === null ? undefined : { "--tiles": heightU }}
      aria-label={label}
    >
      {tiles.map((tile) => (
        <li key={tile.key} className={tileClass(tile)}>
          <p className="wall-tile-name" dir="auto">
            {tile.name}
          </p>
          <p className="wall-tallies">
            {tile.tallies.map(({ word, count }) => (
              <span key={word} className={`is-${word}`}>
                <VerdictIcon shape={word} />
                <b>{count}</b>
                <span className="sr-only"> {word}, </span>
              </span>
            ))}
            {tile.rest === 0 ? null : <b>+{tile.rest}</b>}
          </p>
          {tile.note === "" ? null : <p className="wall-tile-note">{tile.note}</p>}
        </li>
      ))}
    </ul>
  );
}

function tileClass({ isFrozen, isDelayed, isTotal }: Tile): string {
  const state = isFrozen ? "is-past" : isDelayed ? "is-behind" : "";
  return `wall-tile ${state} ${isTotal ? "is-total" : ""}`;
}
