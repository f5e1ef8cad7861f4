"use client";

import type { ReactNode } from "react";
import { ChartFrame } from "./chart-frame";
import type { DurationBarsPlotProps } from "./duration-bars-plot";
import { lazyOnView } from "./lazy-on-view";

const DurationBarsPlot = lazyOnView(() => import("./duration-bars-plot"));

/**
 * Durations of runs, on a log scale, with the usual range behind them.
 * @param label describes the chart in a sentence
 */
export function DurationBars({
  label,
  typicalLabel,
  table,
  heightPx = 180,
  ...plot
}: Omit<DurationBarsPlotProps, "heightPx"> & {
  label: string;
  /** Legend of the usual range. */
  typicalLabel: string;
  table?: ReactNode;
  heightPx?: number;
}) {
  return (
    <ChartFrame
      label={label}
      heightPx={heightPx}
      table={table}
      hasGaps={plot.gaps.length > 0}
      band={plot.typical === null ? undefined : typicalLabel}
      isEmpty={plot.bars.length === 0}
    >
      <DurationBarsPlot {...plot} heightPx={heightPx} />
    </ChartFrame>
  );
}
