"use client";

import { useState, type ReactNode } from "react";
import { EndingIcon } from "@/components/marks/ending-icon";
import { IncidentIcon } from "@/components/marks/incident-icon";
import { calledName, Initials } from "@/components/marks/on-it";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import { useZone } from "@/components/shell/time/zone";
import { Segmented } from "@/components/ui/segmented";
import { useNow } from "@/lib/client/use-now";
import type { IncidentView, TimelineEvent } from "@/lib/contracts/incidents";
import { absoluteTime, duration, moment } from "@/lib/domain/words/format";
import { timelineDay } from "./incident-text";
import { incidentWords as words, KIND_WORDS, personWords, TIMELINE_SHOWN } from "./words";

type Shown = (typeof TIMELINE_SHOWN)[number]["value"];

/** The times, which may be of other days, have the width of the longest; on a phone that of "Mon 31 Aug,". */
const ENTRIES =
  "grid grid-cols-[minmax(84px,max-content)_22px_minmax(0,1fr)_auto] gap-x-2.5 border-t border-line-strong max-sm:grid-cols-[80px_22px_minmax(0,1fr)]";
const ENTRY =
  "col-span-full grid break-inside-avoid grid-cols-subgrid items-baseline border-b border-line py-[5px]";
/** The hatching is between what it has. */
const GAP =
  "hatched [&>*]:bg-bg [&>*]:px-1 [&>*]:py-px [&>:last-child]:px-0 [&>div]:justify-self-start [&>time]:px-0";
const MARK = "mt-[3px] self-start justify-self-center text-ink-3";
const KIND = "text-right text-xs/4.5 whitespace-nowrap text-ink-3 max-sm:hidden";

/** Events of the incident, newest first: observations and people's actions. */
export function Timeline({ incident }: { incident: IncidentView }) {
  const [shown, setShown] = useState<Shown>("all");
  const timeZone = useZone();
  const events = incident.timeline.filter(
    ({ by_id: byId }) => shown === "all" || (byId !== null) === (shown === "people"),
  );
  const times = events.map(({ at }) => Date.parse(at));
  if (shown !== "people") times.push(Date.parse(incident.began_at));
  const day = useNow((nowMs) => timelineDay(times, nowMs + incident.api_clock_offset_ms, timeZone));
  return (
    <section aria-labelledby="timeline" className="pb-6">
      <div className="flex flex-wrap items-center justify-between gap-2 pt-[18px] pb-2">
        <h2 id="timeline" className="font-strong">
          {words.timeline} <span className="ml-1.5 text-xs font-normal text-ink-3">{day}</span>
        </h2>
        <Segmented label={words.show} value={shown} options={TIMELINE_SHOWN} onChange={setShown} />
      </div>
      <ol className={ENTRIES}>
        {events.toReversed().map((event) => (
          <Entry key={event.seq} event={event} incident={incident} />
        ))}
        {shown === "people" ? null : (
          <li className={`${ENTRY} text-ink-2`}>
            <When at={incident.began_at} incident={incident} />
            <span className={MARK}>
              <VerdictIcon shape="due" />
            </span>
            <div className="[&_p]:wrap-anywhere">
              <p>{words.began}</p>
            </div>
            <span className={KIND}>{words.beganKind}</span>
          </li>
        )}
      </ol>
    </section>
  );
}

function Entry({ event, incident }: { event: TimelineEvent; incident: IncidentView }) {
  const { kind, by_id: byId } = event;
  return (
    <li
      className={`${ENTRY} ${kind === "blind" ? GAP : ""} ${byId === null || kind === "blind" ? "text-ink-2" : "text-ink"}`}
    >
      <When at={event.at} incident={incident} />
      <span className={MARK}>
        <Mark event={event} />
      </span>
      <div className="[&_p]:wrap-anywhere">
        {kind === "blind" ? (
          <Gap event={event} incident={incident} />
        ) : byId === null ? (
          <p>
            <EventText event={event} />
          </p>
        ) : (
          <Act event={event} />
        )}
      </div>
      <span className={KIND}>{KIND_WORDS[kind]}</span>
    </li>
  );
}

/** People's actions are on our clock, observations on the API's. */
function When({ at, incident }: { at: string; incident: IncidentView }) {
  const timeZone = useZone();
  const ms = Date.parse(at);
  const text = useNow((nowMs) => moment(ms, nowMs + incident.api_clock_offset_ms, timeZone));
  return (
    <time className="font-mono text-[12px]" dateTime={at} title={absoluteTime(ms, timeZone)}>
      {text}
    </time>
  );
}

function Mark({ event }: { event: TimelineEvent }): ReactNode {
  const { kind, by } = event;
  if (kind === "noted") return <NoteIcon />;
  if (by !== null) return <Initials person={{ name: by, isYou: false }} />;
  if (kind === "ended") return <IncidentIcon isAcknowledged />;
  if (kind === "opened") return <IncidentIcon isAcknowledged={false} />;
  if (kind === "left") return <EndingIcon ending="removed" />;
  if (kind === "joined" || kind === "flapped") return <JoinIcon />;
  if (kind === "worsened" || kind === "eased") return <TurnIcon isWorse={kind === "worsened"} />;
  return null;
}

function JoinIcon() {
  return (
    <svg className="icon" width="12" height="12" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M8 2.5v11M2.5 8h11" fill="none" stroke="currentColor" strokeWidth="2" />
    </svg>
  );
}

/** An arrow that rises where it got worse, and falls where it improved. */
function TurnIcon({ isWorse }: { isWorse: boolean }) {
  return (
    <svg className="icon" width="12" height="12" viewBox="0 0 16 16" aria-hidden="true">
      <path
        d={isWorse ? "M2.5 13 12.5 3M6 3h6.5v6.5" : "M2.5 3l10 10M6 13h6.5V6.5"}
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
      />
    </svg>
  );
}

function NoteIcon() {
  return (
    <svg className="icon text-ink" width="12" height="12" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M2 2.5h12v8.5H7.6L4.4 14v-3H2Z" fill="currentColor" />
    </svg>
  );
}

/** The sentence, with its leading endpoint key as the API writes it. */
function EventText({ event: { text, endpoint_key: key } }: { event: TimelineEvent }) {
  if (text === null) return null;
  if (key === null || !/^[ :]/.test(text.slice(key.length)) || !text.startsWith(key)) return text;
  return (
    <>
      <span className="font-mono text-xs">{key}</span>
      {text.slice(key.length)}
    </>
  );
}

function Act({ event }: { event: TimelineEvent }) {
  const timeZone = useZone();
  const untilMs = event.until === null ? null : Date.parse(event.until);
  const until = useNow((nowMs) => (untilMs === null ? null : moment(untilMs, nowMs, timeZone)));
  const name = calledName({ name: event.by ?? "", isYou: false });
  const did =
    event.kind === "owned"
      ? personWords.owned(event.text ?? "", until)
      : event.kind === "acknowledged"
        ? personWords.acknowledged(until)
        : event.kind === "noted"
          ? event.told_customer
            ? personWords.toldCustomer
            : personWords.noted
          : personWords.unacknowledged;
  return (
    <>
      <p>
        <b className="font-strong">{name}</b> {did}
      </p>
      {event.kind === "owned" || event.text === null ? null : (
        <p className="mt-0.5 whitespace-pre-line" dir="auto">
          “{event.text}”
        </p>
      )}
    </>
  );
}

/** Unobserved time. */
function Gap({ event, incident }: { event: TimelineEvent; incident: IncidentView }) {
  const timeZone = useZone();
  const again = incident.timeline.find(({ seq, kind }) => kind === "seen_again" && seq > event.seq);
  const [fromMs, untilMs] = [Date.parse(event.at), Date.parse(again?.at ?? "")];
  const until = useNow((nowMs) => moment(untilMs, nowMs + incident.api_clock_offset_ms, timeZone));
  return (
    <p>
      <b className="font-strong text-ink">
        {again === undefined ? words.gapOpen : words.gap(duration(untilMs - fromMs), until)}
      </b>
    </p>
  );
}
