import { measured } from "@/components/ui/measured";
import { DUE_SHARE, type DotField } from "./dot-field";
import { fieldWords } from "./words";

/** The discs and the due line. A column is one element whose ground repeats a disc. */
export function WallField({ field }: { field: DotField }) {
  const { fresh, due, dotU, pitchU, isBars, isHollow, label } = field;
  /** Where a column stands, hundredths of the ground's width, and how high it is, u. */
  const column = (share: number, count: number) => measured({ x: share * 100, y: count * pitchU });
  const kind = `${isBars ? "is-bars" : ""} ${isHollow ? "is-hollow" : ""}`;
  return (
    <div
      className={`wall-field ${kind} ${measured({ x: dotU, y: pitchU })}`}
      role="img"
      aria-label={label}
    >
      <div className="wall-ground">
        {fresh.map(({ share, count }) => (
          <i key={share} className={`is-fresh ${column(share, count)}`} />
        ))}
        {due.map(({ share, count }) => (
          <i key={share} className={`is-due ${column(1 + share * DUE_SHARE, count)}`} />
        ))}
        <s />
        <span className="wall-ground-start">{fieldWords.start}</span>
        <span className="wall-ground-due">{fieldWords.due}</span>
      </div>
    </div>
  );
}
