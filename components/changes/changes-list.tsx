"use client";

import type { ReactNode } from "react";
import { Ending } from "@/components/incidents/ended-list";
import { IncidentName } from "@/components/incidents/incident-name";
import { endedTexts, openTexts, spokenEndingOf } from "@/components/incidents/incident-text";
import { keyOf, VerdictNow } from "@/components/incidents/open-list";
import { calledName, Initials, NO_ONE_YET, whoIsOn } from "@/components/marks/on-it";
import { EndingIcon } from "@/components/marks/ending-icon";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Link } from "@/components/ui/link";
import { useNow } from "@/lib/client/use-now";
import type { ChangedIncident, ChangesView, OtherChange } from "@/lib/contracts/changes";
import type { Verdict } from "@/lib/domain/sync";
import { apartFromIncidents, countChanges } from "@/lib/domain/incidents/changes";
import type { IncidentEnding } from "@/lib/domain/incidents/incident";
import type { Spoken } from "@/lib/domain/words/incident-words";
import { instantMs } from "@/lib/domain/time/instant";
import { endpointPath } from "@/lib/domain/partner-address";
import { moment } from "@/lib/domain/words/format";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { timeTicks, type TimeTick } from "@/lib/domain/words/time-axis";
import { Some } from "./show-more-rows";
import { listWords as words, WHAT_CHANGED } from "./words";

/** The range that bars are drawn on, epoch milliseconds on our clock; `ticks` divide it. */
type Scale = { fromMs: number; untilMs: number; ticks: readonly TimeTick[] };
const MAX_TICKS = 8;
/** A label closer to the ends would overlap theirs; percent of the scale. */
const LABELLED = { from: 50, until: 90 };

/** Incidents that opened or ended and verdicts that changed in a company, one per row. */
export function ChangesList({ changes }: { changes: ChangesView }) {
  const timeZone = useZone();
  const { began, ended, otherwise, not_observed_seconds: unseen } = changes;
  const [fromMs, untilMs] = [Date.parse(changes.since), Date.parse(changes.until)];
  const scale = { fromMs, untilMs, ticks: timeTicks(fromMs, untilMs, timeZone, MAX_TICKS) };
  const stillOpen = began.filter(({ state }) => state === "open");
  const counts = countChanges(changes);
  const [worse, better] = [
    apartFromIncidents(changes.worse, began),
    apartFromIncidents(changes.better, ended),
  ];
  const sections = [
    { key: "worse", title: words.worseSection(worse.length), of: worse },
    { key: "better", title: words.betterSection(better.length), of: better },
    { key: "otherwise", title: words.otherSection(otherwise.length), of: otherwise },
  ];
  const isEmpty = [began, ended, worse, better, otherwise].every(({ length }) => length === 0);
  return (
    <>
      {isEmpty ? null : (
        <div
          role="table"
          aria-label={WHAT_CHANGED}
          className="list-frame mb-3"
          style={{
            "--unseen": unseenMask(changes.not_observed, scale),
            "--ticks": tickLines(scale),
          }}
        >
          <div role="row" className="list-row change-row list-head">
            <span role="columnheader">{words.what}</span>
            <span role="columnheader">{words.partner}</span>
            <span role="columnheader" className="text-right">
              {words.began}
            </span>
            <span role="columnheader" className="text-right">
              {words.ended}
            </span>
            <span role="columnheader" className={SCALE}>
              {moment(fromMs, untilMs, timeZone)} <TickLabels scale={scale} />
              <span>{words.now}</span>
            </span>
            <span role="columnheader">{words.evidence}</span>
          </div>
          <Section
            title={words.beganSection(began.length)}
            note={words.alsoEnded(stillOpen.length, began.length - stillOpen.length)}
            isShown={began.length > 0}
          >
            <Some of={stillOpen} className="list-row change-row">
              {(incident) => <OpenRow key={keyOf(incident)} incident={incident} scale={scale} />}
            </Some>
          </Section>
          <Section
            title={words.endedSection(ended.length)}
            note={words.endings(counts.recovered, counts.ended_otherwise)}
            isShown={ended.length > 0}
          >
            <Some of={ended} className="list-row change-row">
              {(incident) => <EndedRow key={keyOf(incident)} incident={incident} scale={scale} />}
            </Some>
          </Section>
          {sections.map(({ key, title, of }) => (
            <Section key={key} title={title} note={words.endpoints} isShown={of.length > 0}>
              <Some<OtherChange> of={of} className="list-row change-row">
                {(change) => (
                  <VerdictRow
                    key={change.endpoint_id}
                    change={change}
                    offsetMs={changes.api_clock_offset_ms}
                    scale={scale}
                  />
                )}
              </Some>
            </Section>
          ))}
        </div>
      )}
      <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5 px-6 pb-3 text-xs/4.5 text-ink-2 max-sm:px-3.5">
        {unseen === 0 ? null : (
          <>
            <svg
              width="14"
              height="12"
              aria-hidden="true"
              className="hatched border border-line-strong"
            />
            {words.unseen(unseen)}
          </>
        )}
        <span>{words.openNow(changes.open_count)}.</span>
      </p>
    </>
  );
}

function Section({
  title,
  note,
  isShown,
  children,
}: {
  title: string;
  note: string;
  isShown: boolean;
  children: ReactNode;
}) {
  if (!isShown) return null;
  return (
    <div role="rowgroup">
      <div
        role="row"
        className="flex min-h-[31px] items-center border-t border-line-strong px-3 text-xs/4.5 text-ink-2 in-[.list-head+*]:border-t-0"
      >
        <span role="cell" aria-colspan={6}>
          <b className="mr-1.5 font-medium text-ink">{title}</b> {note}
        </span>
      </div>
      {children}
    </div>
  );
}

function OpenRow({ incident, scale }: { incident: ChangedIncident; scale: Scale }) {
  const timeZone = useZone();
  const since = useNow((nowMs) => openTexts(incident, nowMs, timeZone).since);
  const openFor = useNow((nowMs) => openTexts(incident, nowMs, timeZone).openFor);
  const who = whoIsOn(incident.acknowledged);
  return (
    <div role="row" className="list-row change-row">
      <span role="cell" className="change-what -ml-[5px]">
        <VerdictNow incident={incident} />
      </span>
      <span role="rowheader" className="change-name truncate">
        <IncidentName incident={incident} withCompany={false} />
      </span>
      <span role="cell" className="change-began text-right">
        {since}
      </span>
      <span role="cell" className="change-ended text-right text-ink-2">
        {words.openFor(openFor)}
      </span>
      <SpanBar incident={incident} scale={scale} />
      <span role="cell" className="change-why flex items-center gap-[7px] truncate">
        <Initials person={who} />
        {who === null ? <b className="font-medium">{NO_ONE_YET}</b> : calledName(who)}
      </span>
    </div>
  );
}

function EndedRow({ incident, scale }: { incident: ChangedIncident; scale: Scale }) {
  const timeZone = useZone();
  const began = useNow((nowMs) => endedTexts(incident, nowMs, timeZone).began);
  const endedAt = useNow((nowMs) => endedTexts(incident, nowMs, timeZone).ended);
  const evidence = useNow((nowMs) => endedTexts(incident, nowMs, timeZone).evidence);
  const ending = spokenEndingOf(incident);
  return (
    <div role="row" className="list-row change-row">
      <span role="cell" className="change-what">
        {ending === null ? null : <Ending ending={ending} />}
      </span>
      <span role="rowheader" className="change-name truncate">
        <IncidentName incident={incident} withCompany={false} />
      </span>
      <span role="cell" className="change-began text-right">
        {began}
      </span>
      <span role="cell" className="change-ended text-right">
        {endedAt}
      </span>
      <SpanBar incident={incident} scale={scale} />
      <span role="cell" className="change-why truncate text-ink-2">
        {evidence}
      </span>
    </div>
  );
}

/**
 * An endpoint's verdict then and at the last check, since when it holds, and the changes in
 * between.
 */
function VerdictRow({
  change: { endpoint_id: id, from, to, verdicts },
  offsetMs,
  scale,
}: {
  change: OtherChange;
  offsetMs: number;
  scale: Scale;
}) {
  const { slug, view } = useLiveCompany();
  const timeZone = useZone();
  const row = view?.rows.find((one) => one.id === id);
  const heldFromMs = instantMs(verdicts.at(-1)?.[0] ?? null);
  return (
    <div role="row" className="list-row change-row">
      <span
        role="cell"
        className="change-verdicts col-start-1 flex items-center gap-[5px] [&>[role=img]]:text-ink-3"
      >
        <VerdictIcon shape={from} />
        {VERDICT_LABEL[from]}
        <svg width="11" height="8" viewBox="0 0 11 8" role="img" aria-label={words.to}>
          <path d="M0 4h9.5M6.5 1l3 3-3 3" fill="none" stroke="currentColor" strokeWidth="1.2" />
        </svg>
        {to === null ? (
          words.removed
        ) : (
          <>
            <VerdictIcon shape={to} />
            {VERDICT_LABEL[to]}
          </>
        )}
      </span>
      <span role="rowheader" className="change-name truncate">
        {row === undefined ? (
          id
        ) : (
          <Link
            href={endpointPath(slug, row.partner_name, id)}
            className="after:absolute after:inset-0"
          >
            <b className="font-medium" dir="auto">
              {row.partner_name}
            </b>{" "}
            <span className="text-ink-3">/</span>{" "}
            <span className="font-mono text-xs">{row.endpoint_key}</span>
          </Link>
        )}
      </span>
      <span role="cell" className="change-began text-right">
        {heldFromMs === null
          ? null
          : words.at(moment(heldFromMs - offsetMs, scale.untilMs, timeZone))}
      </span>
      <span role="cell" className="change-ended" />
      <span role="cell" className={SCALE}>
        {verdicts.length === 0 ? (
          <span className="text-xs text-ink-3">{words.tooOften}</span>
        ) : (
          <Pieces pieces={piecesOf(verdicts, offsetMs, scale.untilMs)} scale={scale} />
        )}
      </span>
    </div>
  );
}

const SCALE = "change-scale relative mr-2.5 flex items-center justify-between self-stretch";

/**
 * Severity over the time since then, and the ending; its times are beside it as text. Unobserved
 * time is hatched, equally in every row.
 */
function SpanBar({ incident, scale }: { incident: ChangedIncident; scale: Scale }) {
  const offsetMs = incident.api_clock_offset_ms;
  const endMs =
    incident.ended_at === null ? scale.untilMs : Date.parse(incident.ended_at) - offsetMs;
  const ending = spokenEndingOf(incident);
  return (
    <span role="cell" className={SCALE}>
      <Pieces pieces={piecesOf(incident.verdicts, offsetMs, endMs)} scale={scale} />
      {ending === null ? null : <EndMark ending={ending} at={shareOf(endMs, scale)} />}
    </span>
  );
}

/** @param at percent of the scale */
function EndMark({ ending, at }: { ending: Spoken<IncidentEnding>; at: number }) {
  return (
    <span
      className="absolute ml-[5px] [&_.icon:not([data-verdict])]:text-ink-2"
      style={{ left: `max(3px, ${at.toFixed(2)}%)` }}
    >
      <EndingIcon ending={ending} />
    </span>
  );
}

type Piece = { fromMs: number; untilMs: number; verdict: Verdict };

/**
 * Pieces of constant severity until `endMs`, without those that lack a verdict. Instants on our
 * clock.
 */
function piecesOf(
  verdicts: readonly (readonly [string, Verdict | null])[],
  offsetMs: number,
  endMs: number,
): Piece[] {
  const starts = verdicts.map(([from]) => Math.min(Date.parse(from) - offsetMs, endMs));
  return verdicts.flatMap(([, verdict], at) =>
    verdict === null
      ? []
      : { verdict, fromMs: starts[at] ?? endMs, untilMs: starts[at + 1] ?? endMs },
  );
}

function Pieces({ pieces, scale }: { pieces: readonly Piece[]; scale: Scale }) {
  return pieces.map(({ fromMs, untilMs, verdict }, at) => {
    // A piece before the scale is dropped; the end of an incident never is, however short.
    if (untilMs <= scale.fromMs && at < pieces.length - 1) return null;
    const [left, right] = [shareOf(fromMs, scale), shareOf(untilMs, scale)];
    return (
      <i
        key={at}
        data-verdict={verdict}
        style={{
          left: `${left.toFixed(2)}%`,
          width: `max(3px, ${(right - left).toFixed(2)}%)`,
        }}
      />
    );
  });
}

/** Local round times, where they fit between the ends. */
function TickLabels({ scale }: { scale: Scale }) {
  return scale.ticks.map(({ atMs, label }) => {
    const at = shareOf(atMs, scale);
    return at < LABELLED.from || at > LABELLED.until ? null : (
      <span key={atMs} className="absolute -translate-x-1/2" style={{ left: `${at.toFixed(2)}%` }}>
        {label}
      </span>
    );
  });
}

/** A line at each tick of the scale, in every row. */
function tickLines(scale: Scale): string {
  return bands(
    scale.ticks.map(({ atMs }) => {
      const at = `${shareOf(atMs, scale).toFixed(2)}%`;
      return [at, `calc(${at} + 1px)`];
    }),
    "var(--line)",
  );
}

/** Position of a moment, percent of the scale. */
function shareOf(ms: number, { fromMs, untilMs }: Pick<Scale, "fromMs" | "untilMs">): number {
  return Math.min(1, Math.max(0, (ms - fromMs) / Math.max(1, untilMs - fromMs))) * 100;
}

/** A mask of unobserved time for the hatching of every row; at least 3 px wide. */
function unseenMask(unseen: ChangesView["not_observed"], scale: Scale): string {
  return bands(
    unseen.map(({ from, until }) => {
      const [left, right] = [from, until].map((at) => shareOf(Date.parse(at), scale).toFixed(2));
      return [`${left}%`, `max(${right}%, ${left}% + 3px)`];
    }),
    "#000",
  );
}

/** A background with a colour in the given spans, and none elsewhere. */
function bands(spans: readonly (readonly [from: string, until: string])[], colour: string): string {
  const stops = spans.flatMap(([from, until]) => [
    `#0000 ${from}`,
    `${colour} ${from}`,
    `${colour} ${until}`,
    `#0000 ${until}`,
  ]);
  return `linear-gradient(to right, ${["#0000 0%", ...stops].join(", ")})`;
}
