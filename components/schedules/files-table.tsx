"use client";

import {
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
} from "react";
import { Spacer } from "@/components/list/spacer";
import { PHONE_QUERY, useMedia } from "@/components/ui/use-media";
import { useMoveKeys } from "@/components/list/use-move-keys";
import { useVisibleLines } from "@/components/list/use-visible-lines";
import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { Checkbox } from "@/components/ui/form/checkbox";
import { useOpen } from "@/lib/client/use-open";
import type { FileSort, ScheduleFileRow } from "@/lib/contracts/schedule-files";
import { zoneTimeText } from "@/lib/domain/time/zone-name";
import { FileRow } from "./file-row";
import { orderAfter, sortOf, type FileOrder } from "./files-url";
import { schedulePath } from "@/lib/domain/file-address";
import type { Pending } from "@/components/deletions/pending";
import {
  isSelected,
  rangeTo,
  toggled,
  withFiles,
  withoutFiles,
  type Selection,
} from "@/components/deletions/selection";
import { NotLinkedNote } from "./not-linked";
import { useFileRows } from "./use-file-rows";
import { FILES, ROWS_MISSING, columns, rowWords } from "./words";

/** Pixels, as in app/styles/files.css. */
const ROW_PX = 30;
const TOUCH_ROW_PX = 44;
const PHONE_ROW_PX = 60;
/** Height of the selection bar at the bottom of the window. */
const BAR_PX = 53;
/** Maximum number of printed rows. */
const MAX_PRINTED = 1000;

/**
 * A virtual list of any length, in the page's own scroll container.
 * @param query filters and order of the rows, as a query string
 * @param canDelete whether rows can be selected and deleted
 */
export function FilesTable({
  query,
  rowCount,
  order,
  canDelete,
  pending,
  integrationNames,
  selection,
  onOrder,
  onSelection,
  onDelete,
}: {
  query: string;
  rowCount: number;
  order: FileOrder;
  canDelete: boolean;
  pending: ReadonlyMap<number, Pending>;
  /** By `partner_token_id`. */
  integrationNames: ReadonlyMap<number, string>;
  selection: Selection;
  onOrder: (order: FileOrder) => void;
  onSelection: (change: (selection: Selection) => Selection) => void;
  onDelete: (file: ScheduleFileRow) => void;
}) {
  const { slug } = useLiveCompany();
  const openPage = useOpen();
  const body = useRef<HTMLDivElement>(null);
  const isPhone = useMedia(PHONE_QUERY);
  const isTouch = useMedia("(pointer: coarse)");
  const isPrinted = useMedia("print");
  const rowPx = isPhone ? PHONE_ROW_PX : isTouch ? TOUCH_ROW_PX : ROW_PX;
  const heights = useMemo(() => Array.from({ length: rowCount }, () => rowPx), [rowCount, rowPx]);
  const { first, end, abovePx, belowPx, reveal } = useVisibleLines(
    body,
    heights,
    isPrinted && rowCount <= MAX_PRINTED,
    BAR_PX,
  );
  const { rowAt, marksAt, readRange, isSilent } = useFileRows(query, first, end);

  const [activePlace, setActivePlace] = useState(0);
  const active = Math.min(activePlace, Math.max(0, rowCount - 1));
  const isActiveDrawn = active >= first && active < end;
  /** Whether the active row gets focus once it is rendered. */
  const wantsFocus = useRef(false);
  const focusLine = useCallback((place: number) => {
    const line = lineAt(body.current, place);
    wantsFocus.current = line === null;
    line?.focus({ preventScroll: true });
  }, []);
  const moveTo = useCallback(
    (place: number) => {
      const to = Math.min(Math.max(place, 0), rowCount - 1);
      setActivePlace(to);
      reveal(to);
      // Immediately if it is rendered already: without a change nothing renders, as on the first
      // key.
      focusLine(to);
    },
    [rowCount, reveal, focusLine],
  );
  useLayoutEffect(() => {
    if (wantsFocus.current) focusLine(active);
  });
  useMoveKeys(body, active, rowCount, moveTo);

  const check = useCallback(
    (place: number, isRange: boolean) => {
      const file = rowAt(place);
      if (!canDelete || file === undefined || pending.has(file.id)) return;
      const { from, to } = rangeTo(selection, place);
      if (!isRange || from === to) {
        onSelection((before) => toggled(before, file, place));
        return;
      }
      // Rows that can't be loaded aren't selected; they show their own state.
      void readRange(from, to).then(
        (files) =>
          onSelection((before) =>
            withFiles(
              before,
              files.filter(({ id }) => !pending.has(id)),
            ),
          ),
        () => {},
      );
    },
    [rowAt, canDelete, pending, selection, onSelection, readRange],
  );
  const open = (place: number) => {
    const file = rowAt(place);
    if (file !== undefined) openPage(schedulePath(slug, file.id));
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "x") {
      event.preventDefault();
      check(active, false);
    } else if (event.key === "ArrowRight" || event.key === "ArrowLeft") {
      event.preventDefault();
      stepInLine(lineAt(body.current, active), event.key);
    } else if (event.key === "Enter" && !isControl(event.target)) {
      event.preventDefault();
      open(active);
    }
  };
  const onClick = (event: MouseEvent<HTMLDivElement>) => {
    if (isControl(event.target) || !(event.target instanceof Element)) return;
    // Selecting text to copy it must not navigate.
    if (window.getSelection()?.isCollapsed === false) return;
    const place = placeOf(event.target);
    if (place !== null) open(place);
  };
  const inView: ScheduleFileRow[] = [];
  for (let place = first; place < end; place += 1) {
    const file = rowAt(place);
    if (file !== undefined && !pending.has(file.id)) inView.push(file);
  }
  return (
    <>
      <div
        ref={body}
        role="grid"
        aria-label={FILES}
        aria-rowcount={rowCount + 1}
        aria-multiselectable={canDelete}
        className={canDelete ? "files can-delete" : "files"}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onFocus={(event) => {
          const place = placeOf(event.target);
          if (place !== null) setActivePlace(place);
        }}
      >
        <Head
          order={order}
          canDelete={canDelete}
          inView={inView}
          selection={selection}
          onOrder={onOrder}
          onSelection={onSelection}
        />
        <Spacer px={abovePx} />
        {Array.from({ length: end - first }, (_, at) => {
          const place = first + at;
          const file = rowAt(place);
          return (
            <FileRow
              key={place}
              file={file}
              place={place}
              // Tab always reaches a row, even when the active one is scrolled away.
              isTabStop={isActiveDrawn ? place === active : place === first}
              marks={marksAt(place)}
              integrationName={integrationNames.get(file?.partner_token_id ?? Number.NaN) ?? null}
              isSelected={file !== undefined && isSelected(selection, file)}
              canDelete={canDelete}
              pending={file === undefined ? undefined : pending.get(file.id)}
              onCheck={check}
              onDelete={onDelete}
            />
          );
        })}
        <Spacer px={belowPx} />
      </div>
      <NotLinkedNote />
      {isSilent ? (
        <p role="status" className="py-2 text-xs text-ink-2">
          {ROWS_MISSING}
        </p>
      ) : null}
    </>
  );
}

const COLUMNS: readonly { name: string; sort: FileSort | null; className: string }[] = [
  { name: columns.name, sort: "name", className: "file-name" },
  { name: columns.notes, sort: null, className: "" },
  { name: columns.type, sort: "type", className: "file-type" },
  { name: columns.baseline, sort: null, className: "file-baseline" },
  { name: columns.project, sort: "project", className: "file-project" },
  { name: columns.uploaded, sort: "uploaded", className: "file-uploaded" },
  { name: columns.integration, sort: null, className: "file-linked" },
];

function Head({
  order,
  canDelete,
  inView,
  selection,
  onOrder,
  onSelection,
}: {
  order: FileOrder;
  canDelete: boolean;
  inView: readonly ScheduleFileRow[];
  selection: Selection;
  onOrder: (order: FileOrder) => void;
  onSelection: (change: (selection: Selection) => Selection) => void;
}) {
  const timeZone = useZone();
  // Uploads of a year are in two offsets, so the zone's abbreviation would be wrong for some.
  const zone = zoneTimeText(timeZone);
  const chosen = inView.filter((file) => isSelected(selection, file)).length;
  const isAll = inView.length > 0 && chosen === inView.length;
  return (
    <div role="row" aria-rowindex={1} className="file-line file-head">
      {canDelete ? (
        <span role="columnheader" className="file-check">
          <Checkbox
            label={columns.selectInView(inView.length)}
            checked={isAll}
            isMixed={chosen > 0 && !isAll}
            className="h-full w-full"
            onChange={() =>
              onSelection((before) =>
                isAll ? withoutFiles(before, inView) : withFiles(before, inView),
              )
            }
          />
        </span>
      ) : null}
      {COLUMNS.map(({ name, sort, className }) => {
        const text = sort === "uploaded" ? columns.inZone(name, zone) : name;
        if (name === columns.notes) {
          return (
            <span key={name} role="columnheader" className="sr-only">
              {name}
            </span>
          );
        }
        if (sort === null) {
          return (
            <span key={name} role="columnheader" className={className}>
              {text}
            </span>
          );
        }
        const direction = sortOf(order, sort);
        return (
          <span key={name} role="columnheader" aria-sort={direction} className={className}>
            <button type="button" className="sort" onClick={() => onOrder(orderAfter(order, sort))}>
              {text}
              <span aria-hidden="true" className="sort-mark">
                {{ ascending: "↑", descending: "↓", none: "" }[direction]}
              </span>
            </button>
          </span>
        );
      })}
      {canDelete ? (
        <span role="columnheader" className="file-delete">
          {rowWords.delete}
        </span>
      ) : null}
    </div>
  );
}

function lineAt(body: HTMLElement | null, place: number): HTMLElement | null {
  return body?.querySelector<HTMLElement>(`[data-line="${place}"]`) ?? null;
}

function placeOf(element: Element): number | null {
  const place = element.closest<HTMLElement>("[data-line]")?.dataset["line"];
  return place === undefined ? null : Number(place);
}

/** Moves focus from the row to its checkbox, its name, its button, and back. */
function stepInLine(line: HTMLElement | null, arrow: "ArrowRight" | "ArrowLeft") {
  if (line === null) return;
  const cells = [...line.querySelectorAll<HTMLElement>("[data-cell]")];
  // Explanations come after actions.
  const isExplanation = (cell: HTMLElement) => cell.dataset["cell"] === "linked";
  const stops = [
    line,
    ...cells.filter((cell) => !isExplanation(cell)),
    ...cells.filter(isExplanation),
  ];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[at + (arrow === "ArrowRight" ? 1 : -1)]?.focus();
}

function isControl(target: EventTarget): boolean {
  return target instanceof Element && target.closest("a, button, label") !== null;
}
