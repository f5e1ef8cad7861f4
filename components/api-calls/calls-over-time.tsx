"use client";

import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { StepLine } from "@/components/charts/step-line";
import { NOT_OBSERVED, PAST, RANGE_LABEL, callsHead } from "@/components/charts/words";
import { RecordNote } from "@/components/shell/record-note";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/zone";
import { Segmented } from "@/components/ui/segmented";
import {
  apiCallsCsvPath,
  apiCallsQuery,
  type ApiCallsSelection,
} from "@/lib/client/queries/history";
import { absoluteTime, count } from "@/lib/domain/words/format";
import { CALL_RANGES, type ApiCallsState } from "./api-calls-url";
import { callLine, lineSentence, type CallLine } from "@/components/charts/call-line";
import { CallsPanel } from "./calls-panel";
import type { ChosenUsage } from "./usage";
import { DOWNLOAD_CSV } from "./words";

type Range = ApiCallsState["range"];

const RANGE_OPTIONS = CALL_RANGES.map((value) => ({
  value,
  label: value.replace(/(?=[hd]$)/, " "),
}));
const HEIGHT_PX = 200;

/** What the record says of the chosen partner's calls, or of one endpoint's. */
export function CallsOverTime({
  chosen,
  endpointId,
  range,
  onRange,
}: {
  chosen: ChosenUsage;
  endpointId: string | null;
  range: Range;
  onRange: (range: Range) => void;
}) {
  const { slug } = useLiveCompany();
  const timeZone = useZone();
  const selection: ApiCallsSelection = {
    range,
    partner: chosen.partner,
    ...(endpointId !== null && { endpoint: endpointId }),
  };
  const { data, isError } = useQuery(apiCallsQuery(slug, selection));
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
  const endpoint = chosen.endpoints?.find(({ id }) => id === endpointId)?.endpointKey ?? endpointId;
  const name = endpoint === null ? chosen.partner : `${chosen.partner} / ${endpoint}`;
  const what = `${name}, ${PAST[range]}`;
  return (
    <CallsPanel
      title={
        <>
          <bdi>{chosen.partner}</bdi>
          {endpoint === null ? null : (
            <>
              {" / "}
              <bdi className="font-mono text-[12.5px]">{endpoint}</bdi>
            </>
          )}
          , {PAST[range]}
        </>
      }
      note={
        <a
          href={apiCallsCsvPath(slug, selection)}
          download
          className="underline underline-offset-3 hover:text-ink"
        >
          {DOWNLOAD_CSV}
        </a>
      }
      controls={
        <Segmented
          className="mt-2"
          label={RANGE_LABEL}
          value={range}
          options={RANGE_OPTIONS}
          onChange={onRange}
        />
      }
    >
      {line === null ? (
        <RecordNote
          state={data !== undefined ? "empty" : isError ? "silent" : "reading"}
          heightPx={HEIGHT_PX}
        />
      ) : (
        <StepLine
          {...line}
          label={lineSentence(what, line, timeZone)}
          timeZone={timeZone}
          heightPx={HEIGHT_PX}
          table={<LineTable what={what} line={line} timeZone={timeZone} />}
        />
      )}
    </CallsPanel>
  );
}

/** The samples in words and numbers, newest first. */
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
