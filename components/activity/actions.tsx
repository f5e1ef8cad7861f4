"use client";

import type { ReactNode } from "react";
import { BaselineMark } from "@/components/marks/baseline-mark";
import { FileName } from "@/components/marks/file-name";
import { schedulePath } from "@/lib/domain/file-address";
import { OutcomeIcon } from "@/components/marks/outcome-icon";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/zone";
import { Link } from "@/components/ui/link";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { useNow } from "@/lib/client/use-now";
import type { ActivityEntry } from "@/lib/contracts/activity";
import { inOwnOrder } from "@/lib/domain/words/file-words";
import { instantMs } from "@/lib/domain/time/instant";
import { absoluteTime, clockTimeWithSeconds, moment } from "@/lib/domain/words/format";
import { zoneName } from "@/lib/domain/time/zone-name";
import { dayOf } from "@/lib/domain/time/day";
import { KIND_LABEL, actionText, outcomeNote, outcomeText } from "./action-words";

/** The actions of a page, one row each, from who asked to what became of it. */
export function Actions({ entries }: { entries: readonly ActivityEntry[] }) {
  const timeZone = useZone();
  const zone = useNow((nowMs) => zoneName(nowMs, timeZone));
  return (
    <ScrollRegion label="Actions, newest first" className="overflow-x-auto">
      <table className="plain-table actions">
        <thead>
          <tr>
            <th scope="col">Requested, {zone}</th>
            <th scope="col">Who</th>
            <th scope="col">Action</th>
            <th scope="col">Item</th>
            <th scope="col">Sent</th>
            <th scope="col">Outcome</th>
            <th scope="col">Request ID</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <Action key={entry.id} entry={entry} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

function Action({ entry }: { entry: ActivityEntry }) {
  const { person, outcome, request_id: requestId } = entry;
  return (
    <tr className={outcome === "unknown" ? "is-unknown" : undefined}>
      <td className="action-asked">
        <At instant={entry.asked_at} />
      </td>
      <td
        className="action-who"
        title={person === null ? undefined : `${person.name}, ${person.email}`}
      >
        {person === null ? "Plumbline" : <bdi>{person.name}</bdi>}
      </td>
      <td className="action-what">{actionText(entry)}</td>
      <td className="action-file">
        <Subject entry={entry} />
      </td>
      <td className="action-sent">
        <At instant={entry.sent_at} beside={entry.asked_at} />
      </td>
      <td className="action-outcome">
        <Outcome entry={entry} />
      </td>
      <td className="action-request" title={requestId ?? undefined}>
        {requestId}
      </td>
    </tr>
  );
}

/**
 * The second, and its day unless that is today.
 * @param beside another instant in the same row, whose day need not be said again
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
    <time dateTime={instant} title={absoluteTime(ms, timeZone)}>
      {day === "" || isSaid ? "" : <span className="action-day">{day} </span>}
      {clockTimeWithSeconds(ms, timeZone)}
    </time>
  );
}

function Subject({ entry: { kind, file, subject } }: { entry: ActivityEntry }) {
  const { slug } = useLiveCompany();
  if (file === null) {
    return (
      <>
        {kind === "file-deletion" ? null : <span className="text-ink-2">{KIND_LABEL[kind]} </span>}
        {subject === null ? null : <bdi className="font-medium">{subject}</bdi>}
      </>
    );
  }
  const project = file.project === null ? "" : `, ${file.project}`;
  return (
    <span className="action-subject">
      <Link
        href={schedulePath(slug, file.id)}
        className="truncate font-medium hover:underline"
        title={`${inOwnOrder(file.name)}${project}`}
      >
        <FileName name={file.name} />
      </Link>
      {file.is_baseline ? <BaselineMark className="shrink-0" /> : null}
      <span className="action-id">{file.id}</span>
    </span>
  );
}

function Outcome({ entry }: { entry: ActivityEntry }) {
  const timeZone = useZone();
  const nextLookMs = instantMs(entry.next_look_at);
  const note = outcomeNote(
    entry,
    nextLookMs === null ? null : clockTimeWithSeconds(nextLookMs, timeZone),
  );
  return (
    <span className="action-became">
      <OutcomeIcon outcome={entry.kind === "file-deletion" ? entry.outcome : "deleted"} />
      <span className="min-w-0">
        <b>{outcomeText(entry)}</b> <At instant={entry.outcome_at} beside={entry.asked_at} />
        {note === "" ? null : <small>{note}</small>}
      </span>
    </span>
  );
}
