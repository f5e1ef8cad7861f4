"use client";

import { useMemo } from "react";
import { useLiveCompany } from "@/components/shell/live-company";
import { useNow } from "@/lib/client/use-now";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { dueBarFraction } from "@/lib/domain/bar-geometry";
import { instantMs } from "@/lib/domain/time/instant";
import { count } from "@/lib/domain/words/format";
import { judge, type Moment, momentOf } from "@/lib/domain/judge";
import type { Line } from "@/components/grid/board";
import { runsText } from "@/components/grid/strips/runs-text";
import { useStrips, type Strips } from "@/components/grid/strips/strips-context";
import {
  NEXT_UNKNOWN,
  SHOW,
  completedText,
  firstInText,
  showFoldedLabel,
} from "@/components/grid/words";
import { Tallies } from "@/components/marks/tallies";
import { BoardLine, type LineProps } from "./board-line";

/** More discs than this can't be distinguished. */
const MAX_DISCS = 40;
const NAMES = 12;

/** A partner's healthy endpoints on one line, as discs on the shared due line. */
export function FoldRow({
  line: { counts, rows },
  onShow,
  ...place
}: LineProps & {
  line: Extract<Line, { kind: "fold" }>;
  onShow: () => void;
}) {
  const { asOf, source } = useLiveCompany();
  const strips = useStrips();
  const planned = useMemo(() => plannedMs(rows), [rows]);
  const { places, next } = useNow((nowMs) => {
    const moment = momentOf({ as_of: asOf, source }, nowMs);
    return { places: discPlaces(rows, moment), next: firstNext(planned, moment) };
  }, sameAges);
  const folded = counts.fresh + counts.webhook + counts.paused;
  // The server's first lines contain only some of the rows, so sums would be wrong.
  const isWhole = rows.length === folded;
  return (
    <BoardLine {...place} className="line-fold">
      <span role="gridcell" className="cell-verdict pl-[5px]">
        <Tallies counts={counts} />
      </span>
      <span role="rowheader" className="cell-folded">
        {rows
          .slice(0, NAMES)
          .map((row) => row.endpoint_key)
          .join(", ")}
      </span>
      <span role="gridcell" className="cell-bar">
        <svg className="bar" data-verdict="fresh" width="100%" height="100%" aria-hidden="true">
          {places
            .split(" ")
            .filter(Boolean)
            .map((x) => (
              <circle key={x} cx={`${x}%`} cy="50%" r="3" />
            ))}
        </svg>
      </span>
      <span role="gridcell" className="cell-next">
        {next}
      </span>
      <span role="gridcell" className="cell-run text-ink-3">
        <span className="truncate">{isWhole ? lastRuns(rows) : ""}</span>
      </span>
      {strips === null ? null : (
        <span role="gridcell" className="cell-strip text-ink-3">
          {isWhole ? runsOf(rows, strips) : ""}
        </span>
      )}
      <span role="gridcell" className="cell-calls">
        {isWhole ? count(rows.reduce((sum, row) => sum + row.api_calls_last_24h, 0)) : ""}
      </span>
      <span role="gridcell" className="cell-show">
        <button
          type="button"
          tabIndex={-1}
          aria-label={showFoldedLabel(folded)}
          className="h-6 underline underline-offset-3"
          onClick={onShow}
        >
          {SHOW}
        </button>
      </span>
    </BoardLine>
  );
}

/** Distinct positions in percent of the width, joined into a string that compares cheaply. */
function discPlaces(rows: readonly SyncStatusRow[], moment: Moment): string {
  const percents = rows.slice(0, MAX_DISCS).flatMap((row) => {
    const { terms, word } = judge(row, moment);
    const bar = word === "fresh" ? dueBarFraction(terms.countedAgeMs, terms.cadenceMs) : null;
    return bar === null ? [] : [Math.round(bar.fraction * 1000) / 10];
  });
  return [...new Set(percents)].join(" ");
}

/** Planned next syncs; epoch milliseconds on the API's clock. */
function plannedMs(rows: readonly SyncStatusRow[]): readonly number[] {
  return rows.flatMap((row) =>
    row.status === "active" ? (instantMs(row.next_sync_at) ?? []) : [],
  );
}

/** "first in 11 m": the earliest one in the future. */
function firstNext(planned: readonly number[], { atMs, isFrozen }: Moment): string {
  if (isFrozen) return NEXT_UNKNOWN;
  const firstMs = planned.reduce((first, ms) => (ms > atMs && ms < first ? ms : first), Infinity);
  if (firstMs === Infinity) return "";
  return firstInText(firstMs - atMs);
}

function sameAges(a: { places: string; next: string }, b: { places: string; next: string }) {
  return a.places === b.places && a.next === b.next;
}

function lastRuns(rows: readonly SyncStatusRow[]): string {
  const outcomes = rows.flatMap(({ last_sync_status: status }) =>
    status === null ? [] : [status],
  );
  const completed = outcomes.filter((outcome) => outcome === "completed").length;
  if (outcomes.length === 0) return "";
  return completedText(completed, outcomes.length);
}

function runsOf(rows: readonly SyncStatusRow[], { stripOf }: Strips): string {
  const strips = rows.flatMap(({ id }) => stripOf(id) ?? []);
  if (strips.length === 0) return "";
  const total = (of: "seen" | "notCompleted") =>
    strips.reduce((sum, { runs }) => sum + runs[of], 0);
  return runsText({ seen: total("seen"), notCompleted: total("notCompleted") });
}
