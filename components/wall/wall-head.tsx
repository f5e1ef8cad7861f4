import { count } from "@/lib/domain/words/format";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import type { WallModel } from "./model";
import { SCORES_LABEL } from "./words";
import { WallClock, type Beat } from "@/components/shell/time/wall-clock";

/** Digits of all counts that fit in full size, and in the next smaller one. */
const MAX_DIGITS = 12;
const MAX_DIGITS_WIDE = 19;

/** Whose wall it is, what needs attention, the eight counts, the clock. */
export function WallHead({ model, beat }: { model: WallModel; beat: Beat | null }) {
  const { title, attention, scores, scoresAre, clock } = model;
  const digits = scores?.map((score) => count(score.count)).join("").length ?? 0;
  const width = digits > MAX_DIGITS_WIDE ? "are-wider" : digits > MAX_DIGITS ? "are-wide" : "";
  return (
    <header className="wall-head">
      <div className="wall-who">
        <h1 dir="auto">{title}</h1>
        <p>{attention}</p>
      </div>
      {scores === null ? null : (
        <ol className={`wall-scores is-${scoresAre} ${width}`} aria-label={SCORES_LABEL}>
          {scores.map(({ word, label, count: amount }) => (
            <li key={word} className={amount === 0 ? "is-zero" : `is-${word}`}>
              <span className="wall-score">
                <VerdictIcon shape={word} />
                <b>{count(amount)}</b>
              </span>{" "}
              <span className="wall-word">{label}</span>
            </li>
          ))}
        </ol>
      )}
      <WallClock clock={clock} beat={beat} />
    </header>
  );
}
