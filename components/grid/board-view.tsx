"use client";

import { useMemo } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { shareFace } from "@/components/drill-down/share/share-face";
import { popupButton } from "@/components/ui/popup-button";
import { textParam } from "@/lib/client/address-params";
import { useAddress, useAddressParam } from "@/lib/client/use-address";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { instantMs } from "@/lib/domain/time/instant";
import { buildBoardLines, type Board } from "./board";
import { placeRows } from "@/lib/domain/order";
import { BoardList } from "./board-list";
import { boardParams } from "./board-url";
import type { FirstScreen } from "./first-screen";
import { Legend } from "./legend";
import { LineMarks } from "./line-marks";
import { BoardThen } from "./board-then";
import { AcknowledgeShortcut } from "./incident-actions/acknowledge-shortcut";
import { BoardTabTitle } from "./incident-actions/board-tab-title";
import { createVerdictTicker } from "./verdict-ticker";
import { StripsProvider } from "@/components/grid/strips/strips";
import { filterTexts } from "./words";

const Share = popupButton("dialog", () => import("@/components/drill-down/share/rows-share"));
const NO_ROWS: readonly SyncStatusRow[] = [];

/** The overview of one company: now, or at the moment in the address (`?at=`). */
export function BoardView({ first }: { first: FirstScreen }) {
  const [at] = useAddressParam("at", textParam);
  if (at === null) return <BoardNow first={first} />;
  return <BoardThen at={at} />;
}

/** `first`: the server-rendered part, shown until the browser has all rows. */
function BoardNow({ first }: { first: FirstScreen }) {
  const { view, source, asOf, name } = useLiveCompany();
  const [state, setState] = useAddress(boardParams);

  const rows = view?.rows ?? NO_ROWS;
  const readVerdicts = useMemo(
    () => createVerdictTicker(rows, { as_of: asOf, source }),
    [rows, asOf, source],
  );
  const verdicts = useNow(readVerdicts);
  const { order, group } = state;
  // The order is fixed when data arrives, at the data's own time, and doesn't change as time
  // passes.
  const placed = useMemo(
    () => placeRows(rows, placingMoment(asOf, source.api_clock_offset_ms), { order, group }),
    [rows, asOf, source.api_clock_offset_ms, order, group],
  );
  const whole = useMemo(() => buildBoardLines(placed, verdicts, state), [placed, verdicts, state]);
  const current: Board = view === null ? first : whole;
  return (
    <StripsProvider>
      <BoardTabTitle board={current} />
      <AcknowledgeShortcut />
      <LineMarks>
        <BoardList
          board={current}
          state={state}
          setState={setState}
          restCount={view === null ? first.lineCount - first.lines.length : 0}
        >
          {view === null || (view.rows.length > 0 && whole.matching === 0) ? null : (
            <Share
              {...shareFace("h-7 max-sm:h-9 max-sm:px-2.5")}
              subject={[name, ...filterTexts(state.q, state.verdict)].join(" · ")}
              rows={whole.matches}
              partner={null}
              told={view.rows}
              nameOf={fullName}
              mayLink={false}
            />
          )}
          <Legend />
        </BoardList>
      </LineMarks>
    </StripsProvider>
  );
}

const fullName = (row: SyncStatusRow) => `${row.partner_name} / ${row.endpoint_key}`;

function placingMoment(asOf: string | null, apiClockOffsetMs: number) {
  return { atMs: (instantMs(asOf) ?? 0) + apiClockOffsetMs, isFrozen: false };
}
