"use client";

import { EndingIcon } from "@/components/marks/ending-icon";
import { calledName, Initials } from "@/components/marks/on-it";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { Incident } from "@/lib/contracts/incidents";
import type { IncidentEnding } from "@/lib/domain/incidents/incident";
import { ENDING_LABEL, type Spoken } from "@/lib/domain/words/incident-words";
import { IncidentName } from "./incident-name";
import { endedTexts, sameTexts, spokenEndingOf } from "./incident-text";
import { keyOf } from "./open-list";
import { endedWords as words, listWords } from "./words";

/** Ended incidents, latest first. @param withCompany shows the company of each */
export function EndedList({
  incidents,
  withCompany,
}: {
  incidents: readonly Incident[];
  withCompany: boolean;
}) {
  return (
    <div role="table" aria-label={words.label} className="list-frame">
      <div role="row" className="list-row ended-row list-head">
        <span role="columnheader">{words.ending}</span>
        <span role="columnheader">
          {withCompany ? listWords.partnerAndCompany : listWords.partner}
        </span>
        <span role="columnheader" className="text-right">
          {words.began}
        </span>
        <span role="columnheader" className="text-right">
          {words.ended}
        </span>
        <span role="columnheader" className="text-right">
          {words.lasted}
        </span>
        <span role="columnheader">{words.evidence}</span>
        <span role="columnheader">{words.owner}</span>
      </div>
      {incidents.map((incident) => (
        <EndedRow key={keyOf(incident)} incident={incident} withCompany={withCompany} />
      ))}
    </div>
  );
}

function EndedRow({ incident, withCompany }: { incident: Incident; withCompany: boolean }) {
  const timeZone = useZone();
  const text = useNow((nowMs) => endedTexts(incident, nowMs, timeZone), sameTexts);
  const { owner } = incident;
  const ending = spokenEndingOf(incident);
  const who = owner === null ? null : { name: owner.name, isYou: owner.is_you };
  return (
    <div role="row" className="list-row ended-row text-ink-2">
      <span role="cell" className="incident-state flex items-center gap-[7px]">
        {ending === null ? null : <Ending ending={ending} />}
      </span>
      <span role="rowheader" className="incident-name truncate text-ink">
        <IncidentName incident={incident} withCompany={withCompany} />
      </span>
      <span role="cell" className="ended-began text-right">
        {text.began}
      </span>
      <span role="cell" className="ended-at text-right">
        {text.ended}
      </span>
      <span role="cell" className="ended-lasted text-right">
        {text.lasted}
      </span>
      <span role="cell" className="ended-why truncate">
        {text.lead}
        <span className="font-mono text-xs">{text.key}</span>
        {text.evidence === "" ? "" : `: ${text.evidence}`}
      </span>
      <span role="cell" className="incident-who flex items-center gap-[7px] truncate">
        {who === null ? (
          words.administrators
        ) : (
          <>
            <Initials person={who} />
            {calledName(who)}
          </>
        )}
      </span>
    </div>
  );
}

/** How it ended: shape and word, and colour for a recovery only. */
export function Ending({ ending }: { ending: Spoken<IncidentEnding> }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 whitespace-nowrap ${ending === "recovered" ? "text-fresh-text" : "text-ink-2"}`}
    >
      <EndingIcon ending={ending} />
      {ENDING_LABEL[ending]}
    </span>
  );
}
