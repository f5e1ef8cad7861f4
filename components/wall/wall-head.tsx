import { VerdictIcon } from "@/components/marks/verdict-icon";
import type { WallModel } from "./model";
import { SCORES_LABEL } from "./words";
import { WallClock, type Beat } from "@/components/shell/time/wall-clock";

/** Whose wall it is, what needs attention, the eight counts, the clock. */
export function WallHead({ model, beat }: { model: WallModel; beat: Beat | null }) {
  const { title, attention, scores, scoresAre, clock } = model;
  return (
    <header className="wall-head">
      <div className="wall-who">
        <h1 dir="auto">{title}</h1>
        <p>{attention}</p>
      </div>
      {scores === null ? null : (
        <ol className={`wall-scores is-${scoresAre}`} aria-label={SCORES_LABEL}>
          {scores.map(({ word, label, count }) => (
            <li key={word} className={count === 0 ? "is-zero" : `is-${word}`}>
              <span className="wall-score">
                <VerdictIcon shape={word} />
                <b>{count}</b>
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
