"use client";

import {
  Suspense,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ReactNode,
} from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { lazyPart } from "@/components/ui/lazy-part";
import { useOpen } from "@/lib/client/use-open";
import { endpointPath, partnerPath } from "@/lib/domain/partner-address";
import { isNarrowedBy, withoutFirstSection, type Board, type Line } from "./board";
import type { BoardState } from "./board-url";
import { Filters } from "./filters";
import { Grid, type LineAction } from "./grid";
import { useLineActs } from "@/components/grid/incident-actions/acts-context";
import { KeysBar } from "./keys-bar";
import { OtherLine } from "@/components/grid/lines/other-line";
import { NothingToShow } from "./nothing-to-show";
import { BoardHead, BoardSearch } from "./toolbar";
import { useBoardKeys } from "./use-board-keys";

const KeysDialog = lazyPart(() => import("./board-keys-dialog"));

/**
 * Delay between the last keystroke and the update of the address, which costs as much as rendering
 * the result.
 */
const TYPING_MS = 600;

/** Changes the board's state, which is in the address; see `useAddress`. */
export type Change = (changes: Partial<BoardState>, given?: { pauseMs?: number }) => void;

/**
 * A board with its filters, tools and keyboard shortcuts.
 * @param shown the state that `board` was made for, while it follows `state`; by default the same
 * @param restCount lines that exist but aren't loaded yet
 * @param lead above the filters, `comingUp` below them, `tools` beside the order
 */
export function BoardList({
  board,
  state,
  shown = state,
  change,
  restCount = 0,
  lead,
  comingUp,
  tools,
}: {
  board: Board;
  state: BoardState;
  shown?: BoardState;
  change: Change;
  restCount?: number;
  lead?: ReactNode;
  comingUp?: ReactNode;
  tools?: ReactNode;
}) {
  const { slug, view, confidence, asOf, linked } = useLiveCompany();
  const search = useCallback((q: string) => change({ q }, { pauseMs: TYPING_MS }), [change]);
  // Where nothing needs attention, the partners' heading is that of the list, above the head of its columns.
  const { section, lines } = useMemo(() => withoutFirstSection(board.lines), [board.lines]);
  const { order } = state;

  const [showsKeys, setShowsKeys] = useState(false);
  const searchRef = useRef<HTMLInputElement>(null);
  const showKeys = useCallback(() => setShowsKeys(true), []);
  const sortByNext = useCallback(
    () => change({ order: order === "next" ? "worst" : "next" }),
    [change, order],
  );
  useBoardKeys({ searchRef, change, onHelp: showKeys, onOrder: sortByNext });

  const acts = useLineActs();
  const without = acts === null ? ["A", "T"] : acts.mayHandle ? [] : ["A"];

  const open = useOpen();
  const latest = useRef(state);
  useLayoutEffect(() => {
    latest.current = state;
  });
  /** Stays the same when the state changes, so that no line is drawn again for it. */
  const act = useCallback(
    (line: Line, action: LineAction) => {
      if (line.kind === "row") {
        const path = endpointPath(slug, line.row.partner_name, line.row.id);
        if (action === "open") open(path + linked);
      } else if (line.kind === "group") {
        if (action === "open") open(partnerPath(slug, line.partner) + linked);
        else change(toggledPartner(line.partner, latest.current));
      } else if (line.kind === "section") {
        change({ partners: line.isOpen ? "folded" : "open", open: [], closed: [] });
      } else if (line.partner === null) change({ rows: "all" });
      else change({ open: [...latest.current.open, line.partner] });
    },
    [open, slug, linked, change],
  );
  const changeOrder = useCallback((next: BoardState["order"]) => change({ order: next }), [change]);
  const [activeKey, setActiveKey] = useState<string | null>(null);

  // Nothing is counted before the first complete poll: a zero would be a claim.
  if (asOf === null || board.total === 0) {
    return <NothingToShow board={board} state={state} change={change} />;
  }
  return (
    <div className={`above-keys is-${confidence} ${confidence === "blind" ? "is-frozen" : ""}`}>
      {lead}
      <Filters {...board.named} chosen={state.verdict} onChange={change}>
        <BoardSearch q={state.q} onChange={change} onSearch={search} searchRef={searchRef} />
      </Filters>
      {comingUp}
      <BoardHead
        company={slug}
        {...headOf(board, shown)}
        section={section}
        onToggle={() => {
          if (section !== null) act(section, "toggle");
        }}
        matching={board.matching}
        total={board.total}
        state={state}
        onChange={change}
      >
        {tools}
      </BoardHead>
      {lines.length > 0 ? (
        <Grid
          lines={lines}
          filterKey={JSON.stringify(shown)}
          isWhole={view !== null}
          restCount={restCount}
          order={shown.order}
          isFlat={shown.group !== "partner"}
          onAct={act}
          onActive={setActiveKey}
          onOrder={changeOrder}
          OtherLine={OtherLine}
        />
      ) : (
        <NothingToShow board={board} state={shown} change={change} />
      )}
      <KeysBar {...placeOf(lines, activeKey, board.matching)} without={without} onHelp={showKeys} />
      {showsKeys ? (
        <Suspense>
          <KeysDialog without={without} onClose={() => setShowsKeys(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** What the first lines are, and how many. */
function headOf({ top, matching }: Board, state: BoardState) {
  const isAttention = state.group === "attention" && (top > 0 || !isNarrowedBy(state));
  return isAttention
    ? ({ first: "attention", amount: top } as const)
    : ({ first: "feeds", amount: matching } as const);
}

/** Expands or collapses a partner. */
function toggledPartner(partner: string, state: BoardState): Partial<BoardState> {
  const { group, partners, open, closed } = state;
  const isFoldedAtFirst = group === "attention" && partners === "folded" && !isNarrowedBy(state);
  // Without a group, an address with collapsed partners is of groups of partners.
  return isFoldedAtFirst
    ? { open: toggled(open, partner) }
    : { group, closed: toggled(closed, partner) };
}

/**
 * One-based position of an endpoint among those of its section; null for other lines. @param matching number of all
 * endpoints
 */
function placeOf(
  lines: readonly Line[],
  key: string | null,
  matching: number,
): { place: number | null; total: number } {
  const active = key === null ? undefined : lines.find((line) => line.key === key);
  if (active?.kind !== "row") return { place: null, total: matching };
  const endpoints = lines.filter(
    (line) => line.kind === "row" && line.isInGroup === active.isInGroup,
  );
  return { place: endpoints.indexOf(active) + 1, total: endpoints.length };
}

function toggled(list: readonly string[], entry: string): string[] {
  return list.includes(entry) ? list.filter((other) => other !== entry) : [...list, entry];
}
