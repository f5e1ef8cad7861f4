"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo, type ReactNode } from "react";
import { StepLine } from "@/components/charts/step-line";
import { NOT_OBSERVED, PAST, RANGE_LABEL, callsHead } from "@/components/charts/words";
import { PreviousData, usePreviousData } from "@/components/shell/previous-data";
import { RecordNote } from "@/components/shell/record-note";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Segmented } from "@/components/ui/segmented";
import {
  apiCallsCsvPath,
  apiCallsQuery,
  type ApiCallsSelection,
} from "@/lib/client/queries/calls/api-calls";
import type { ApiCallsView } from "@/lib/contracts/history";
import type { HistoryRange, Period } from "@/lib/domain/history";
import { absoluteTime, count } from "@/lib/domain/words/format";
import { CALL_RANGES, type ApiCallsState } from "./api-calls-url";
import { callLine, lineSentence, type CallLine } from "@/components/charts/call-line";
import { CallsPanel } from "./calls-panel";
import type { ChosenUsage } from "./usage";
import type { Allowance } from "@/lib/contracts/calls/allowances";
import { allowanceShare, allowedPerDay } from "@/lib/domain/calls/allowance";
import { RateLimitedStrip } from "./rate-limited-strip";
import {
  COMPANY_LINE,
  DOWNLOAD_CSV,
  WEEK_BEFORE,
  allowanceSentence,
  paceSentence,
  weekBeforeText,
  rateLimited as stripWords,
} from "./words";

type Range = ApiCallsState["range"];

const RANGE_OPTIONS = CALL_RANGES.map((value) => ({
  value,
  label: value.replace(/(?=[hd]$)/, " "),
}));
const HEIGHT_PX = 200;
/** What is below a plot: its table's button, and the strip of rate-limited runs. */
const TABLE_PX = 24;
const STRIP_PX = 52;

/**
 * Recorded calls of the selected partner or endpoint, its rate-limited runs, and its usual day.
 * @param allowance the partner's; null: none is known
 */
export function CallsOverTime({
  chosen,
  endpointId,
  allowance,
  range,
  onRange,
}: {
  chosen: ChosenUsage;
  endpointId: string | null;
  allowance: Allowance | null;
  range: Range;
  onRange: (range: Range) => void;
}) {
  const { slug, confidence } = useLiveCompany();
  const timeZone = useZone();
  const selection: ApiCallsSelection = {
    range,
    partner: chosen.partner,
    ...(endpointId !== null && { endpoint: endpointId }),
  };
  const { data, isPrevious, isError, refused } = usePreviousData(
    JSON.stringify([chosen.partner, endpointId]),
    useQuery(apiCallsQuery(slug, selection)),
  );
  const line = useMemo(
    () =>
      data === undefined
        ? null
        : callLine(
            data,
            endpointId === null ? "partner" : "endpoint",
            endpointId ?? chosen.partner,
          ),
    [data, endpointId, chosen.partner],
  );
  const feed = chosen.endpoints?.find(({ id }) => id === endpointId);
  const endpoint = feed?.endpointKey ?? endpointId;
  const calls = (endpointId === null ? chosen.calls : feed?.calls) ?? null;
  // The allowance is for the partner's feeds together.
  const limit = endpointId === null ? allowance : null;
  const share = limit === null || calls === null ? null : allowanceShare(calls, limit);
  // While blind, the figure of now isn't known.
  const pace = confidence === "blind" || data === undefined ? null : data.pace;
  return (
    <LinePanel
      name={endpoint === null ? chosen.partner : `${chosen.partner} / ${endpoint}`}
      title={
        <>
          <bdi>{chosen.partner}</bdi>
          {endpoint === null ? null : (
            <>
              {" / "}
              <bdi className="font-mono text-[12.5px]">{endpoint}</bdi>
            </>
          )}
        </>
      }
      line={line}
      state={stateOf(data !== undefined, isError)}
      kept={{ isPrevious, isError, refused, asOf: data?.as_of ?? null }}
      requested={range}
      range={data?.range ?? range}
      csvPath={apiCallsCsvPath(slug, selection)}
      limit={limit === null ? null : allowedPerDay(limit)}
      rateLimited={data?.rate_limited ?? null}
      controls={
        <>
          <Segmented
            className="mb-2"
            label={RANGE_LABEL}
            value={range}
            options={RANGE_OPTIONS}
            onChange={onRange}
          />
          {limit === null ? null : (
            <p className="mb-1 text-xs text-ink-2">
              <i className="allowance-key" aria-hidden="true" />
              {allowanceSentence(limit, timeZone)}
            </p>
          )}
        </>
      }
      foot={
        <p className="mt-1 min-h-8 text-xs text-ink-2">
          {pace === null || calls === null ? "" : paceSentence(calls, share, pace)}
          {data?.rate_limited === null ? ` ${stripWords.tooMany(PAST[data.range])}` : ""}
        </p>
      }
    />
  );
}

/** Recorded calls of the whole company over the same range. */
export function CompanyOverTime({ range }: { range: Range }) {
  const { slug } = useLiveCompany();
  const { data, ...kept } = usePreviousData(slug, useQuery(apiCallsQuery(slug, { range })));
  const line = useMemo(() => (data === undefined ? null : callLine(data, "total", null)), [data]);
  return (
    <LinePanel
      name={COMPANY_LINE}
      title={COMPANY_LINE}
      line={line}
      state={stateOf(data !== undefined, kept.isError)}
      kept={{ ...kept, asOf: data?.as_of ?? null }}
      requested={range}
      range={data?.range ?? range}
      csvPath={apiCallsCsvPath(slug, { range })}
    />
  );
}

function stateOf(isRead: boolean, isError: boolean): "empty" | "silent" | "reading" {
  if (isRead) return "empty";
  return isError ? "silent" : "reading";
}

/** A line of calls, over last week's where there is one. */
function LinePanel({
  name,
  title,
  line,
  state,
  kept,
  requested,
  range,
  csvPath,
  limit = null,
  rateLimited = null,
  controls,
  foot,
}: {
  name: string;
  title: ReactNode;
  line: CallLine | null;
  /** Shown without a line. */
  state: "empty" | "silent" | "reading";
  kept: { isPrevious: boolean; isError: boolean; refused: string | null; asOf: string | null };
  requested: Range;
  /** Of the line. */
  range: HistoryRange;
  csvPath: string;
  limit?: number | null;
  rateLimited?: ApiCallsView["rate_limited"];
  controls?: ReactNode;
  foot?: ReactNode;
}) {
  const timeZone = useZone();
  const what = `${name}, ${PAST[range]}`;
  const isCompared = line?.earlier?.some(({ value }) => value !== null) === true;
  return (
    <CallsPanel
      title={
        <>
          {title}, {PAST[range]}
        </>
      }
      note={
        <>
          {isCompared ? `${WEEK_BEFORE} · ` : ""}
          <a href={csvPath} download className="underline underline-offset-3 hover:text-ink">
            {DOWNLOAD_CSV}
          </a>
        </>
      }
      controls={controls}
    >
      {line === null ? (
        <RecordNote
          state={state}
          heightPx={HEIGHT_PX + TABLE_PX + (foot === undefined ? 0 : STRIP_PX)}
          refused={kept.refused}
        />
      ) : (
        <PreviousData {...kept} requested={PAST[requested]} shown={PAST[range]}>
          <StepLine
            {...line}
            label={`${lineSentence(what, line, timeZone)}${isCompared ? ` ${weekBeforeText}` : ""}`}
            timeZone={timeZone}
            heightPx={HEIGHT_PX}
            limit={limit}
            {...(rateLimited !== null && {
              below: (unseen: readonly Period[]) => (
                <RateLimitedStrip
                  runs={rateLimited}
                  axis={line}
                  unseen={unseen}
                  past={PAST[range]}
                  timeZone={timeZone}
                />
              ),
            })}
            table={<LineTable what={what} line={line} timeZone={timeZone} />}
          />
        </PreviousData>
      )}
      {foot}
    </CallsPanel>
  );
}

/** The samples as a table, newest first. */
function LineTable({ what, line, timeZone }: { what: string; line: CallLine; timeZone: string }) {
  return (
    <table className="mt-1 w-full text-left">
      <caption className="sr-only">{what}</caption>
      <thead>
        <tr>
          <th scope="col" className="py-1 font-normal">
            {callsHead.sample}
          </th>
          <th scope="col" className="py-1 text-right font-normal">
            {callsHead.calls}
          </th>
        </tr>
      </thead>
      <tbody>
        {line.points.toReversed().map(({ atMs, value }) => (
          <tr key={atMs} className="border-t border-line text-ink-2">
            <td className="py-0.5">{absoluteTime(atMs, timeZone)}</td>
            <td className="py-0.5 text-right">{value === null ? NOT_OBSERVED : count(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
