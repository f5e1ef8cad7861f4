"use client";

import {
  memo,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type ComponentType,
  type KeyboardEvent,
  type MouseEvent,
} from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { GridTip } from "@/components/grid/tip/grid-tip";
import { useZone } from "@/components/shell/time/zone";
import { instantMs } from "@/lib/domain/time/instant";
import { clockTime } from "@/lib/domain/words/format";
import { linesAtPlaces, type Line } from "./board";
import type { BoardState } from "./board-url";
import { EndpointRow } from "./endpoint-row";
import type { LineProps } from "./lines/board-line";
import { DESK_HEIGHTS, PHONE_HEIGHTS, heightOf } from "./line-heights";
import { useLineActs } from "@/components/grid/incident-actions/acts-context";
import { lazyPart } from "@/components/ui/lazy-part";
import { PHONE_QUERY, useMedia } from "@/components/ui/use-media";
import { Spacer } from "@/components/list/spacer";
import { useStrips } from "@/components/grid/strips/strips-context";
import {
  ACTS,
  AGE,
  AGE_THEN,
  BAR_LABEL,
  CALLS,
  CALLS_ROLLING,
  DUE,
  ENDPOINT,
  LAST_RUN,
  LIST_LABEL,
  NEXT_SYNC,
  OVERDUE,
  PARTNER_AND_ENDPOINT,
  SINCE,
  SPARK_LABEL,
  STRIP_LABEL,
  VERDICT,
  WHO,
  verdictAt,
} from "./words";
import { useGlide } from "@/components/list/use-glide";
import { useFrozenOrder } from "@/components/list/use-frozen-order";
import { useInteracting } from "@/components/list/use-interacting";
import { useRecycledRows } from "@/components/list/use-recycled-rows";
import { useMoveKeys } from "@/components/list/use-move-keys";
import { useVisibleLines } from "@/components/list/use-visible-lines";

const StripHead = lazyPart(() => import("@/components/grid/strips/strip-head"));

/** A line that isn't an endpoint's. */
export type OtherLineProps = LineProps & {
  line: Exclude<Line, { kind: "row" }>;
  onToggle: () => void;
};

/** What a person does to a line: open its page, or expand and collapse it. */
export type LineAction = "open" | "toggle";

/**
 * The visible lines, in the page's own scroll container.
 * @param lines in their current order; positions are frozen while a person interacts with them
 * @param filterKey the filters as one string: a change moves lines at once
 * @param isWhole false while only the server's first lines are loaded; the rest also moves them at
 *   once
 * @param restCount lines that exist but aren't loaded yet
 * @param onActive called with the line that keys act on; null before there was one
 * @param onOrder called with the order that a column's head sorts by; absent: none does
 * @param OtherLine draws the lines that aren't endpoints; absent: there are none
 */
export function Grid({
  lines: given,
  filterKey,
  isWhole,
  restCount,
  order,
  isFlat,
  onAct,
  onActive,
  onOrder,
  OtherLine,
}: {
  lines: readonly Line[];
  filterKey: string;
  isWhole: boolean;
  restCount: number;
  order: BoardState["order"];
  isFlat: boolean;
  onAct: (line: Line, action: LineAction) => void;
  onActive?: (lineKey: string | null) => void;
  onOrder?: (order: BoardState["order"]) => void;
  OtherLine?: ComponentType<OtherLineProps>;
}) {
  const { isInteracting, handlers } = useInteracting();
  /** A change of it isn't new data, so lines may move at once. */
  const request = `${isWhole}:${filterKey}`;
  const places = useFrozenOrder(given, request, isInteracting);
  const { view } = useLiveCompany();
  const rows = view?.rows;
  const lines = useMemo(() => linesAtPlaces(places, given, rows ?? []), [places, given, rows]);

  const ofKind = useMedia(PHONE_QUERY) ? PHONE_HEIGHTS : DESK_HEIGHTS;
  const isPrinted = useMedia("print");
  const body = useRef<HTMLDivElement>(null);
  const hasActs = useLineActs() !== null;
  const heights = useMemo(
    () => lines.map((line) => heightOf(line, ofKind, hasActs)),
    [lines, ofKind, hasActs],
  );
  const visible = useVisibleLines(body, heights, isPrinted);
  const { first, end, abovePx, belowPx, reveal } = visible;
  const keys = useMemo(() => lines.map((line) => line.key), [lines]);
  useGlide(body, keys, visible.offsets, request);

  const [activeKey, setActiveKey] = useState<string | null>(null);
  const found = activeKey === null ? -1 : lines.findIndex((line) => line.key === activeKey);
  const active = found === -1 ? 0 : found;
  useEffect(() => onActive?.(activeKey), [onActive, activeKey]);
  /** The line to focus once it is rendered, with `cell` for a cell within it. */
  const wanted = useRef<{ cell: string | null } | null>(null);
  const drawn = useMemo(() => lines.slice(first, end), [lines, first, end]);
  const slots = useRecycledRows(drawn, request, activeKey);
  const isActiveDrawn = active >= first && active < end;

  const focusWanted = useCallback((key: string) => {
    if (wanted.current === null) return;
    const line = lineElement(body.current, key);
    if (line === null) return;
    const { cell } = wanted.current;
    wanted.current = null;
    const inLine = cellsOf(line).find((element) => element.dataset["cell"] === cell);
    (inLine ?? line).focus({ preventScroll: true });
  }, []);
  const moveTo = useCallback(
    (index: number) => {
      const line = lines[Math.min(Math.max(index, 0), lines.length - 1)];
      if (line === undefined) return;
      wanted.current = { cell: focusedCell() };
      setActiveKey(line.key);
      reveal(lines.indexOf(line));
      // Immediately if it is rendered already: without a change nothing renders, as after a click
      // elsewhere.
      focusWanted(line.key);
    },
    [lines, reveal, focusWanted],
  );
  useLayoutEffect(() => {
    if (activeKey !== null) focusWanted(activeKey);
  });

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    handlers.onKeyDown();
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const line = lines[active];
    if (line === undefined) return;
    const isArrow = event.key === "ArrowRight" || event.key === "ArrowLeft";
    // Links and buttons within a line act on their own; those that are cells are also moved between.
    if (isControl(event.target) && !(isArrow && isCell(event.target))) return;
    if (event.key === "Enter" || (event.key === " " && line.kind !== "row")) {
      event.preventDefault();
      wanted.current = { cell: null };
      onAct(line, event.key === "Enter" ? "open" : "toggle");
    } else if (isArrow) {
      event.preventDefault();
      if (line.kind === "row") stepInLine(event.currentTarget, line.key, event.key);
      else if (line.kind === "group" && line.isOpen === (event.key === "ArrowLeft"))
        onAct(line, "toggle");
    }
  };
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    if (isControl(event.target) || !(event.target instanceof Element)) return;
    // Selecting text to copy it must not navigate.
    if (window.getSelection()?.isCollapsed === false) return;
    const key = event.target.closest<HTMLElement>("[data-line]")?.dataset["line"];
    const line = lines.find((candidate) => candidate.key === key);
    if (line?.kind === "row" || line?.kind === "fold") onAct(line, "open");
  };
  useMoveKeys(body, active, lines.length, moveTo);

  const rowAt = useCallback(
    (key: string) => {
      const line = lines.find((candidate) => candidate.key === key);
      return line?.kind === "row" ? line.row : null;
    },
    [lines],
  );
  const restPx = belowPx + restCount * ofKind.row;
  return (
    <>
      <div
        ref={body}
        className={`board ${hasActs ? "board-acts" : ""} ${isFlat ? "is-flat" : ""}`}
        role="grid"
        aria-label={LIST_LABEL}
        aria-rowcount={lines.length + restCount + 1}
        {...handlers}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onFocus={(event) => {
          handlers.onFocus();
          const key = event.target.closest<HTMLElement>("[data-line]")?.dataset["line"];
          if (key !== undefined) setActiveKey(key);
        }}
      >
        <Head order={order} isFlat={isFlat} onOrder={onOrder} />
        <Spacer px={abovePx} />
        {slots.map(({ slot, line }, at) => {
          const index = first + at;
          return (
            <LineView
              key={slot}
              line={line}
              rowIndex={index + 2}
              // Tab always reaches a row, even when the active one is scrolled away.
              isTabStop={isActiveDrawn ? index === active : index === first}
              isLast={index === lines.length - 1 && restCount === 0}
              onAct={onAct}
              OtherLine={OtherLine}
            />
          );
        })}
        <Spacer px={restPx} />
      </div>
      {/* The arrival of all rows behind the first ones changes no line. */}
      <GridTip board={body} filterKey={filterKey} rowAt={rowAt} />
    </>
  );
}

/**
 * Moves focus from the row to its first cell with details, from cell to cell, and back to the row.
 */
function stepInLine(board: HTMLElement, key: string, arrow: string) {
  const line = lineElement(board, key);
  if (line === null) return;
  const stops = [line, ...cellsOf(line)];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[at + (arrow === "ArrowRight" ? 1 : -1)]?.focus();
}

/** Cells of a line that are visible at this width and have details. */
function cellsOf(line: HTMLElement): HTMLElement[] {
  const cells = line.querySelectorAll<HTMLElement>("[data-cell]");
  return [...cells].filter((cell) => cell.getClientRects().length > 0);
}

function focusedCell(): string | null {
  const { activeElement } = document;
  return activeElement instanceof HTMLElement ? (activeElement.dataset["cell"] ?? null) : null;
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a, button") !== null;
}

function isCell(target: EventTarget): boolean {
  return target instanceof HTMLElement && target.dataset["cell"] !== undefined;
}

/** One line of any kind. */
const LineView = memo(function LineView({
  line,
  rowIndex,
  isTabStop,
  isLast,
  onAct,
  OtherLine,
}: Omit<LineProps, "lineKey"> & {
  line: Line;
  onAct: (line: Line, action: LineAction) => void;
  OtherLine: ComponentType<OtherLineProps> | undefined;
}) {
  const place = { lineKey: line.key, rowIndex, isTabStop, isLast };
  if (line.kind === "row")
    return <EndpointRow {...place} line={line} withPartner={!line.isInGroup} />;
  return OtherLine === undefined ? null : (
    <OtherLine {...place} line={line} onToggle={() => onAct(line, "toggle")} />
  );
});

const Head = memo(function Head({
  order,
  isFlat,
  onOrder,
}: {
  order: BoardState["order"];
  isFlat: boolean;
  onOrder: ((order: BoardState["order"]) => void) | undefined;
}) {
  const { confidence, asOf } = useLiveCompany();
  const timeZone = useZone();
  const strips = useStrips();
  const hasActs = useLineActs() !== null;
  const asOfMs = instantMs(asOf);
  const isFrozen = confidence === "blind" && asOfMs !== null;
  return (
    <div role="row" aria-rowindex={1} className="line line-head">
      <span
        role="columnheader"
        className="cell-verdict"
        aria-sort={order === "worst" ? "descending" : "none"}
      >
        {isFrozen ? verdictAt(clockTime(asOfMs, timeZone)) : VERDICT}
        {order === "worst" && !isFrozen ? <span aria-hidden="true">↓</span> : null}
      </span>
      <span role="columnheader" className="cell-name">
        {isFlat ? PARTNER_AND_ENDPOINT : ENDPOINT}
      </span>
      <span role="columnheader" className="cell-age">
        {isFrozen ? AGE_THEN : AGE}
      </span>
      <span role="columnheader" className="cell-bar age-scale" aria-label={BAR_LABEL}>
        <span>0</span>
        <span>{DUE}</span>
        <span>2×</span>
        <span>4×</span>
        <span>8×</span>
      </span>
      <span role="columnheader" className="cell-over">
        {OVERDUE}
      </span>
      <span
        role="columnheader"
        className="cell-next"
        aria-sort={order === "next" ? "ascending" : "none"}
      >
        {onOrder === undefined ? (
          NEXT_SYNC
        ) : (
          <button type="button" onClick={() => onOrder(order === "next" ? "worst" : "next")}>
            {NEXT_SYNC}
          </button>
        )}
        {order === "next" ? <span aria-hidden="true">↑</span> : null}
      </span>
      {hasActs ? (
        <span role="columnheader" className="cell-since">
          {SINCE}
        </span>
      ) : null}
      <span role="columnheader" className="cell-run">
        {LAST_RUN}
      </span>
      {hasActs ? (
        <>
          <span role="columnheader" className="cell-who">
            {WHO}
          </span>
          <span role="columnheader" className="cell-acts">
            <span className="sr-only">{ACTS}</span>
          </span>
        </>
      ) : null}
      {strips === null ? null : (
        <span role="columnheader" className="cell-strip">
          <span className="sr-only">{STRIP_LABEL}</span>
          {strips.axis === null ? null : (
            <Suspense>
              <StripHead axis={strips.axis} />
            </Suspense>
          )}
        </span>
      )}
      <span role="columnheader" className="cell-calls">
        {strips === null ? CALLS : CALLS_ROLLING}
      </span>
      {strips === null ? null : (
        <span role="columnheader" className="cell-spark">
          <span className="sr-only">{SPARK_LABEL}</span>
        </span>
      )}
    </div>
  );
});

function lineElement(body: HTMLElement | null, key: string): HTMLElement | null {
  return body?.querySelector<HTMLElement>(`[data-line="${CSS.escape(key)}"]`) ?? null;
}
