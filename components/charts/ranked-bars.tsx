"use client";

import type { ReactNode } from "react";
import { lazyOnView } from "./lazy-on-view";

const RankedBarsPlot = lazyOnView(() => import("./ranked-bars-plot"));

export type RankedBar = {
  key: string;
  value: number;
  /** The value as text, right of the bar. */
  valueText: string;
  /** Left of the bar: a name, a link or a button. */
  name: ReactNode;
  /** Right of the value, muted. */
  note?: ReactNode;
  /** The selected one. */
  isChosen?: boolean;
};

/** The bars are behind the list, in the column that every row leaves free. */
const COLUMNS =
  "grid grid-cols-[var(--ranked-columns,24px_minmax(90px,154px)_minmax(60px,1fr)_62px_62px)] items-center gap-x-3 pl-2";

/**
 * Bars with their names and numbers as a list: the list is in the server's HTML, the bars are
 * loaded on demand into reserved space. Neutral; the selected one is ink.
 * @param bars in display order
 * @param isDense lower rows
 */
export function RankedBars({
  label,
  bars,
  isDense = false,
}: {
  label: string;
  bars: readonly RankedBar[];
  isDense?: boolean;
}) {
  return (
    <div className="relative">
      <ol aria-label={label}>
        {bars.map(({ key, name, valueText, note, isChosen }, index) => (
          <li
            key={key}
            className={`border-t border-line data-chosen:font-strong data-chosen:shadow-[inset_3px_0_0_var(--ink)] ${COLUMNS} ${isDense ? "h-7" : "h-10"}`}
            data-chosen={isChosen ? "" : undefined}
          >
            <span className="text-right text-2xs/4.5 font-normal text-ink-3" aria-hidden="true">
              {index + 1}
            </span>
            <span className="truncate">{name}</span>
            <span className="col-start-4 text-right whitespace-nowrap">{valueText}</span>
            <span className="text-right text-xs/4.5 font-normal whitespace-nowrap text-ink-3">
              {note}
            </span>
          </li>
        ))}
      </ol>
      <div
        className={`pointer-events-none absolute inset-0 [&>*]:col-start-3 [&>*]:min-w-0 ${COLUMNS}`}
        aria-hidden="true"
      >
        <RankedBarsPlot
          bars={bars.map(({ key, value, isChosen }) => ({
            key,
            value,
            isChosen: isChosen ?? false,
          }))}
          heightPx={bars.length * (isDense ? 28 : 40)}
        />
      </div>
    </div>
  );
}
