"use client";

import { AgeBar } from "@/components/marks/age-bar";
import { Badge } from "@/components/marks/badge";
import { EndingIcon } from "@/components/marks/ending-icon";
import { latenessStyle } from "@/components/marks/lateness-style";
import { NextSync } from "@/components/marks/next-sync";
import { RunIcon } from "@/components/marks/run-icon";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { IncidentView } from "@/lib/contracts/incidents";
import { endingOf } from "@/lib/domain/incidents/incident";
import { momentOf } from "@/lib/domain/judge";
import { endpointPath } from "@/lib/domain/partner-address";
import { VERDICTS } from "@/lib/domain/sync";
import { instantMs } from "@/lib/domain/time/instant";
import { moment, narrowMoment } from "@/lib/domain/words/format";
import {
  CLOCK_WENT_BACK_SENTENCE,
  lastedText,
  memberEndingText,
  spokenEnding,
} from "@/lib/domain/words/incident-words";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { rowText, sameRowText } from "@/lib/domain/words/row-text";
import { endedWords, incidentWords as words, listWords } from "./words";

type Member = IncidentView["members"][number];

/** In place of all columns that only feeds in trouble have. */
const ENDING = "col-start-3 -col-end-1";
const TIME = "text-right whitespace-nowrap max-sm:hidden";

/** Its endpoints on the due line: those in trouble, unknown ones, and those that left. */
export function Members({
  incident,
  rows,
}: {
  incident: IncidentView;
  rows: readonly SyncStatusRow[];
}) {
  const byId = new Map(rows.map((row) => [row.id, row]));
  const members = incident.members.toSorted(
    (a, b) =>
      Number(a.ended_at !== null) - Number(b.ended_at !== null) ||
      VERDICTS.indexOf(a.verdict) - VERDICTS.indexOf(b.verdict) ||
      Date.parse(a.began_at) - Date.parse(b.began_at),
  );
  const areOver = members.every((member) => member.ended_at !== null);
  return (
    <div className="member-board max-sm:-mx-3.5">
      <div className="board" role="table" aria-label={words.members}>
        <div role="row" className="line line-head">
          <span role="columnheader" className="cell-verdict">
            {areOver ? null : listWords.verdict}
          </span>
          <span role="columnheader" className="cell-name">
            {words.endpoint}
          </span>
          {areOver ? (
            <span role="columnheader" className={ENDING}>
              {endedWords.ending}
            </span>
          ) : (
            <OpenHeads />
          )}
        </div>
        {members.map((member, at) =>
          member.ended_at === null ? (
            <Open
              key={member.endpoint_id}
              member={member}
              row={byId.get(member.endpoint_id)}
              incident={incident}
              isLast={at === members.length - 1}
            />
          ) : (
            <Left
              key={member.endpoint_id}
              member={member}
              incident={incident}
              isLast={at === members.length - 1}
            />
          ),
        )}
      </div>
    </div>
  );
}

/** Heads of what only feeds in trouble have. */
function OpenHeads() {
  return (
    <>
      <span role="columnheader" className="cell-age">
        {words.age}
      </span>
      <span role="columnheader" className="cell-bar age-scale" aria-label={words.bar}>
        <i className="not-italic">0</i>
        <i className="not-italic">{words.due}</i>
        <i className="not-italic">2×</i>
        <i className="not-italic">4×</i>
        <i className="not-italic">8×</i>
      </span>
      <span role="columnheader" className="cell-over">
        {listWords.overdue}
      </span>
      <span role="columnheader" className={TIME}>
        {listWords.since}
      </span>
      <span role="columnheader" className={TIME}>
        {words.joined}
      </span>
      <span role="columnheader" className="cell-next">
        {listWords.next}
      </span>
      <span role="columnheader" className="cell-run">
        {words.run}
      </span>
    </>
  );
}

type RowProps = { member: Member; incident: IncidentView; isLast: boolean };

const lineClass = (isLast: boolean) => `line line-row ${isLast ? "board-end" : ""}`;

function Open({ member, row, incident, isLast }: RowProps & { row: SyncStatusRow | undefined }) {
  const times = useTimes(member, incident);
  const isFrozen = useLiveCompany().confidence === "blind";
  if (row === undefined) {
    return (
      <div role="row" className={lineClass(isLast)}>
        <span role="cell" className="cell-verdict">
          <Badge
            word={member.verdict}
            text={isFrozen ? words.was(member.verdict) : VERDICT_LABEL[member.verdict]}
            isFrozen={isFrozen}
          />
        </span>
        <Name member={member} incident={incident} />
        <span role="cell" className="cell-age" />
        <span role="cell" className="cell-bar">
          <span className="note">{words.notListed}</span>
        </span>
        <span role="cell" className="cell-over" />
        <Times {...times} />
      </div>
    );
  }
  return <Live member={member} row={row} incident={incident} isLast={isLast} times={times} />;
}

function Live({
  member,
  row,
  incident,
  isLast,
  times,
}: RowProps & { row: SyncStatusRow; times: ReturnType<typeof useTimes> }) {
  const { asOf, source, confidence } = useLiveCompany();
  const timeZone = useZone();
  const text = useNow((nowMs) => {
    const behindMs = nowMs - (instantMs(source.last_success_at) ?? nowMs);
    const at = momentOf({ as_of: asOf, source }, nowMs);
    return rowText(row, at, { confidence, behindMs, timeZone });
  }, sameRowText);
  const over = latenessStyle(text.word);
  return (
    <div role="row" className={lineClass(isLast)}>
      <span role="cell" className="cell-verdict">
        <Badge word={text.word} text={text.badge} isFrozen={confidence === "blind"} />
      </span>
      <Name member={member} incident={incident} />
      <span role="cell" className="cell-age">
        {text.age}
      </span>
      <span role="cell" className="cell-bar">
        <AgeBar text={text} />
        {text.barNote === "" ? null : <span className="note">{text.barNote}</span>}
      </span>
      <span role="cell" {...over} className={`cell-over ${over.className}`}>
        {text.overdue}
        {text.overdue === "" ? null : (
          <span className="only-phone font-normal"> {words.overdue}</span>
        )}
      </span>
      <Times {...times} />
      <span role="cell" className="cell-next">
        <NextSync {...text} nextAt="" />
      </span>
      <span role="cell" className="cell-run">
        <RunIcon outcome={row.last_sync_status} />
        <span className="truncate">{text.run}</span>
      </span>
    </div>
  );
}

/** A member whose trouble is over, and why. */
function Left({ member, incident, isLast }: RowProps) {
  const timeZone = useZone();
  const { ending } = member;
  const text = useNow((nowMs) => {
    const apiNowMs = nowMs + incident.api_clock_offset_ms;
    const [beganMs, endedMs] = [Date.parse(member.began_at), Date.parse(member.ended_at ?? "")];
    const at = (ms: number) => moment(ms, apiNowMs, timeZone);
    const receivedMs = instantMs(member.received_at);
    const isLate = receivedMs !== null && receivedMs < beganMs;
    const spoken = ending && spokenEnding(ending, member.is_resting);
    const why = spoken === null ? "" : memberEndingText(spoken, isLate ? at(receivedMs) : null);
    const lasted = lastedText(beganMs, endedMs);
    const inTrouble =
      lasted === null ? CLOCK_WENT_BACK_SENTENCE : words.inTrouble(at(beganMs), lasted);
    return `${words.leftAt(at(endedMs), why)} ${inTrouble}`;
  });
  const isResting = member.is_resting === true;
  const shape = ending && spokenEnding(endingOf([ending]), isResting);
  return (
    <div role="row" className={`${lineClass(isLast)} line-left`}>
      <span role="cell" className="cell-verdict max-sm:hidden" />
      <Name member={member} incident={incident} />
      <span
        role="cell"
        className={`${ENDING} flex min-w-0 items-center gap-2.5 overflow-hidden text-xs/4.5 whitespace-nowrap text-ink-2 max-sm:[grid-area:out] max-sm:items-baseline`}
      >
        {shape === null ? null : (
          <span
            className={`inline-flex items-center gap-1.5 ${shape === "recovered" ? "text-fresh-text" : ""}`}
          >
            <EndingIcon ending={shape} />
            {shape === "recovered" ? words.recovered : words.left}
          </span>
        )}
        <span className="truncate max-sm:whitespace-normal" title={text}>
          {text}
        </span>
      </span>
    </div>
  );
}

function Name({ member, incident }: { member: Member; incident: IncidentView }) {
  return (
    <span role="rowheader" className="cell-name" title={member.endpoint_key}>
      <Link
        href={endpointPath(incident.company.slug, incident.partner_name, member.endpoint_id)}
        className="hover:underline"
      >
        {member.endpoint_key}
      </Link>
    </span>
  );
}

function useTimes(member: Member, incident: IncidentView): { since: string; joined: string } {
  const timeZone = useZone();
  const at = (iso: string) => (nowMs: number) =>
    moment(Date.parse(iso), nowMs + incident.api_clock_offset_ms, timeZone);
  return { since: useNow(at(member.began_at)), joined: useNow(at(member.joined_at)) };
}

function Times({ since, joined }: { since: string; joined: string }) {
  return (
    <>
      {[since, joined].map((text, at) => (
        <span
          key={at}
          role="cell"
          className={`font-mono text-[12px] text-ink-2 ${TIME}`}
          title={text}
        >
          {narrowMoment(text)}
        </span>
      ))}
    </>
  );
}
