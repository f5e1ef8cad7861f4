"use client";

import { useQuery } from "@tanstack/react-query";
import { HatchedKey } from "@/components/charts/hatched-key";
import { SawtoothLine } from "@/components/charts/sawtooth-line";
import { TimeAxis } from "@/components/charts/time-axis";
import { VerdictIcon } from "@/components/marks/verdict-icon";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { partnerHistoryQuery } from "@/lib/client/queries/history";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { PartnerHistory } from "@/lib/contracts/history";
import { landingsOf, unknownPeriods, type Period } from "@/lib/domain/history";
import { sawtooth } from "@/lib/domain/sawtooth";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { span } from "@/lib/domain/words/format";
import { useJudgedEvery, type JudgedRow } from "@/components/drill-down/partner-rows";
import { pastAxis, periodsOf } from "@/components/charts/past-axis";
import { NOT_KNOWN_NOTE, NOT_OBSERVED, PAST } from "@/components/charts/words";
import { RangeSwitch, useRange } from "@/components/charts/range-switch";
import { PreviousData, usePreviousData } from "@/components/shell/previous-data";
import { RecordNote } from "@/components/shell/record-note";
import { freshness } from "./freshness-words";

const ROW_PX = 34;
/** At this size only minutes are visible. */
const STEP_MS = MINUTE_MS;
const NEVER: readonly Period[] = [];

/** The data age of every endpoint against its cadence, over time. `rows`: in the table's order. */
export function Freshness({
  partnerName,
  rows,
}: {
  partnerName: string;
  rows: readonly SyncStatusRow[];
}) {
  const { slug } = useLiveCompany();
  const [range] = useRange();
  const { data, isPrevious, isError, refused } = usePreviousData(
    partnerName,
    useQuery(partnerHistoryQuery(slug, partnerName, range)),
  );
  const past = PAST[data?.range ?? range];
  return (
    <section className="panel" aria-labelledby="freshness">
      <header>
        <h2 id="freshness">{freshness.heading(past)}</h2>
        <RangeSwitch />
      </header>
      <p className="mb-2 text-xs text-ink-2">{freshness.note}</p>
      {data === undefined ? (
        <RecordNote
          state={isError ? "silent" : "reading"}
          heightPx={refused === null ? rows.length * ROW_PX + 18 : ROW_PX}
          refused={refused}
        />
      ) : (
        <PreviousData
          isPrevious={isPrevious}
          isError={isError}
          refused={refused}
          requested={PAST[range]}
          shown={past}
          asOf={data.as_of}
        >
          <Teeth history={data} rows={rows} />
        </PreviousData>
      )}
    </section>
  );
}

const TOOTH_COLUMNS = "grid-cols-[176px_minmax(0,1fr)] max-sm:grid-cols-[118px_minmax(0,1fr)]";

function Teeth({ history, rows }: { history: PartnerHistory; rows: readonly SyncStatusRow[] }) {
  const timeZone = useZone();
  const { judged, apiNowMs } = useJudgedEvery(rows, STEP_MS);
  const axis = pastAxis(history, apiNowMs);
  const past = new Map(history.endpoints.map((endpoint) => [endpoint.id, endpoint]));
  const unknown = new Map(
    judged.map(({ row: { id } }) => [
      id,
      unknownPeriods(axis.fromMs, history.slot_minutes * MINUTE_MS, past.get(id)?.verdicts ?? ""),
    ]),
  );
  const isInterrupted = [...unknown.values()].some((periods) => periods.length > 0);
  const isHatched = history.endpoints.some(({ unobserved }) => unobserved.length > 0);
  return (
    <>
      <ul>
        {judged.map((one) => (
          <Tooth
            key={one.row.id}
            judged={one}
            past={past.get(one.row.id)}
            unknown={unknown.get(one.row.id) ?? NEVER}
            axis={axis}
          />
        ))}
      </ul>
      <div className={`grid items-center [&>*]:col-start-2 ${TOOTH_COLUMNS}`}>
        <TimeAxis axis={axis} timeZone={timeZone} />
      </div>
      {isHatched || isInterrupted ? (
        <p className="mt-1 flex items-center justify-end gap-1.5 text-2xs text-ink-3">
          {isInterrupted ? <span>{NOT_KNOWN_NOTE}</span> : null}
          {isHatched ? (
            <>
              <HatchedKey />
              {NOT_OBSERVED}{" "}
            </>
          ) : null}
        </p>
      ) : null}
    </>
  );
}

function Tooth({
  judged: { row, word, judgement },
  past,
  unknown,
  axis,
}: {
  judged: JudgedRow;
  past: PartnerHistory["endpoints"][number] | undefined;
  /** When its verdict was unknown. */
  unknown: readonly Period[];
  axis: Period;
}) {
  const { cadenceMs } = judgement.terms;
  const landingsMs = past === undefined ? [] : landingsOf(past.landed_before_ms, past.landings);
  const unobserved = past === undefined ? [axis] : periodsOf(past.unobserved);
  const shape = sawtooth(landingsMs, [...unobserved, ...unknown], axis, judgement.terms);
  const count = past?.landings.reduce((sum, group) => sum + group.count, 0) ?? 0;
  return (
    <li className={`grid min-h-[35px] items-center border-t border-line ${TOOTH_COLUMNS}`}>
      <span className="flex min-w-0 items-center gap-[7px] pr-3.5 text-xs/4.5">
        <VerdictIcon shape={word} size={10} />
        <span className="sr-only">{word}, </span>
        <span className="truncate font-mono" title={row.endpoint_key}>
          {row.endpoint_key}
        </span>
        <span className="ml-auto text-2xs whitespace-nowrap text-ink-3 max-sm:hidden">
          {cadenceMs === null ? "" : span(cadenceMs)}
        </span>
      </span>
      {cadenceMs === null || word === "paused" ? (
        <span className="text-2xs text-ink-3">{freshness.noLine(count, row.status)}</span>
      ) : (
        <SawtoothLine
          label={freshness.label(row.endpoint_key, span(cadenceMs), count, {
            overdue: shape.overdue.length,
            gaps: unobserved.length,
            unknown: unknown.length,
          })}
          shape={shape}
          gaps={unobserved}
          axis={axis}
          heightPx={ROW_PX}
        />
      )}
    </li>
  );
}
