"use client";

import type { ReactNode } from "react";
import type { Verdict } from "@/lib/domain/sync";
import { rowText } from "@/lib/domain/words/row-text";
import { RunIcon } from "@/components/marks/run-icon";
import type { JudgedRow } from "@/components/drill-down/partner-rows";
import { useLiveCompany } from "@/components/shell/live-company";
import { latenessStyle } from "@/components/marks/lateness-style";
import { useZone } from "@/components/shell/time/zone";
import { instantMs } from "@/lib/domain/time/instant";
import { absoluteTime, count, duration, moment, span } from "@/lib/domain/words/format";
import { overdueFigure } from "./overdue-figure";
import { cadenceNote, figures } from "./words";

/**
 * Six figures: age and lateness first, and never combined into one number. `judgedMs`: the moment
 * that the endpoint was judged at, which is now, or the snapshot's once blind.
 */
export function Figures({
  judged,
  apiNowMs,
  judgedMs,
}: {
  judged: JudgedRow;
  apiNowMs: number;
  judgedMs: number;
}) {
  const { confidence } = useLiveCompany();
  const timeZone = useZone();
  const { row, word, judgement } = judged;
  const { terms } = judgement;
  const isFrozen = confidence === "blind";
  const text = rowText(row, { atMs: judgedMs, isFrozen }, { confidence, behindMs: 0, timeZone });
  const at = (ms: number | null) => (ms === null ? "" : moment(ms, apiNowMs, timeZone));
  const title = (ms: number | null) => (ms === null ? undefined : absoluteTime(ms, timeZone));
  const overdue = overdueFigure(judged, { judgedMs, nowMs: apiNowMs, timeZone });
  const startedMs = instantMs(row.last_sync_started_at);
  return (
    <dl className="mb-4 flex border-y border-line-strong max-md:flex-wrap">
      <Figure
        name={isFrozen ? figures.ageThen : figures.age}
        value={terms.ageMs === null ? figures.notKnown : duration(terms.ageMs)}
        note={terms.landingMs === null ? figures.noData : figures.asOf(at(terms.landingMs))}
        title={title(terms.landingMs)}
      />
      <Figure
        name={figures.overdue}
        value={overdue.value}
        note={overdue.note}
        title={title(overdue.dueMs)}
        tone={overdue.isOverdue && !isFrozen ? word : undefined}
      />
      <Figure
        name={figures.cadence}
        value={terms.cadenceMs === null ? figures.noCadence : span(terms.cadenceMs)}
        note={cadenceNote(terms.cadenceMs, terms.cadenceSource, row.status)}
      />
      <Figure
        name={figures.next}
        value={
          text.nextIn === ""
            ? row.status === "webhook"
              ? figures.onEvent
              : figures.notScheduled
            : text.nextIn
        }
        note={at(terms.nextMs)}
        title={title(terms.nextMs)}
      />
      <Figure
        name={figures.lastRun}
        value={
          <span className="flex items-center gap-1.5">
            <RunIcon outcome={row.last_sync_status} />
            {text.run === "" ? figures.noRun : text.run}
          </span>
        }
        note={[at(startedMs), text.runTook].filter(Boolean).join(", ")}
        title={title(startedMs)}
      />
      <Figure name={figures.calls} value={count(row.api_calls_last_24h)} note={figures.rolling} />
    </dl>
  );
}

function Figure({
  name,
  value,
  note,
  title,
  tone,
}: {
  name: string;
  value: ReactNode;
  note: string;
  title?: string | undefined;
  tone?: Verdict | undefined;
}) {
  const look = tone && latenessStyle(tone);
  return (
    <div className="min-w-0 flex-1 border-l border-line px-3 py-2.5 first:border-l-0 first:pl-0 max-md:flex-[1_0_33%] max-md:border-l-0 max-md:pl-0 max-sm:flex-[1_0_50%] max-sm:py-2 max-sm:pr-2">
      <dt className="text-2xs text-ink-3">{name}</dt>
      <dd
        {...look}
        className={`text-lg font-medium tracking-[-0.02em] whitespace-nowrap ${look?.className ?? ""}`}
      >
        {value}
      </dd>
      <dd className="min-h-4 truncate text-xs font-normal tracking-normal text-ink-2" title={title}>
        {note}
      </dd>
    </div>
  );
}
