import { VerdictIcon } from "@/components/marks/verdict-icon";
import type { MoreLine } from "./more-line";
import type { ProblemRow } from "./problem";
import { PROBLEMS_LABEL } from "./words";

/** Problems, worst first, each in its own row. */
export function WallProblems({ rows }: { rows: readonly ProblemRow[] }) {
  return (
    <ol className="wall-rows" aria-label={PROBLEMS_LABEL}>
      {rows.map((row) => (
        <li key={row.key} className={`wall-row is-${row.isFrozen ? "past" : row.word}`}>
          <span className="wall-shape">
            <VerdictIcon shape={row.word} />
          </span>
          <div className="wall-what">
            <p className="wall-name">
              <bdi>{row.partner}</bdi>
              <i> / </i>
              <bdi className="wall-mono">{row.endpoint}</bdi>
            </p>
            <p className="wall-facts">
              {row.facts.map((fact) => (
                <span key={fact}>{fact} </span>
              ))}
            </p>
          </div>
          <p className="wall-figure">
            <b>{row.figure.text}</b> <span>{row.figure.caption}</span>
          </p>
        </li>
      ))}
    </ol>
  );
}

/** Problems without a row, by name as far as they fit. */
export function WallMore({ more }: { more: MoreLine | null }) {
  if (more === null) return null;
  return (
    <div className="wall-more" style={{ "--tail": more.tailU }}>
      {/* After a colon, a line breaks only at a space. */}
      <p>{`${more.lead} `}</p>
      <ul>
        {more.items.map(({ key, word, company, partner, endpoint, figure, isFrozen }) => (
          <li key={key} className={`is-${isFrozen ? "past" : word}`}>
            <VerdictIcon shape={word} />
            <span className="sr-only">{word}: </span>
            {company === null ? null : <bdi className="wall-whose">{company}</bdi>}
            <span className="wall-item">
              <bdi>{partner}</bdi> / <bdi className="wall-mono">{endpoint}</bdi>
            </span>
            {figure === "" ? null : <b>{figure}</b>}
          </li>
        ))}
      </ul>
      {more.tail === "" ? null : <p>{more.tail}</p>}
    </div>
  );
}
