"use client";

import { useRouter } from "next/navigation";
import {
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type RefObject,
} from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { CopyRowsForChat } from "@/components/shell/copy-for-chat";
import { wantsKeys } from "@/components/list/wants-keys";
import { useZone } from "@/components/shell/zone";
import { useAddress } from "@/lib/client/use-address";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { instantMs } from "@/lib/domain/time/instant";
import { endpointPath, partnerPath } from "@/lib/domain/partner-address";
import { VERDICTS } from "@/lib/domain/sync";
import { clockTime } from "@/lib/domain/words/format";
import { layOut, type Board, type Line } from "./board";
import { placeRows } from "@/lib/domain/order";
import { boardTitle } from "@/components/marks/board-title";
import { boardParams, type BoardState } from "./board-url";
import { Filters } from "./filters";
import type { FirstScreen } from "./first-screen";
import { Grid, type LineAction } from "./grid";
import { KeysBar } from "./keys-bar";
import { createSteadyWords } from "./steady-words";
import type { NothingToShowProps } from "./nothing-to-show";
import { StripsProvider } from "./strips";
import { Toolbar } from "./toolbar";

const KeysDialog = lazy(() => import("./board-keys-dialog"));
/** Seldom needed, so the overview doesn't load it at first; without a network the page goes on without it. */
const NothingToShow = lazy((): Promise<{ default: ComponentType<NothingToShowProps> }> =>
  import("./nothing-to-show").catch(() => ({ default: () => null })),
);

/** The address is written when the typing pauses: writing it costs as much as drawing what was found. */
const TYPING_MS = 600;

const NO_ROWS: readonly SyncStatusRow[] = [];

/** The overview of one company. `first`: what the server drew, shown until the browser has all rows. */
export function BoardView({ first }: { first: FirstScreen }) {
  const live = useLiveCompany();
  const { slug, view, confidence, source, asOf, name } = live;
  const [state, setState] = useAddress(boardParams);
  const change = useCallback((changes: Partial<BoardState>) => setState(changes), [setState]);
  const search = useCallback((q: string) => setState({ q }, { pauseMs: TYPING_MS }), [setState]);

  const rows = view?.rows ?? NO_ROWS;
  const readWords = useMemo(
    () => createSteadyWords(rows, { as_of: asOf, source }),
    [rows, asOf, source],
  );
  const words = useNow(readWords);
  const { order, group } = state;
  // Places are taken at each read, at the read's own moment, and kept as time passes.
  const placed = useMemo(
    () => placeRows(rows, placingMoment(asOf, source.api_clock_offset_ms), { order, group }),
    [rows, asOf, source.api_clock_offset_ms, order, group],
  );
  const whole = useMemo(() => layOut(placed, words, state), [placed, words, state]);
  const current: Board = view === null ? first : whole;

  const { lines } = current;
  const restCount = view === null ? first.lineCount - first.lines.length : 0;

  const [showsKeys, setShowsKeys] = useState(false);
  const searchRef = useRef<HTMLInputElement>(null);
  const showKeys = useCallback(() => setShowsKeys(true), []);
  useBoardKeys({ searchRef, change, onHelp: showKeys });
  useTitle(name, current);

  const router = useRouter();
  const act = useCallback(
    (line: Line, action: LineAction) => {
      if (line.kind === "row") {
        if (action === "open") router.push(endpointPath(slug, line.row.partner_name, line.row.id));
      } else if (line.kind === "group") {
        if (action === "open") router.push(partnerPath(slug, line.partner));
        else change({ closed: toggled(state.closed, line.partner) });
      } else if (line.partner === null) change({ rows: "all" });
      else change({ open: [...state.open, line.partner] });
    },
    [router, slug, change, state.closed, state.open],
  );
  const [activeKey, setActiveKey] = useState<string | null>(null);

  // Before the first whole pass there is nothing to count: a nought would be a claim.
  if (asOf === null) {
    return (
      <Suspense>
        <NothingToShow board={current} state={state} change={change} />
      </Suspense>
    );
  }
  return (
    <div className={`above-keys is-${confidence} ${confidence === "blind" ? "is-frozen" : ""}`}>
      <Filters
        counts={current.counts}
        total={current.total}
        chosen={state.verdict}
        onChange={change}
      />
      <Toolbar
        state={state}
        onChange={change}
        onSearch={search}
        searchRef={searchRef}
        matching={current.matching}
        total={current.total}
      >
        {view === null ? null : (
          <CopyRowsForChat
            subject={name}
            rows={view.rows}
            view={view}
            nameOf={fullName}
            className="h-7 max-sm:hidden"
          />
        )}
      </Toolbar>
      {lines.length > 0 ? (
        <StripsProvider>
          <Grid
            lines={lines}
            asked={JSON.stringify(state)}
            isWhole={view !== null}
            restCount={restCount}
            order={state.order}
            isFlat={state.group === "flat"}
            onAct={act}
            onActive={setActiveKey}
          />
        </StripsProvider>
      ) : (
        <Suspense>
          <NothingToShow board={current} state={state} change={change} />
        </Suspense>
      )}
      <KeysBar place={placeOf(lines, activeKey)} total={current.matching} onHelp={showKeys} />
      {showsKeys ? (
        <Suspense>
          <KeysDialog onClose={() => setShowsKeys(false)} />
        </Suspense>
      ) : null}
    </div>
  );
}

const fullName = (row: SyncStatusRow) => `${row.partner_name} / ${row.endpoint_key}`;

/** The place of an endpoint among those in the list, from 1; null for other lines. */
function placeOf(lines: readonly Line[], key: string | null): number | null {
  if (key === null) return null;
  const endpoints = lines.filter((line) => line.kind === "row");
  const at = endpoints.findIndex((line) => line.key === key);
  return at === -1 ? null : at + 1;
}

function placingMoment(asOf: string | null, apiClockOffsetMs: number) {
  return { atMs: (instantMs(asOf) ?? 0) + apiClockOffsetMs, isFrozen: false };
}

function toggled(list: readonly string[], entry: string): string[] {
  return list.includes(entry) ? list.filter((other) => other !== entry) : [...list, entry];
}

/** The tab tells the number of problems, also when nobody looks at it. */
function useTitle(name: string, board: Board) {
  const { confidence, asOf } = useLiveCompany();
  const timeZone = useZone();
  const asOfMs = instantMs(asOf);
  const since = confidence === "blind" && asOfMs !== null ? clockTime(asOfMs, timeZone) : null;
  const title = boardTitle(name, board, since);
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Keys that work anywhere on the page but in a text field: 1 to 8 filter, 0 all, / searches, ? helps. */
function useBoardKeys({
  searchRef,
  change,
  onHelp,
}: {
  searchRef: RefObject<HTMLInputElement | null>;
  change: (changes: Partial<BoardState>) => void;
  onHelp: () => void;
}) {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // Kept before the page was hydrated, and pressed again for it.
      if (event.defaultPrevented) return;
      if (event.ctrlKey || event.metaKey || event.altKey || wantsKeys(event.target)) return;
      if (event.key === "/") {
        event.preventDefault();
        searchRef.current?.focus();
      } else if (event.key === "?") onHelp();
      else if (event.key === "0") change({ verdict: null });
      else if (/^[1-8]$/.test(event.key)) {
        change({ verdict: VERDICTS[Number(event.key) - 1] ?? null });
      }
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [searchRef, change, onHelp]);
}
