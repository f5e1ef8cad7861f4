import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import type { Foot } from "./trust";
import { footWords } from "./words";

/** Confidence of the picture, and the age of each hop. */
export function WallFoot({ foot }: { foot: Foot }) {
  const { state, label, note, hops } = foot;
  return (
    <footer className={`wall-foot is-${state}`}>
      <p className="wall-state">
        <ConfidenceIcon confidence={state === "starting" ? "blind" : state} />
        <b dir="auto">{label}</b>
        <span>{note}</span>
      </p>
      <ol aria-label={footWords.ages}>
        {hops.map(({ name, text, isBad }) => (
          <li key={name} className={isBad ? "is-bad" : ""}>
            <span>{name}</span>
            <span className="sr-only">, </span>
            <b>{text}</b>
          </li>
        ))}
      </ol>
    </footer>
  );
}
