"use client";

import { useQuery } from "@tanstack/react-query";
import { RunIcon } from "@/components/marks/run-icon";
import { PreviousData, usePreviousData } from "@/components/shell/previous-data";
import { RecordNote } from "@/components/shell/record-note";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Button } from "@/components/ui/button";
import { FilterSelect } from "@/components/ui/filter-select";
import { ScrollRegion } from "@/components/ui/scroll-region";
import { endpointRunsQuery } from "@/lib/client/queries/history";
import { useAddress } from "@/lib/client/address/use-address";
import type { RunPage } from "@/lib/contracts/history";
import { instantMs } from "@/lib/domain/time/instant";
import {
  absoluteTime,
  clockTimeWithSeconds,
  count,
  moment,
  runDuration,
} from "@/lib/domain/words/format";
import { runOutcomeText } from "@/lib/domain/words/labels";
import { zoneName } from "@/lib/domain/time/zone-name";
import { Panel } from "./past";
import { RUN_FILTERS, type RunSort } from "./run-columns";
import { runsParams } from "./runs-url";
import { OUTCOME, runs } from "./words";

const PER_PAGE = 25;
const ROW_PX = 28;

const CELL = "h-7 border-b pr-3 font-normal whitespace-nowrap";
const HEAD_CELL = `${CELL} border-line-strong text-2xs text-ink-3`;
const BODY_CELL = `${CELL} border-line`;

/** Every recorded run, sorted, filtered and paged by the address. */
export function Runs({ endpointId, apiNowMs }: { endpointId: string; apiNowMs: number }) {
  const { slug } = useLiveCompany();
  const timeZone = useZone();
  const [state, setState] = useAddress(runsParams, "push");
  const { data, isPrevious, isError } = usePreviousData(
    endpointId,
    useQuery(
      endpointRunsQuery(slug, endpointId, {
        status: state.run_status ?? undefined,
        sort: state.run_sort,
        order: state.run_order,
        page: state.run_page,
        perPage: PER_PAGE,
      }),
    ),
  );
  const sortBy = (sort: RunSort) => {
    const isSame = sort === state.run_sort;
    const run_order = isSame && state.run_order === "desc" ? "asc" : "desc";
    setState({ run_sort: sort, run_order, run_page: 1 });
  };
  const head = (sort: RunSort, text: string, align = "text-left") => (
    <th
      scope="col"
      className={`${HEAD_CELL} ${align}`}
      aria-sort={
        state.run_sort !== sort ? "none" : state.run_order === "asc" ? "ascending" : "descending"
      }
    >
      <button
        type="button"
        className={state.run_sort === sort ? "sort text-ink" : "sort"}
        onClick={() => sortBy(sort)}
      >
        {text}
        <span aria-hidden="true" className="sort-mark">
          {state.run_sort === sort ? (state.run_order === "asc" ? "↑" : "↓") : ""}
        </span>
      </button>
    </th>
  );
  const filter = (
    <FilterSelect
      label={runs.filter}
      value={state.run_status ?? ""}
      onChoose={(chosen) =>
        setState({
          run_status: RUN_FILTERS.find((status) => status === chosen) ?? null,
          run_page: 1,
        })
      }
    >
      <option value="">{runs.all}</option>
      {RUN_FILTERS.map((status) => (
        <option key={status} value={status}>
          {OUTCOME[status]}
          {data === undefined ? "" : ` (${count(data.counts[status])})`}
        </option>
      ))}
    </FilterSelect>
  );
  return (
    <Panel title={runs.heading} aside={filter}>
      {data === undefined ? (
        <RecordNote state={isError ? "silent" : "reading"} heightPx={PER_PAGE * ROW_PX} />
      ) : (
        <PreviousData isPrevious={isPrevious} isError={isError}>
          <ScrollRegion label={runs.label} className="overflow-x-auto">
            <table className="w-full">
              <thead>
                <tr>
                  {head("started", runs.started(zoneName(apiNowMs, timeZone)))}
                  {head("status", runs.outcome)}
                  {head("duration", runs.duration, "text-right")}
                  <th scope="col" className={`${HEAD_CELL} text-right max-sm:hidden`}>
                    {runs.finished}
                  </th>
                  <th scope="col" className={`${HEAD_CELL} text-left`}>
                    {runs.newData}
                  </th>
                </tr>
              </thead>
              <tbody>
                {data.data.map((run) => (
                  <Run key={run.started_at} run={run} apiNowMs={apiNowMs} />
                ))}
              </tbody>
            </table>
          </ScrollRegion>
          {data.data.length === 0 ? (
            <p className="py-3 text-xs text-ink-3">
              {state.run_status === null ? runs.none : runs.noneMatch}
            </p>
          ) : null}
          <Pages meta={data.meta} onPage={(run_page) => setState({ run_page })} />
        </PreviousData>
      )}
    </Panel>
  );
}

function Run({ run, apiNowMs }: { run: RunPage["data"][number]; apiNowMs: number }) {
  const timeZone = useZone();
  const at = (text: string | null) => {
    const ms = instantMs(text);
    if (ms === null) return "";
    // For another day the date is more useful than the seconds.
    const named = moment(ms, apiNowMs, timeZone);
    return (
      <time dateTime={text ?? ""} title={absoluteTime(ms, timeZone)}>
        {named.includes(" ") ? named : clockTimeWithSeconds(ms, timeZone)}
      </time>
    );
  };
  const landedMs = instantMs(run.landed_at);
  return (
    <tr>
      <td className={`${BODY_CELL} font-mono text-[12.5px]`}>{at(run.started_at)}</td>
      <td className={BODY_CELL}>
        <span className="flex items-center gap-1.5">
          <RunIcon outcome={run.end_missed ? null : run.status} />
          {run.end_missed ? runs.endNotSeen : runOutcomeText(run.status) || runs.noOutcome}
          {run.origin === "demo" ? <span className="text-2xs text-ink-3">{runs.demo}</span> : null}
        </span>
      </td>
      <td className={`${BODY_CELL} text-right`}>
        {run.duration_seconds === null ? "" : runDuration(run.duration_seconds * 1000)}
      </td>
      <td className={`${BODY_CELL} text-right font-mono text-[12.5px] max-sm:hidden`}>
        {at(run.finished_at)}
      </td>
      <td className={`${BODY_CELL} ${landedMs === null ? "text-ink-3" : ""}`}>
        {landedMs === null ? runs.no : runs.yes(moment(landedMs, apiNowMs, timeZone))}
      </td>
    </tr>
  );
}

function Pages({ meta, onPage }: { meta: RunPage["meta"]; onPage: (page: number) => void }) {
  const { page, total_pages: pages, total_count: total } = meta;
  return (
    <nav aria-label={runs.pages} className="flex items-center gap-3 pt-3 text-xs text-ink-2">
      <Button disabled={page <= 1} onClick={() => onPage(Math.min(page - 1, pages))}>
        {runs.previous}
      </Button>
      <Button disabled={page >= pages} onClick={() => onPage(page + 1)}>
        {runs.next}
      </Button>
      <span role="status">{runs.place(page, pages, total)}</span>
    </nav>
  );
}
