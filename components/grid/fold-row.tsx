"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { useNow } from "@/lib/client/use-now";
import { dueBarFraction } from "@/lib/domain/bar-geometry";
import { judge, type Line } from "./board";
import type { LineProps } from "./endpoint-row";
import { momentOf } from "./moment";
import { Tallies } from "./tallies";

/** Discs of more endpoints than this cannot be told apart. */
const MAX_DISCS = 40;
const NAMES = 12;

/** A partner's healthy endpoints on one line: a disc for each, against the same due line. */
export function FoldRow({
  line: { counts, rows },
  onShow,
  lineKey,
  rowIndex,
  isTabStop,
  isLast,
}: LineProps & {
  line: Extract<Line, { kind: "fold" }>;
  onShow: () => void;
}) {
  const { asOf, source } = useLiveCompany();
  // Percent of the width, each place once; one text, so that a moment compares cheaply with the next.
  const places = useNow((nowMs) => {
    const moment = momentOf({ as_of: asOf, source }, nowMs);
    const percents = rows.slice(0, MAX_DISCS).flatMap((row) => {
      const { terms, word } = judge(row, moment);
      const bar = word === "fresh" ? dueBarFraction(terms.ageMs, terms.cadenceMs) : null;
      return bar === null ? [] : [Math.round(bar.fraction * 1000) / 10];
    });
    return [...new Set(percents)].join(" ");
  });
  const count = counts.fresh + counts.webhook + counts.paused;
  return (
    <div
      role="row"
      aria-rowindex={rowIndex}
      tabIndex={isTabStop ? 0 : -1}
      data-line={lineKey}
      className={isLast ? "line line-fold board-end" : "line line-fold"}
    >
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
        <svg className="bar bar-fresh" width="100%" height="100%" aria-hidden="true">
          {places
            .split(" ")
            .filter(Boolean)
            .map((x) => (
              <circle key={x} cx={`${x}%`} cy="50%" r="3" />
            ))}
        </svg>
      </span>
      <span role="gridcell" className="text-right sm:col-[5/-1] max-sm:hidden">
        <button
          type="button"
          tabIndex={-1}
          className="h-6 underline underline-offset-3"
          onClick={onShow}
        >
          show {count}
        </button>
      </span>
    </div>
  );
}
