"use client";

import { useMemo, useRef } from "react";
import { Spacer } from "@/components/list/spacer";
import { useFrozenOrder } from "@/components/list/use-frozen-order";
import { useInteracting } from "@/components/list/use-interacting";
import { useVisibleLines } from "@/components/list/use-visible-lines";
import { Badge } from "@/components/marks/badge";
import { IncidentIcon } from "@/components/marks/incident-icon";
import { latenessStyle } from "@/components/marks/lateness-style";
import { calledName, Initials, NO_ONE_YET, whoIsOn } from "@/components/marks/on-it";
import { useZone } from "@/components/shell/time/zone";
import { useMedia } from "@/components/ui/use-media";
import { useNow } from "@/lib/client/use-now";
import type { Incident } from "@/lib/contracts/incidents";
import { narrowMoment } from "@/lib/domain/words/format";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { IncidentName } from "./incident-name";
import { isUnknown, membersOf, openTexts, sameTexts } from "./incident-text";
import { incidentWords, listWords as words } from "./words";

/**
 * Every row has a fixed height, so that only visible ones are rendered; repeated in lists.css.
 */
const ROW_PX = 34;
const CARD_PX = 88;
const CARD_QUERY = "(max-width: 1100px)";
const NAMED = 2;

/** Open incidents, one per row. @param withCompany shows the company of each */
export function OpenList({
  incidents,
  withCompany,
}: {
  incidents: readonly Incident[];
  withCompany: boolean;
}) {
  const table = useRef<HTMLDivElement>(null);
  const { isInteracting, handlers } = useInteracting();
  const keys = useMemo(() => incidents.map(keyOf), [incidents]);
  // Rows stay in place while a pointer or focus is on them, while their texts update.
  const held = useFrozenOrder(keys, keys.toSorted().join(" "), isInteracting);
  const rowPx = useMedia(CARD_QUERY) ? CARD_PX : ROW_PX;
  const heights = useMemo(() => held.map(() => rowPx), [held, rowPx]);
  const { first, end, abovePx, belowPx } = useVisibleLines(table, heights, useMedia("print"), 0);
  const byKey = new Map(incidents.map((incident) => [keyOf(incident), incident]));
  return (
    <div
      ref={table}
      role="table"
      aria-label={words.open}
      aria-rowcount={held.length + 1}
      className="list-frame"
      {...handlers}
    >
      <div role="row" aria-rowindex={1} className="list-row incident-row list-head">
        <span role="columnheader">{words.state}</span>
        <span role="columnheader">{words.verdict}</span>
        <span role="columnheader">{withCompany ? words.partnerAndCompany : words.partner}</span>
        <span role="columnheader">{words.members}</span>
        <span role="columnheader" className="text-right">
          {words.since}
        </span>
        <span role="columnheader" className="incident-for text-right">
          {words.openFor}
        </span>
        <span role="columnheader" className="text-right">
          {words.overdue}
        </span>
        <span role="columnheader" className="text-right">
          {words.next}
        </span>
        <span role="columnheader">{words.onIt}</span>
      </div>
      <Spacer px={abovePx} />
      {held.slice(first, end).map((key, at) => {
        const incident = byKey.get(key);
        return incident === undefined ? null : (
          <OpenRow key={key} incident={incident} withCompany={withCompany} place={first + at} />
        );
      })}
      <Spacer px={belowPx} />
    </div>
  );
}

function OpenRow({
  incident,
  withCompany,
  place,
}: {
  incident: Incident;
  withCompany: boolean;
  place: number;
}) {
  const timeZone = useZone();
  const text = useNow((nowMs) => openTexts(incident, nowMs, timeZone), sameTexts);
  const isFrozen = incident.not_observed_since !== null;
  const who = whoIsOn(incident.acknowledged);
  const verdict = incident.verdict ?? "unknown";
  const over = latenessStyle(verdict);
  return (
    <div
      role="row"
      aria-rowindex={place + 2}
      className={`list-row incident-row ${isFrozen ? "hatched is-frozen" : ""}`}
    >
      <span
        role="cell"
        className={`incident-state flex items-center gap-[7px] ${who === null ? "font-strong" : "text-ink-2"}`}
      >
        <IncidentIcon isAcknowledged={who !== null} />
        {who === null ? words.unacknowledged : words.acknowledged}
      </span>
      <span role="cell" className="incident-verdict -ml-[5px]">
        <VerdictNow incident={incident} />
      </span>
      <span role="rowheader" className="incident-name truncate">
        <IncidentName incident={incident} withCompany={withCompany} />
      </span>
      <span role="cell" className="incident-members truncate text-ink-2">
        <Members incident={incident} seenAt={text.seenAt} />
      </span>
      <span role="cell" className="incident-since text-right">
        <span className="only-card">{words.sinceTime("")}</span>
        <span title={text.since}>{narrowMoment(text.since)}</span>
      </span>
      <span role="cell" className="incident-for text-right text-ink-3">
        {text.openFor}
      </span>
      <span
        role="cell"
        {...over}
        className={`incident-over text-right font-medium ${over.className}`}
      >
        {text.overdue}
        {text.overdue === "" ? null : (
          <span className="only-card font-normal"> {words.overdue.toLowerCase()}</span>
        )}
      </span>
      <span role="cell" className="incident-next text-right text-ink-2">
        {text.next}
      </span>
      <span role="cell" className="incident-who flex items-center gap-[7px] truncate">
        <Initials person={who} />
        {who === null ? (
          <span className="font-medium">{NO_ONE_YET}</span>
        ) : (
          <>
            <span className={who.isYou ? "" : "text-ink-2"}>{calledName(who)}</span>
            <span className="text-xs text-ink-3">{text.onSince}</span>
          </>
        )}
      </span>
    </div>
  );
}

/** The current worst verdict of its members, as a badge. */
export function VerdictNow({ incident }: { incident: Incident }) {
  const { verdict, not_observed_since: unseen } = incident;
  const isFrozen = unseen !== null;
  if (verdict !== null)
    return (
      <Badge
        word={verdict}
        text={isFrozen ? incidentWords.was(verdict) : VERDICT_LABEL[verdict]}
        isFrozen={isFrozen}
      />
    );
  return isUnknown(incident) ? (
    <Badge word="unknown" text={words.cannotTell} isFrozen={false} />
  ) : (
    <span className="text-ink-2">{words.calm}</span>
  );
}

function Members({ incident, seenAt }: { incident: Incident; seenAt: string }) {
  const { inTrouble, unknown } = membersOf(incident);
  const share = words.of(inTrouble.length, incident.endpoint_count);
  if (seenAt !== "")
    return (
      <>
        <b className="font-medium text-ink">{share}</b> {seenAt}
      </>
    );
  const named = inTrouble.slice(0, NAMED).map(({ endpoint_key: key }) => key);
  return (
    <>
      <b className="font-medium text-ink">{share}</b>{" "}
      <span className="font-mono text-xs">{named.join(", ")}</span>
      {inTrouble.length > NAMED ? ` ${words.more(inTrouble.length - NAMED)}` : ""}
      {unknown > 0 ? `, ${words.unknown(unknown)}` : ""}
    </>
  );
}

/** Unique across companies. */
export function keyOf({ company, id }: Incident): string {
  return `${company.slug}/${id}`;
}
