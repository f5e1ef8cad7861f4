"use client";

import type { ReactNode } from "react";
import { BaselineMark } from "@/components/marks/baseline-mark";
import { FileName } from "@/components/marks/file-name";
import { schedulePath } from "@/lib/domain/file-address";
import { OutcomeIcon } from "@/components/marks/outcome-icon";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { useNow } from "@/lib/client/use-now";
import type { ActivityEntry } from "@/lib/contracts/activity";
import { inOwnOrder } from "@/lib/domain/text/in-own-order";
import { seenLaterText } from "@/lib/domain/words/file-words";
import { instantMs } from "@/lib/domain/time/instant";
import { absoluteTime, clockTimeWithSeconds, moment } from "@/lib/domain/words/format";
import { zoneName } from "@/lib/domain/time/zone-name";
import { dayOf } from "@/lib/domain/time/day";
import {
  actionText,
  kindText,
  listHead,
  otherActor,
  outcomeNote,
  outcomeText,
  shownOutcome,
} from "./words";

const ID = "font-mono text-2xs text-ink-3";

/**
 * The actions of a page, one row each, from who requested it to the outcome.
 * @param areSent whether some are sent upstream in requests of their own
 */
export function Actions({
  entries,
  areSent,
}: {
  entries: readonly ActivityEntry[];
  areSent: boolean;
}) {
  const timeZone = useZone();
  const zone = useNow((nowMs) => zoneName(nowMs, timeZone));
  return (
    <ScrollRegion label={listHead.label} className="overflow-x-auto max-sm:-mx-3.5">
      <table className="plain-table whitespace-nowrap max-sm:border-x-0">
        <thead className="max-sm:sr-only">
          <tr className="align-baseline">
            <th scope="col" className="w-[128px] md:w-44">
              {listHead.requested(zone)}
            </th>
            <th scope="col" className="w-[104px] md:w-[138px]">
              {listHead.who}
            </th>
            <th
              scope="col"
              className={`xl:w-[210px] ${areSent ? "w-[118px] lg:w-[150px]" : "w-[150px]"}`}
            >
              {listHead.action}
            </th>
            <th scope="col">{listHead.item}</th>
            {areSent ? (
              <th scope="col" className="w-[84px] max-md:hidden">
                {listHead.sent}
              </th>
            ) : null}
            <th
              scope="col"
              className={
                areSent
                  ? "w-[180px] md:w-[250px] lg:w-[310px]"
                  : "w-[220px] md:w-[300px] lg:w-[480px]"
              }
            >
              {listHead.outcome}
            </th>
            {areSent ? (
              <th scope="col" className="w-[110px] max-lg:hidden">
                {listHead.requestId}
              </th>
            ) : null}
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Action key={entry.id} entry={entry} isSent={areSent} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

/** On a phone: the outcome and the file, and below it who requested it and when. */
const CARD =
  "max-sm:grid max-sm:grid-cols-[auto_minmax(0,1fr)_auto] max-sm:gap-x-3 max-sm:gap-y-0.5 max-sm:px-3.5 max-sm:py-2.5 max-sm:not-first:border-t max-sm:not-first:border-line max-sm:*:h-auto max-sm:*:border-0 max-sm:*:p-0 max-sm:[grid-template-areas:'what_file_file'_'outcome_outcome_outcome'_'who_who_requested']";
const UNKNOWN =
  "max-sm:[box-shadow:inset_3px_0_0_var(--unknown-mark)] sm:*:first:[box-shadow:inset_3px_0_0_var(--unknown-mark)]";

function Action({ entry, isSent }: { entry: ActivityEntry; isSent: boolean }) {
  const { person, outcome, request_id: requestId } = entry;
  return (
    <tr className={`align-baseline ${CARD} ${outcome === "unknown" ? UNKNOWN : ""}`}>
      <td className="max-sm:text-ink-2 max-sm:[grid-area:requested]">
        <At instant={entry.asked_at} />
      </td>
      <td
        className="max-sm:text-xs/(--lh-sm) max-sm:text-ink-2 max-sm:[grid-area:who]"
        title={person === null ? undefined : `${person.name}, ${person.email}`}
      >
        {person === null ? otherActor(entry) : <bdi>{person.name}</bdi>}
      </td>
      <td className="whitespace-normal text-ink-2 max-sm:text-[14px] max-sm:[grid-area:what]">
        {actionText(entry)}
      </td>
      <td className="wrap-anywhere max-md:whitespace-normal max-sm:text-[14px] max-sm:[grid-area:file]">
        <Subject entry={entry} />
      </td>
      {isSent ? (
        <td className="max-md:hidden">
          <At instant={entry.sent_at} beside={entry.asked_at} />
        </td>
      ) : null}
      <td className="max-sm:[grid-area:outcome]">
        <Outcome entry={entry} />
      </td>
      {isSent ? (
        <td className={`max-lg:hidden ${ID}`} title={requestId ?? undefined}>
          {requestId}
        </td>
      ) : null}
    </tr>
  );
}

/**
 * A time with seconds, and its day unless that is today.
 * @param beside another instant in the same row, whose day isn't repeated
 */
function At({ instant, beside }: { instant: string | null; beside?: string }): ReactNode {
  const timeZone = useZone();
  const ms = instantMs(instant);
  const besideMs = instantMs(beside ?? null);
  const day = useNow((nowMs) =>
    ms === null ? "" : moment(ms, nowMs, timeZone).replace(/,? ?\d\d:\d\d$/, ""),
  );
  if (ms === null || instant === null) return null;
  const isSaid = besideMs !== null && dayOf(besideMs, timeZone) === dayOf(ms, timeZone);
  return (
    <time dateTime={instant} title={absoluteTime(ms, timeZone)} className="font-mono text-[12.5px]">
      {day === "" || isSaid ? "" : <span className="font-sans text-xs text-ink-2">{day} </span>}
      {clockTimeWithSeconds(ms, timeZone)}
    </time>
  );
}

function Subject({ entry }: { entry: ActivityEntry }) {
  const { file, subject } = entry;
  const noun = kindText(entry);
  if (file !== null) return <FileSubject file={file} />;
  return (
    <>
      {noun === "" ? null : <span className="text-ink-2">{noun} </span>}
      {subject === null ? null : <bdi className="font-medium">{subject}</bdi>}
    </>
  );
}

function FileSubject({ file }: { file: NonNullable<ActivityEntry["file"]> }) {
  const { slug } = useLiveCompany();
  const project = file.project === null ? "" : `, ${file.project}`;
  return (
    <span className="flex min-w-0 items-center gap-2">
      <Link
        href={schedulePath(slug, file.id)}
        className="truncate font-medium hover:underline"
        title={`${inOwnOrder(file.name)}${project}`}
      >
        <FileName name={file.name} />
      </Link>
      {file.is_baseline ? <BaselineMark className="shrink-0" /> : null}
      <span className={ID}>{file.id}</span>
    </span>
  );
}

function Outcome({ entry }: { entry: ActivityEntry }) {
  const timeZone = useZone();
  const nextLookMs = instantMs(entry.next_look_at);
  const later = entry.seen_later;
  const note = outcomeNote(entry, {
    nextLook: nextLookMs === null ? null : clockTimeWithSeconds(nextLookMs, timeZone),
    seenLater:
      later === null
        ? null
        : seenLaterText({ seen: later.seen, ms: instantMs(later.at) }, timeZone),
    timeZone,
  });
  return (
    <span className="grid grid-cols-[12px_minmax(0,1fr)] items-baseline gap-x-[7px] whitespace-normal [&>svg]:mt-[3px] [&>svg]:self-start">
      <OutcomeIcon outcome={shownOutcome(entry)} />
      <span className="min-w-0">
        <b
          className={`wrap-anywhere ${entry.outcome === "unknown" ? "font-strong text-unknown-text" : "font-medium"}`}
        >
          {outcomeText(entry)}
        </b>{" "}
        <At instant={entry.outcome_at} beside={entry.asked_at} />
        {note === "" ? null : <small className="block text-xs text-ink-2">{note}</small>}
      </span>
    </span>
  );
}
