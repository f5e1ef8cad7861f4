"use client";

import { useRouter } from "next/navigation";
import { Suspense, useCallback, useRef, useState, type ReactNode } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { lazyPart } from "@/components/ui/lazy-part";
import { endpointPath, partnerPath } from "@/lib/domain/partner-address";
import type { Changes } from "@/lib/client/address-params";
import type { Board, Line } from "./board";
import type { boardParams, BoardState } from "./board-url";
import { Filters } from "./filters";
import { Grid, type LineAction } from "./grid";
import { KeysBar } from "./keys-bar";
import { NothingToShow } from "./nothing-to-show";
import { Toolbar } from "./toolbar";
import { useBoardKeys } from "./use-board-keys";

const KeysDialog = lazyPart(() => import("./board-keys-dialog"));

/**
 * Delay between the last keystroke and the update of the address, which costs as much as rendering
 * the result.
 */
const TYPING_MS = 600;

/** Updates the address; see `useAddress`. */
type SetState = (changes: Changes<typeof boardParams>, given?: { pauseMs?: number }) => void;

/**
 * A board with its filters, tools and keyboard shortcuts.
 * @param restCount lines that exist but aren't loaded yet
 * @param children further tools
 */
export function BoardList({
  board,
  state,
  setState,
  restCount = 0,
  children,
}: {
  board: Board;
  state: BoardState;
  setState: SetState;
  restCount?: number;
  children?: ReactNode;
}) {
  const { slug, view, confidence, asOf, linked } = useLiveCompany();
  const change = useCallback((changes: Partial<BoardState>) => setState(changes), [setState]);
  const search = useCallback((q: string) => setState({ q }, { pauseMs: TYPING_MS }), [setState]);
  const { lines } = board;

  const [showsKeys, setShowsKeys] = useState(false);
  const searchRef = useRef<HTMLInputElement>(null);
  const showKeys = useCallback(() => setShowsKeys(true), []);
  useBoardKeys({ searchRef, change, onHelp: showKeys });

  const router = useRouter();
  const act = useCallback(
    (line: Line, action: LineAction) => {
      if (line.kind === "row") {
        const path = endpointPath(slug, line.row.partner_name, line.row.id);
        if (action === "open") router.push(path + linked);
      } else if (line.kind === "group") {
        if (action === "open") router.push(partnerPath(slug, line.partner) + linked);
        else change({ closed: toggled(state.closed, line.partner) });
      } else if (line.partner === null) change({ rows: "all" });
      else change({ open: [...state.open, line.partner] });
    },
    [router, slug, linked, change, state.closed, state.open],
  );
  const [activeKey, setActiveKey] = useState<string | null>(null);

  // Nothing is counted before the first complete poll: a zero would be a claim.
  if (asOf === null) {
    return <NothingToShow board={board} state={state} change={change} />;
  }
  return (
    <div className={`above-keys is-${confidence} ${confidence === "blind" ? "is-frozen" : ""}`}>
      <Filters {...board.named} chosen={state.verdict} onChange={change} />
      <Toolbar
        state={state}
        onChange={change}
        onSearch={search}
        searchRef={searchRef}
        matching={board.matching}
        total={board.total}
      >
        {children}
      </Toolbar>
      {lines.length > 0 ? (
        <Grid
          lines={lines}
          filterKey={JSON.stringify(state)}
          isWhole={view !== null}
          restCount={restCount}
          order={state.order}
          isFlat={state.group === "flat"}
          onAct={act}
          onActive={setActiveKey}
        />
      ) : (
        <NothingToShow board={board} state={state} change={change} />
      )}
      <KeysBar place={placeOf(lines, activeKey)} total={board.matching} onHelp={showKeys} />
      {showsKeys ? (
        <Suspense>
          <KeysDialog onClose={() => setShowsKeys(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** One-based position of an endpoint among the listed ones; null for other lines. */
function placeOf(lines: readonly Line[], key: string | null): number | null {
  if (key === null) return null;
  const endpoints = lines.filter((line) => line.kind === "row");
  const at = endpoints.findIndex((line) => line.key === key);
  return at === -1 ? null : at + 1;
}

function toggled(list: readonly string[], entry: string): string[] {
  return list.includes(entry) ? list.filter((other) => other !== entry) : [...list, entry];
}
