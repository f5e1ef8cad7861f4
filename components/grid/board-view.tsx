"use client";

import { Suspense, useCallback, useDeferredValue, useMemo, useState } from "react";
import { CatchUp } from "@/components/changes/catch-up";
import { useLiveCompany } from "@/components/shell/live-company";
import { shareButtonProps } from "@/components/drill-down/share/share-button-props";
import { popupButton } from "@/components/ui/popup-button";
import { lazyPart } from "@/components/ui/lazy-part";
import type { OpenIncident } from "@/components/marks/open-incident";
import { useGivenIncidents } from "@/components/marks/open-incidents";
import { activeOf, type Planned } from "@/components/quiet/covered";
import { usePlanned } from "@/components/quiet/planned";
import { textParam } from "@/lib/client/address/address-params";
import { useAddress, useAddressParam } from "@/lib/client/address/use-address";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Expectation } from "@/lib/contracts/quiet";
import { tallyPromises } from "@/lib/domain/deadlines/promise-tally";
import { momentOf } from "@/lib/domain/judge";
import { nextAttemptMs } from "@/lib/domain/next-hour";
import { instantMs } from "@/lib/domain/time/instant";
import { buildBoardLines, type Board } from "./board";
import { placeRows } from "@/lib/domain/order";
import { BoardList, type Change } from "./board-list";
import { boardParams, boardState, type BoardState } from "./board-url";
import { ComingUp } from "./coming-up/coming-up";
import { ExplainProvider } from "./explain/explain-provider";
import { refold, type FirstScreen } from "./first-screen";
import { BoardLead } from "./lead/board-lead";
import { attendedIds, countUnattended, outsideQuiet } from "./lead/behind";
import { Legend } from "./legend";
import { LineMarks } from "./line-marks";
import { LineActsProvider } from "./incident-actions/line-acts";
import { BoardTabTitle } from "./incident-actions/board-tab-title";
import { createVerdictTicker } from "./verdict-ticker";
import { StripsProvider } from "@/components/grid/strips/strips";
import { filterTexts, UNATTENDED } from "./words";

const Share = popupButton("dialog", () => import("@/components/drill-down/share/rows-share"));
const BoardThen = lazyPart(() => import("@/components/grid/past/board-then"));

/** The router takes as long for a new address as the board for its lines, which are to be painted first. */
const PAINTED_MS = 200;

const NO_ROWS: readonly SyncStatusRow[] = [];

/**
 * The overview of one company: now, or at the moment in the address (`?at=`).
 * @param incidents the open ones, from the server; null: not known
 * @param quiet planned quiet times, from the server; null: not known
 */
export function BoardView({
  first,
  incidents,
  quiet,
  mayHandle,
}: {
  first: FirstScreen;
  incidents: readonly OpenIncident[] | null;
  quiet: Planned | null;
  mayHandle: boolean;
}) {
  const { slug, name, view } = useLiveCompany();
  const [at] = useAddressParam("at", textParam);
  const total = view?.rows.length ?? first.total;
  if (at === null && total > 0)
    return (
      <LineMarks incidents={incidents}>
        <LineActsProvider mayHandle={mayHandle}>
          <ExplainProvider>
            <StripsProvider>
              <BoardNow first={first} quiet={quiet} />
            </StripsProvider>
          </ExplainProvider>
        </LineActsProvider>
      </LineMarks>
    );
  return (
    <>
      <h1 className="sr-only">{name}</h1>
      <CatchUp slug={slug} />
      {at === null ? (
        <BoardNow first={first} quiet={quiet} />
      ) : (
        <Suspense>
          <BoardThen at={at} />
        </Suspense>
      )}
    </>
  );
}

/**
 * @param first the server-rendered part, shown until the browser has all rows
 * @param quiet planned quiet times, from the server; null: not known
 */
function BoardNow({ first, quiet }: { first: FirstScreen; quiet: Planned | null }) {
  const { view, source, asOf, name } = useLiveCompany();
  const [address, setState] = useAddress(boardParams);
  const state = useMemo(() => boardState(address), [address]);
  // What was pressed is painted at once; the lines, which take longer, follow. Typed text comes with its lines.
  const followed = useDeferredValue(state);
  const shown = followed.q === state.q ? followed : state;

  const rows = view?.rows ?? NO_ROWS;
  const readVerdicts = useMemo(
    () => createVerdictTicker(rows, { as_of: asOf, source }),
    [rows, asOf, source],
  );
  const verdicts = useNow(readVerdicts);
  const { all: planned } = usePlanned(quiet);
  const active = useNow(
    (nowMs) => activeOf(planned, momentOf({ as_of: asOf, source }, nowMs).atMs),
    areSame,
  );
  const counted = useMemo(() => outsideQuiet(rows, verdicts, active), [rows, verdicts, active]);
  const { order, group } = shown;
  // The order is fixed when data arrives, at the data's own time, and doesn't change as time
  // passes.
  const placed = useMemo(
    () => placeRows(rows, placingMoment(asOf, source.api_clock_offset_ms), { order, group }),
    [rows, asOf, source.api_clock_offset_ms, order, group],
  );
  const { all, isKnown } = useGivenIncidents();
  const attended = useMemo(() => attendedIds(all), [all]);
  // Otherwise incidents change no line.
  const filteredBy = shown.unattended ? attended : null;
  const whole = useMemo(
    () =>
      buildBoardLines(placed, verdicts, shown, {
        isAttended: ({ id }) => filteredBy?.has(id) === true,
        counted,
      }),
    [placed, verdicts, shown, filteredBy, counted],
  );
  const { partners, open, closed } = state;
  const [firstState] = useState(state);
  const firstLines = useMemo(
    () => refold(first.lines, { ...firstState, partners, open, closed }),
    [first.lines, firstState, partners, open, closed],
  );
  const current: Board = view === null ? { ...first, lines: firstLines } : whole;
  const attemptMs = useNow((nowMs) =>
    view === null
      ? first.lead.nextAttemptMs
      : nextAttemptMs(
          rows,
          ({ id }) => counted.get(id),
          momentOf({ as_of: asOf, source }, nowMs).atMs,
        ),
  );
  const unattended = useMemo(
    () => (isKnown ? countUnattended(counted, attended) : null),
    [isKnown, counted, attended],
  );
  const promises = useMemo(() => tallyPromises(rows), [rows]);
  const change: Change = useCallback(
    (changes, given) =>
      // What an address without a group means may depend on the changed parameters.
      setState(state.group === "partner" ? { group: state.group, ...changes } : changes, {
        pauseMs: PAINTED_MS,
        ...given,
      }),
    [setState, state.group],
  );
  return (
    <>
      <BoardTabTitle board={current} />
      <BoardList
        board={current}
        state={state}
        shown={shown}
        change={change}
        restCount={view === null ? first.lineCount - first.lines.length : 0}
        tools={<Legend />}
        lead={
          <BoardLead
            counts={current.counts}
            quiet={view === null ? first.lead.quiet : verdicts.size - counted.size}
            nextAttemptMs={attemptMs}
            unattended={view === null ? first.lead.unattended : unattended}
            promises={view === null ? first.lead.promises : promises}
            state={state}
            change={change}
          >
            {view === null || (view.rows.length > 0 && whole.matching === 0) ? null : (
              <Share
                {...shareButtonProps("h-7 max-sm:h-9 max-sm:px-2.5")}
                subject={subjectOf(name, shown)}
                rows={whole.matches}
                partner={null}
                told={view.rows}
                isFiltered={isFiltered(shown)}
                nameOf={fullName}
                mayLink={false}
              />
            )}
          </BoardLead>
        }
        comingUp={
          <ComingUp rows={view === null ? null : rows} verdicts={counted} first={first.hour} />
        }
      />
    </>
  );
}

const areSame = (some: readonly Expectation[], others: readonly Expectation[]) =>
  some.length === others.length && some.every((one, at) => one === others[at]);

/** With the filters that the lines have. */
const subjectOf = (name: string, { q, verdict, unattended }: BoardState) =>
  [name, ...filterTexts(q, verdict), ...(unattended ? [UNATTENDED] : [])].join(" · ");

const isFiltered = ({ q, verdict, unattended }: BoardState) =>
  q !== "" || verdict !== null || unattended;

const fullName = (row: SyncStatusRow) => `${row.partner_name} / ${row.endpoint_key}`;

function placingMoment(asOf: string | null, apiClockOffsetMs: number) {
  return { atMs: (instantMs(asOf) ?? 0) + apiClockOffsetMs, isFrozen: false };
}
