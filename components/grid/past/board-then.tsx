"use client";

import { useQuery } from "@tanstack/react-query";
import { useCallback, useMemo } from "react";
import { useJudgedEvery } from "@/components/drill-down/partner-rows";
import { CompanyThenProvider, useLiveCompany } from "@/components/shell/live-company";
import { DateInput } from "@/components/shell/time/date-input";
import { useZone } from "@/components/shell/time/zone";
import { useBoardTitle } from "@/components/shell/use-tab-title";
import { Button } from "@/components/ui/button";
import { FILTER_CONTROL, FilterLabel } from "@/components/ui/filter-select";
import { fieldOf, sinceText } from "@/components/changes/since";
import { textParam } from "@/lib/client/address/address-params";
import { boardThenQuery } from "@/lib/client/queries/history";
import { useAddress, useAddressParam } from "@/lib/client/address/use-address";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { BoardThenView } from "@/lib/contracts/history";
import { placeRows } from "@/lib/domain/order";
import { localTimeMs } from "@/lib/domain/time/day";
import { instantMs } from "@/lib/domain/time/instant";
import { atMoment, datedMoment } from "@/lib/domain/words/dates";
import { thenAndNowHeadline, thenAndNowTimes, type Side } from "@/lib/domain/words/then-and-now";
import { buildBoardLines } from "@/components/grid/board";
import { BoardList, type Change } from "@/components/grid/board-list";
import { boardParams, boardState } from "@/components/grid/board-url";
import { thenView } from "./then-view";
import { refusedMoment } from "./refused-moment";
import { HISTORY_LOADING, HISTORY_NOT_LOADED, boardThen } from "./words";

const STEP_MS = 10_000;
/** A link may be opened within the second in which it was made. */
const AGAIN_MS = 60_000;

/**
 * A company's overview at a recorded moment, marked as past, with a link back to now. Default export for `lazyPart`.
 * @param at raw value from the address
 */
export default function BoardThen({ at }: { at: string }) {
  const live = useLiveCompany();
  const atMs = instantMs(at);
  const query = useQuery({
    ...boardThenQuery(live.slug, at),
    enabled: atMs !== null,
    gcTime: AGAIN_MS,
  });
  const { data } = query;
  const view = useMemo(
    () => (data === undefined ? null : thenView(data, live.source)),
    [data, live.source],
  );
  const refusal = refusedMoment(atMs, query.error);
  return (
    <div className="board-then">
      <Band
        atMs={atMs}
        then={data ?? null}
        view={view}
        problem={refusal ?? (query.isError ? HISTORY_NOT_LOADED : null)}
        retry={refusal === null && query.isError ? () => void query.refetch() : null}
      />
      {view === null || view.rows.length === 0 ? null : <Rows view={view} at={at} />}
    </div>
  );
}

/** Says that this is the past, and links back to now. */
function Band({
  atMs,
  then,
  view,
  problem,
  retry,
}: {
  atMs: number | null;
  then: BoardThenView | null;
  view: SyncStatusView | null;
  problem: string | null;
  retry: (() => void) | null;
}) {
  const { name, confidence, view: liveView } = useLiveCompany();
  const timeZone = useZone();
  const [, setAt] = useAddressParam("at", textParam);
  const { judged, apiNowMs } = useJudgedEvery(liveView?.rows ?? NO_ROWS, STEP_MS);
  const when = useNow((nowMs) =>
    atMs === null ? null : thenAndNowTimes({ atMs, nowMs, timeZone }).before,
  );
  const heading = when === null ? boardThen.past : boardThen.heading(when);
  useBoardTitle(boardThen.title(heading, name));
  const sides = useMemo(() => {
    const before = new Map(view?.rows.map((row) => [row.id, sideOf(row.verdict)]));
    const now = new Map(judged.map(({ row, word }) => [row.id, sideOf(word)]));
    const ids = new Set([...before.keys(), ...now.keys()]);
    return [...ids].map((id) => ({ before: before.get(id) ?? null, now: now.get(id) ?? null }));
  }, [view, judged]);
  const gapFromMs = instantMs(then?.gap?.from ?? null);
  const isHere = then !== null && liveView !== null && atMs !== null;
  return (
    <section
      className="hatched flex flex-wrap items-center gap-x-3.5 gap-y-2 border-b border-l-6 border-b-line-strong border-l-ink bg-sunken py-2.5 pr-6 pl-[18px] max-sm:pr-3.5 max-sm:pl-2"
      aria-labelledby="board-then"
    >
      <div className="min-w-0 flex-1 max-sm:basis-full">
        <h2 id="board-then" className="text-md/4.5 font-strong">
          {heading}
        </h2>
        <p role="status" className="text-ink-2">
          {problem ??
            (isHere
              ? [
                  thenAndNowHeadline(sides, {
                    atMs: gapFromMs ?? atMs,
                    wasBlind: gapFromMs !== null,
                    nowMs: apiNowMs,
                    timeZone,
                    isBlind: confidence === "blind",
                  }),
                  ...notesOf(then, { atMs, nowMs: apiNowMs, timeZone }),
                ].join(" ")
              : HISTORY_LOADING)}
        </p>
      </div>
      {atMs === null ? null : (
        <FilterLabel label={boardThen.moment}>
          <DateInput
            kind="datetime"
            className={FILTER_CONTROL}
            value={fieldOf(atMs, timeZone)}
            onChange={(local) => {
              const ms = localTimeMs(local, timeZone);
              if (ms !== null) setAt(sinceText(ms));
            }}
          />
        </FilterLabel>
      )}
      {retry === null ? null : <Button onClick={retry}>{boardThen.retry}</Button>}
      <Button look="primary" onClick={() => setAt(null)}>
        {boardThen.back}
      </Button>
    </section>
  );
}

const NO_ROWS: SyncStatusView["rows"] = [];

const sideOf = (word: Side["word"]): Side => ({ word, ageMs: null, latenessMs: null });

/** Remarks about the moment. */
function notesOf(
  { gap, recorded_from: recordedFrom, endpoints }: BoardThenView,
  { atMs, nowMs, timeZone }: { atMs: number; nowMs: number; timeZone: string },
): string[] {
  const recordedMs = instantMs(recordedFrom);
  const notes = [];
  if (gap !== null) notes.push(boardThen.unseen(atMoment(atMs, nowMs, timeZone)));
  if (recordedMs !== null && recordedMs > atMs)
    notes.push(boardThen.recordedFrom(datedMoment(recordedMs, nowMs, timeZone)));
  const unknown = endpoints.filter((one) => one.is_promise_unknown === true).length;
  if (unknown > 0) notes.push(boardThen.promisesUnknown(unknown));
  return notes;
}

function Rows({ view, at }: { view: SyncStatusView; at: string }) {
  const live = useLiveCompany();
  const [address, setState] = useAddress(boardParams);
  const state = useMemo(() => boardState(address), [address]);
  const { order, group } = state;
  const change: Change = useCallback(
    (changes, given) => setState(group === "partner" ? { group, ...changes } : changes, given),
    [setState, group],
  );
  const past = useMemo(
    () => ({
      ...live,
      asOf: view.as_of,
      source: view.source,
      view,
      confidence: "blind" as const,
      linked: `?at=${encodeURIComponent(at)}`,
    }),
    [live, view, at],
  );
  const placed = useMemo(() => {
    const seen = { atMs: instantMs(view.as_of) ?? 0, isFrozen: true };
    return placeRows(view.rows, seen, { order, group });
  }, [view, order, group]);
  const verdicts = useMemo(() => new Map(view.rows.map((row) => [row.id, row.verdict])), [view]);
  const board = useMemo(() => buildBoardLines(placed, verdicts, state), [placed, verdicts, state]);
  return (
    <CompanyThenProvider value={past}>
      <BoardList board={board} state={state} change={change} />
    </CompanyThenProvider>
  );
}
