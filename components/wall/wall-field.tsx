import type { CSSProperties } from "react";
import { DUE_SHARE, type DotField } from "./dot-field";

/** The discs and the due line. A column is one element whose ground repeats a disc. */
export function WallField({ field }: { field: DotField }) {
  const { fresh, due, dotU, pitchU, isBars, isHollow, label } = field;
  const style = { "--dot": dotU, "--pitch": pitchU } as CSSProperties;
  const kind = `${isBars ? "is-bars" : ""} ${isHollow ? "is-hollow" : ""}`;
  return (
    <div className={`wall-field ${kind}`} role="img" aria-label={label} style={style}>
      <div className="wall-ground">
        {fresh.map(({ share, count }) => (
          <i key={share} className="is-fresh" style={column(share, count)} />
        ))}
        {due.map(({ share, count }) => (
          <i key={share} className="is-due" style={column(1 + share * DUE_SHARE, count)} />
        ))}
        <s />
        <span className="wall-ground-start">just synced</span>
        <span className="wall-ground-due">due</span>
      </div>
    </div>
  );
}

function column(share: number, count: number): CSSProperties {
  return { left: `${(share * 100).toFixed(2)}%`, "--count": count } as CSSProperties;
}
