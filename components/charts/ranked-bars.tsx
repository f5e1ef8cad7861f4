"use client";

import type { ReactNode } from "react";
import { lazyOnView } from "./lazy-on-view";
import "./charts.css";

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
    <div className="ranked">
      <ol aria-label={label}>
        {bars.map(({ key, name, valueText, note, isChosen }, index) => (
          <li
            key={key}
            className={isDense ? "h-7" : "h-10"}
            data-chosen={isChosen ? "" : undefined}
          >
            <span className="ranked-rank" aria-hidden="true">
              {index + 1}
            </span>
            <span className="ranked-name">{name}</span>
            <span className="ranked-value">{valueText}</span>
            <span className="ranked-note">{note}</span>
          </li>
        ))}
      </ol>
      <div className="ranked-plot" aria-hidden="true">
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
