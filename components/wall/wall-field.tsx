import { DUE_SHARE, type DotField } from "./dot-field";
import { percent } from "@/components/ui/percent";
import { fieldWords } from "./words";

/** The discs and the due line. A column is one element with a repeated background disc. */
export function WallField({ field }: { field: DotField }) {
  const { fresh, due, dotU, pitchU, isBars, isHollow, label, quietText } = field;
  const column = (share: number, count: number) => ({
    left: percent(share),
    "--height": count * pitchU,
  });
  const kind = `${isBars ? "is-bars" : ""} ${isHollow ? "is-hollow" : ""}`;
  return (
    <div
      className={`wall-field ${kind}`}
      style={{ "--dot": dotU, "--pitch": pitchU }}
      role="img"
      aria-label={label}
    >
      <div className="wall-ground">
        {fresh.map(({ share, count }) => (
          <i key={share} className="is-fresh" style={column(share, count)} />
        ))}
        {due.map(({ share, count }) => (
          <i key={share} className="is-due" style={column(1 + share * DUE_SHARE, count)} />
        ))}
        <s />
        <span className="wall-ground-start">{fieldWords.start}</span>
        {quietText === "" ? null : <span className="wall-ground-quiet">{quietText}</span>}
        <span className="wall-ground-due">{fieldWords.due}</span>
      </div>
    </div>
  );
}
