"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { CallLine } from "@/components/charts/call-line";
import { NOT_KNOWN_NOTE, PAST } from "@/components/charts/words";
import { DurationBars } from "@/components/charts/duration-bars";
import type { DurationBar } from "@/components/charts/duration-bars-plot";
import { NumbersTable } from "@/components/charts/numbers-table";
import { SawtoothLine } from "@/components/charts/sawtooth-line";
import { TimeAxis } from "@/components/charts/time-axis";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import { CallsLine } from "@/components/drill-down/calls";
import { OnTimeDays } from "@/components/drill-down/on-time-days";
import { pastAxis, periodsOf } from "@/components/charts/past-axis";
import { RangeSwitch, useRange } from "@/components/charts/range-switch";
import { PreviousData, usePreviousData } from "@/components/shell/previous-data";
import { RecordNote } from "@/components/shell/record-note";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { endpointHistoryQuery } from "@/lib/client/queries/history";
import type { EndpointHistory, RunCounts } from "@/lib/contracts/history";
import { landingsOf, unknownPeriods, type Period } from "@/lib/domain/history";
import { instantMs } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { sawtooth, type Timing } from "@/lib/domain/sawtooth";
import { VERDICT_LABEL } from "@/lib/domain/words/labels";
import { absoluteTime, duration, moment, runDuration } from "@/lib/domain/words/format";
import { durations, freshness, received, usualDuration, verdicts, wasWord } from "./words";
import { calls } from "@/components/drill-down/words";

/** Recorded history of the page's endpoint. */
export function useEndpointPast(endpointId: string) {
  const { slug } = useLiveCompany();
  const [range] = useRange();
  return {
    range,
    ...usePreviousData(endpointId, useQuery(endpointHistoryQuery(slug, endpointId, range))),
  };
}

const SAWTOOTH_PX = 84;
const BARS_PX = 180;
const LINE_PX = 156;
/** Of what stands below a chart: its axis, or the way to its table. */
const AXIS_PX = 18;
const TABLE_PX = 24;

/** Charts of everything on record about an endpoint. */
export function EndpointPast({
  id,
  endpointKey,
  status,
  timing,
  apiNowMs,
}: {
  id: string;
  endpointKey: string;
  /** Null: it is no longer listed. */
  status: string | null;
  timing: Timing;
  apiNowMs: number;
}) {
  const { data, isPrevious, isError, range } = useEndpointPast(id);
  // Names the range that is drawn, not the one being loaded.
  const past = PAST[data?.range ?? range];
  const kept = {
    isPrevious,
    isError,
    requested: PAST[range],
    shown: past,
    asOf: data?.as_of ?? null,
  };
  const axis = data === undefined ? null : pastAxis(data, apiNowMs);
  const note = (heightPx: number) => (
    <RecordNote state={isError ? "silent" : "reading"} heightPx={heightPx} />
  );
  return (
    <>
      <Panel title={freshness.heading(past)} aside={<RangeSwitch />}>
        {data === undefined || axis === null ? (
          note(SAWTOOTH_PX + AXIS_PX)
        ) : (
          <PreviousData {...kept}>
            <Teeth history={data} endpointKey={endpointKey} timing={timing} axis={axis} />
          </PreviousData>
        )}
      </Panel>
      <Panel
        title={durations.heading(past)}
        aside={
          // On a line of its own, whatever its length.
          <p className="basis-full">
            {data === undefined ? durations.scale : durations.note(usual(data))}
          </p>
        }
      >
        {data === undefined || axis === null ? (
          note(BARS_PX + TABLE_PX)
        ) : (
          <PreviousData {...kept}>
            <Durations history={data} axis={axis} />
          </PreviousData>
        )}
      </Panel>
      <Panel title={calls.heading(past)} aside={<p>{calls.overlap}</p>}>
        {data === undefined || axis === null ? (
          note(LINE_PX + TABLE_PX)
        ) : (
          <PreviousData {...kept}>
            <CallsLine what={calls.of(endpointKey)} line={callsOf(data, axis)} />
          </PreviousData>
        )}
      </Panel>
      <OnTimeDays
        of={{ endpoint: id }}
        subject={endpointKey}
        statuses={status === null ? null : [status]}
      />
      <Panel title={received.heading(past)}>
        {data === undefined ? (
          note(40)
        ) : (
          <PreviousData {...kept}>
            <Landings history={data} apiNowMs={apiNowMs} />
          </PreviousData>
        )}
      </Panel>
      <Panel title={verdicts.heading(past)}>
        {data === undefined ? (
          note(40)
        ) : (
          <PreviousData {...kept}>
            <Verdicts history={data} apiNowMs={apiNowMs} />
          </PreviousData>
        )}
      </Panel>
    </>
  );
}

export function Panel({
  title,
  aside,
  children,
}: {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="panel" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {aside}
      </header>
      {children}
    </section>
  );
}

function usual({ durations: seen, runs }: EndpointHistory): string {
  const others = (["failed", "timed_out", "rate_limited", "other"] as const).map(
    (outcome) => [outcome, runs.reduce((sum, { counts }) => sum + counts[outcome], 0)] as const,
  );
  return usualDuration(seen.p50_seconds, seen.p95_seconds, others);
}

function Teeth({
  history,
  endpointKey,
  timing,
  axis,
}: {
  history: EndpointHistory;
  endpointKey: string;
  timing: Timing;
  axis: Period;
}) {
  const { cadenceMs } = timing;
  const timeZone = useZone();
  const unobserved = periodsOf(history.unobserved);
  const landings = landingsOf(history.landed_before_ms, history.landings);
  const unknown = unknownPeriods(axis.fromMs, history.slot_minutes * MINUTE_MS, history.verdicts);
  const shape = sawtooth(landings, [...unobserved, ...unknown], axis, timing);
  if (cadenceMs === null) return <p className="text-xs text-ink-3">{freshness.noCadence}</p>;
  return (
    <>
      <SawtoothLine
        label={freshness.label(endpointKey, cadenceMs, {
          overdue: shape.overdue.length,
          gaps: unobserved.length,
          unknown: unknown.length,
        })}
        shape={shape}
        gaps={unobserved}
        axis={axis}
        heightPx={SAWTOOTH_PX}
      />
      <TimeAxis axis={axis} timeZone={timeZone} marks={6} />
      {unknown.length === 0 ? null : (
        <p className="mt-1 text-right text-2xs text-ink-3">{NOT_KNOWN_NOTE}</p>
      )}
    </>
  );
}

function Durations({ history, axis }: { history: EndpointHistory; axis: Period }) {
  const timeZone = useZone();
  const { runs, durations: seen } = history;
  const bars = runs.flatMap(({ at_ms, counts, max_seconds, other_max_seconds }): DurationBar[] => {
    const seconds = max_seconds ?? other_max_seconds;
    if (seconds === null) return [];
    return [{ atMs: at_ms, seconds, outcome: worstOf(counts), note: noteOf(counts) }];
  });
  const { p50_seconds: half, p95_seconds: most } = seen;
  const typical = half === null || most === null ? null : { fromSeconds: half, untilSeconds: most };
  const longest = seen.max_seconds;
  return (
    <DurationBars
      axis={axis}
      bars={bars}
      gaps={periodsOf(history.unobserved)}
      typical={typical}
      typicalLabel={durations.band}
      timeZone={timeZone}
      heightPx={BARS_PX}
      label={durations.label(seen.count, usual(history), longest)}
      table={
        <NumbersTable
          caption={durations.table}
          head={[durations.started, durations.longest, durations.runs]}
          rows={bars
            .toReversed()
            .map(({ atMs, seconds, note }) => [
              absoluteTime(atMs, timeZone),
              runDuration(seconds * 1000),
              note,
            ])}
        />
      }
    />
  );
}

const WORST_FIRST = [
  "failed",
  "timed_out",
  "rate_limited",
  "other",
  "in_progress",
  "completed",
] as const;

function worstOf(counts: RunCounts): string {
  return WORST_FIRST.find((outcome) => counts[outcome] > 0) ?? "completed";
}

function noteOf(counts: RunCounts): string {
  return WORST_FIRST.filter((outcome) => counts[outcome] > 0)
    .map((outcome) => durations.outcomes(counts[outcome], outcome))
    .join(", ");
}

function callsOf(history: EndpointHistory, axis: Period): CallLine {
  const points = history.calls.map(([atMs, value]) => ({ atMs, value }));
  return { ...axis, points, gaps: periodsOf(history.unobserved) };
}

function Landings({ history, apiNowMs }: { history: EndpointHistory; apiNowMs: number }) {
  const timeZone = useZone();
  const { landings, unobserved } = history;
  if (landings.length === 0)
    return <p className="text-xs text-ink-3">{received.none(unobserved.length === 0)}</p>;
  const at = (ms: number) => moment(ms, apiNowMs, timeZone);
  return (
    <NumbersTable
      caption={received.table}
      head={[received.at, received.times, received.longestGap]}
      rows={landings
        .toReversed()
        .map(({ first_ms, last_ms, count, longest_gap_ms }) => [
          count === 1 ? at(first_ms) : received.range(at(first_ms), at(last_ms)),
          String(count),
          longest_gap_ms > 0 ? duration(longest_gap_ms) : "",
        ])}
    />
  );
}

function Verdicts({ history, apiNowMs }: { history: EndpointHistory; apiNowMs: number }) {
  const timeZone = useZone();
  const { verdict_changes: changes } = history;
  if (changes.length === 0)
    return <p className="text-xs text-ink-3">{verdicts.none(history.unobserved.length === 0)}</p>;
  return (
    <ScrollRegion label={verdicts.label} className="max-h-[320px] overflow-y-auto">
      <ol>
        {changes.map(({ at, verdict, previous }) => {
          const atMs = instantMs(at) ?? 0;
          return (
            <li
              key={at}
              className="grid grid-cols-[120px_110px_1fr] border-t border-line py-[3px] text-xs"
            >
              <time dateTime={at} title={absoluteTime(atMs, timeZone)} className="font-mono">
                {moment(atMs, apiNowMs, timeZone)}
              </time>
              {verdict === null ? (
                verdicts.removed
              ) : (
                <span className="flex items-center gap-1.5">
                  <VerdictIcon shape={verdict} size={10} />
                  {VERDICT_LABEL[verdict]}
                </span>
              )}
              <span className="text-ink-3">
                {previous === null ? verdicts.firstSeen : wasWord(previous)}
              </span>
            </li>
          );
        })}
      </ol>
    </ScrollRegion>
  );
}
