"use client";

import { useWindowVirtualizer } from "@tanstack/react-virtual";
import {
  memo,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type RefObject,
} from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/zone";
import { useServerClock } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/instant";
import { clockTime } from "@/lib/domain/wording";
import type { Line } from "./board";
import type { BoardState } from "./board-url";
import { EndpointRow, type LineProps } from "./endpoint-row";
import { FoldRow } from "./fold-row";
import { GroupRow } from "./group-row";
import { DESK_HEIGHTS, PHONE_HEIGHTS, PHONE_QUERY } from "./line-heights";
import { useMedia } from "./use-media";

/** Height that the server draws for; a taller window fills up as soon as it is alive. */
const SERVER_WINDOW = { width: 1440, height: 1000 };
const OVERSCAN = 6;
const HEAD_PX = 28;

/**
 * The lines in view, in the page's own scroll. Spacers are SVGs with a height attribute: the server's
 * HTML may hold no inline style.
 * @param restCount lines that exist but are not here yet
 */
export function Grid({
  lines,
  restCount,
  order,
  isFlat,
  onAct,
  onTouch,
}: {
  lines: readonly Line[];
  restCount: number;
  order: BoardState["order"];
  isFlat: boolean;
  onAct: (line: Line) => void;
  onTouch: (nowMs: number) => void;
}) {
  const heights = useMedia(PHONE_QUERY) ? PHONE_HEIGHTS : DESK_HEIGHTS;
  const isPrinted = useMedia("print");
  const clock = useServerClock();
  const body = useRef<HTMLDivElement>(null);
  const top = useOffsetTop(body);

  const keyOf = useCallback((at: number) => lines[at]?.key ?? at, [lines]);
  const heightOf = useCallback((at: number) => heights[lines[at]?.kind ?? "row"], [lines, heights]);
  // oxlint-disable-next-line react/incompatible-library -- the React Compiler is not in use
  const list = useWindowVirtualizer({
    count: lines.length,
    estimateSize: heightOf,
    getItemKey: keyOf,
    overscan: isPrinted ? lines.length : OVERSCAN,
    scrollMargin: top + HEAD_PX,
    scrollPaddingStart: HEAD_PX,
    scrollPaddingEnd: HEAD_PX,
    initialRect: SERVER_WINDOW,
  });
  // Sizes are known, never measured; a new set of heights makes the old sums worthless.
  useLayoutEffect(() => list.measure(), [list, heights]);

  const [activeKey, setActiveKey] = useState<string | null>(null);
  const found = lines.findIndex((line) => line.key === activeKey);
  const active = found === -1 ? 0 : found;
  const wantsFocus = useRef(false);
  const items = list.getVirtualItems();
  const isActiveDrawn = items.some((item) => item.index === active);

  const moveTo = useCallback(
    (index: number) => {
      const line = lines[Math.min(Math.max(index, 0), lines.length - 1)];
      if (line === undefined) return;
      wantsFocus.current = true;
      setActiveKey(line.key);
      list.scrollToIndex(lines.indexOf(line), { align: "auto" });
    },
    [lines, list],
  );
  useLayoutEffect(() => {
    if (!wantsFocus.current || activeKey === null) return;
    const line = lineElement(body.current, activeKey);
    if (line === null) return;
    wantsFocus.current = false;
    line.focus({ preventScroll: true });
  });

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const line = lines[active];
    const isOnRow = event.target instanceof HTMLElement && event.target.role === "row";
    if ((event.key === "Enter" || event.key === " ") && line !== undefined && isOnRow) {
      event.preventDefault();
      wantsFocus.current = true;
      onAct(line);
    }
  };
  useMoveKeys(body, active, lines.length, moveTo);

  const bottom = list.getTotalSize() - endOf(items, top + HEAD_PX) + restCount * heights.row;
  const above = startOf(items, top + HEAD_PX);
  return (
    <div
      ref={body}
      className="board"
      role="grid"
      aria-label="Endpoints"
      aria-rowcount={lines.length + restCount + 1}
      onKeyDown={onKeyDown}
      onPointerMove={() => onTouch(Math.floor(clock.nowMs() / 1000) * 1000)}
      onFocus={(event) => {
        onTouch(clock.nowMs());
        const key = event.target.closest<HTMLElement>("[data-line]")?.dataset["line"];
        if (key !== undefined) setActiveKey(key);
      }}
    >
      <Head order={order} isFlat={isFlat} />
      {above > 0 ? <Spacer px={above} /> : null}
      {items.map(({ index }) => {
        const line = lines[index];
        if (line === undefined) return null;
        return (
          <LineView
            key={line.key}
            line={line}
            rowIndex={index + 2}
            // Tab always finds a row, also when the active one is out of view.
            isTabStop={isActiveDrawn ? index === active : index === items[0]?.index}
            isLast={index === lines.length - 1 && restCount === 0}
            isFlat={isFlat}
            onAct={onAct}
          />
        );
      })}
      {bottom > 0 ? <Spacer px={bottom} /> : null}
    </div>
  );
}

/** One line of any kind. */
const LineView = memo(function LineView({
  line,
  rowIndex,
  isTabStop,
  isLast,
  isFlat,
  onAct,
}: Omit<LineProps, "lineKey"> & {
  line: Line;
  isFlat: boolean;
  onAct: (line: Line) => void;
}) {
  const place = { lineKey: line.key, rowIndex, isTabStop, isLast };
  const act = () => onAct(line);
  if (line.kind === "group") return <GroupRow {...place} line={line} onToggle={act} />;
  if (line.kind === "fold") return <FoldRow {...place} line={line} onShow={act} />;
  return <EndpointRow {...place} row={line.row} withPartner={isFlat} />;
});

type Item = { start: number; end: number };
const startOf = (items: readonly Item[], margin: number) => (items[0]?.start ?? margin) - margin;
const endOf = (items: readonly Item[], margin: number) => (items.at(-1)?.end ?? margin) - margin;

function Spacer({ px }: { px: number }) {
  return <svg aria-hidden="true" className="block" width="1" height={px} />;
}

function Head({ order, isFlat }: { order: BoardState["order"]; isFlat: boolean }) {
  const { confidence, asOf } = useLiveCompany();
  const timeZone = useZone();
  const asOfMs = instantMs(asOf);
  const isFrozen = confidence === "blind" && asOfMs !== null;
  return (
    <div role="row" aria-rowindex={1} className="line line-head">
      <span
        role="columnheader"
        className="cell-verdict"
        aria-sort={order === "worst" ? "descending" : "none"}
      >
        {isFrozen ? `At ${clockTime(asOfMs, timeZone)}` : "Verdict"}
        {order === "worst" && !isFrozen ? <span aria-hidden="true">↓</span> : null}
      </span>
      <span role="columnheader" className="cell-name">
        {isFlat ? "Partner / endpoint" : "Endpoint"}
      </span>
      <span role="columnheader" className="cell-age">
        {isFrozen ? "Age then" : "Data age"}
      </span>
      <span role="columnheader" className="cell-bar scale" aria-label="Age against cadence">
        <span>0</span>
        <span>due</span>
        <span>2×</span>
        <span>4×</span>
        <span>8×</span>
      </span>
      <span role="columnheader" className="cell-over">
        Overdue
      </span>
      <span role="columnheader" className="cell-next">
        Next sync
      </span>
      <span role="columnheader" className="cell-run">
        Last run
      </span>
      <span role="columnheader" className="cell-calls">
        Calls, 24 h
      </span>
    </div>
  );
}

/** Distance of an element from the top of the document; it moves when a banner comes or goes. */
function useOffsetTop(element: RefObject<HTMLElement | null>): number {
  const [top, setTop] = useState(0);
  useLayoutEffect(() => {
    const measure = () => {
      const box = element.current?.getBoundingClientRect();
      if (box !== undefined) setTop(Math.round(box.top + window.scrollY));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    return () => observer.disconnect();
  }, [element]);
  return top;
}

/** J, K, arrows, Home and End move through the rows, from anywhere that does not need these keys. */
function useMoveKeys(
  body: RefObject<HTMLElement | null>,
  active: number,
  count: number,
  moveTo: (index: number) => void,
) {
  useEffect(() => {
    const onKey = (event: globalThis.KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof HTMLElement ? event.target : null;
      const isInGrid = target !== null && (body.current?.contains(target) ?? false);
      const isFree =
        isInGrid ||
        target?.closest("input, textarea, select, button, a, [role=menu], [role=dialog]") === null;
      if (!isFree) return;
      const to = destination(event.key, isInGrid, active, count);
      if (to === null) return;
      event.preventDefault();
      moveTo(to);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [body, active, count, moveTo]);
}

/** Arrows scroll the page unless the focus is in the grid; J and K always mean rows. */
function destination(key: string, isInGrid: boolean, active: number, count: number): number | null {
  if (key === "j" || (key === "ArrowDown" && isInGrid)) return isInGrid ? active + 1 : active;
  if (key === "k" || (key === "ArrowUp" && isInGrid)) return isInGrid ? active - 1 : active;
  if (key === "Home" && isInGrid) return 0;
  return key === "End" && isInGrid ? count - 1 : null;
}

function lineElement(body: HTMLElement | null, key: string): HTMLElement | null {
  return body?.querySelector<HTMLElement>(`[data-line="${CSS.escape(key)}"]`) ?? null;
}
