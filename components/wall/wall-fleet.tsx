import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import { WallField } from "./wall-field";
import { fleetWords } from "./words";
import type { FleetMain, FleetRest } from "./fleet-main";
import type { FleetRow } from "./fleet-row";

/** Trouble at several companies, one row a line; beside it the next attempts, below it the rest. */
export function WallFleet({ main }: { main: FleetMain }) {
  const { rows, field, attempts, noAttempts, rest } = main;
  return (
    <>
      <div className={`wall-problems ${field === null ? "" : "has-field"}`}>
        <ol className="wall-rows" aria-label={fleetWords.label}>
          {rows.map((row) => (
            <WallLine key={row.key} row={row} />
          ))}
        </ol>
        {field === null ? null : <WallField field={field} />}
      </div>
      <section className="wall-attempts" aria-label={fleetWords.attempts}>
        <h2>{fleetWords.attempts}</h2>
        {noAttempts === "" ? null : <p>{noAttempts}</p>}
        <ol>
          {attempts.map(({ key, time, partner, whose }) => (
            <li key={key}>
              <b className="wall-mono">{time}</b>{" "}
              <p>
                <bdi>{partner}</bdi> <span dir="auto">{whose}</span>
              </p>
            </li>
          ))}
        </ol>
      </section>
      <WallRest rest={rest} />
    </>
  );
}

function WallLine({ row }: { row: FleetRow }) {
  const { word, partner, whose, verdict, feeds, facts, who, figure, isGroup, isFrozen } = row;
  return (
    <li className={`wall-row is-line is-${isFrozen ? "past" : word} ${isGroup ? "is-group" : ""}`}>
      <span className="wall-shape">
        <VerdictIcon shape={word} />
      </span>
      <div className="wall-what">
        <p className="wall-name">
          <bdi>{partner}</bdi>
          <i>{fleetWords.at}</i>
          <bdi className="wall-at">{whose}</bdi>
        </p>
        <p className="wall-facts">
          <span>{verdict} </span>
          {feeds === null ? null : (
            <>
              <bdi className={feeds.isName ? "wall-feed wall-mono" : ""}>{feeds.text}</bdi>{" "}
            </>
          )}
          {facts.map(({ text, strong }) => (
            <span key={text}>
              {text}
              {strong === "" ? null : (
                <>
                  {" "}
                  <b>{strong}</b>
                </>
              )}{" "}
            </span>
          ))}
          {who === null ? null : (
            <span className={who.isNoOne ? "is-no-one" : "wall-by"} dir="auto">
              {who.text}
            </span>
          )}
        </p>
      </div>
      <p className="wall-figure">
        <b>{figure.text}</b> <span>{figure.caption}</span>
      </p>
    </li>
  );
}

/** What has no row: by number, and who can't be seen. */
export function WallRest({ rest }: { rest: FleetRest | null }) {
  if (rest === null) return null;
  const { lead, counts, notes, unseen } = rest;
  return (
    <div className="wall-rest">
      {lead === "" ? null : <p>{`${lead} `}</p>}
      <ul>
        {counts.map(({ word, text }) => (
          <li key={word} className={`is-${word}`}>
            {`${text} `}
          </li>
        ))}
        {notes.map((note) => (
          <li key={note}>{`${note} `}</li>
        ))}
      </ul>
      {unseen === null ? null : (
        <p className="wall-unseen">
          <ConfidenceIcon confidence="blind" />
          <bdi>{unseen.names}</bdi>
          <span>{unseen.says}</span>
        </p>
      )}
    </div>
  );
}
