"use client";

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { lineSentence, type CallLine } from "@/components/charts/call-line";
import { NOT_OBSERVED, PAST, callsHead } from "@/components/charts/words";
import { NumbersTable } from "@/components/charts/numbers-table";
import { StepLine } from "@/components/charts/step-line";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { partnerHistoryQuery } from "@/lib/client/queries/history";
import { instantMs } from "@/lib/domain/time/instant";
import { absoluteTime, count } from "@/lib/domain/words/format";
import { pastAxis, pastGaps } from "@/components/charts/past-axis";
import { useRange } from "@/components/charts/range-switch";
import { PreviousData, usePreviousData } from "@/components/shell/previous-data";
import { RecordNote } from "@/components/shell/record-note";
import { calls } from "./words";

const HEIGHT_PX = 156;

/** The partner's calls over time. A 24-hour window shows little in less than a week. */
export function Calls({ partnerName }: { partnerName: string }) {
  const { slug } = useLiveCompany();
  const [chosen] = useRange();
  const range = chosen === "1h" || chosen === "24h" ? "7d" : chosen;
  const { data, isPrevious, isError, refused } = usePreviousData(
    partnerName,
    useQuery(partnerHistoryQuery(slug, partnerName, range)),
  );
  if (data === undefined)
    return (
      <CallsSection range={range}>
        <RecordNote state={isError ? "silent" : "reading"} heightPx={HEIGHT_PX} refused={refused} />
      </CallsSection>
    );
  // Readings end with the last snapshot; while blind, an open gap extends to the end.
  const isBlind = data.gaps.some(({ until }) => until === null);
  const endMs = instantMs(isBlind ? data.until : (data.as_of ?? data.until)) ?? 0;
  const axis = pastAxis(data, endMs);
  const line: CallLine = {
    ...axis,
    points: data.calls.map(([atMs, value]) => ({ atMs, value })),
    gaps: pastGaps(data, axis),
  };
  return (
    <CallsSection range={data.range}>
      <PreviousData
        isPrevious={isPrevious}
        isError={isError}
        refused={refused}
        requested={PAST[range]}
        shown={PAST[data.range]}
        asOf={data.as_of}
      >
        <CallsLine what={calls.of(partnerName)} line={line} />
      </PreviousData>
    </CallsSection>
  );
}

function CallsSection({ range, children }: { range: keyof typeof PAST; children: ReactNode }) {
  return (
    <section className="panel" aria-labelledby="calls">
      <header>
        <h2 id="calls">{calls.heading(PAST[range])}</h2>
        <p>{calls.overlap}</p>
      </header>
      {children}
    </section>
  );
}

/** A line of calls with its sentence and its numbers. */
export function CallsLine({ what, line }: { what: string; line: CallLine }) {
  const timeZone = useZone();
  return (
    <StepLine
      {...line}
      label={lineSentence(what, line, timeZone)}
      timeZone={timeZone}
      heightPx={HEIGHT_PX}
      table={
        <NumbersTable
          caption={what}
          head={[callsHead.sample, callsHead.calls]}
          rows={line.points
            .toReversed()
            .map(({ atMs, value }) => [
              absoluteTime(atMs, timeZone),
              value === null ? NOT_OBSERVED : count(value),
            ])}
        />
      }
    />
  );
}
