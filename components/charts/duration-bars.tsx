"use client";

import type { ReactNode } from "react";
import { ChartFrame } from "./chart-frame";
import type { DurationBarsPlotProps } from "./duration-bars-plot";
import { lazyOnView } from "./lazy-on-view";

const DurationBarsPlot = lazyOnView(() => import("./duration-bars-plot"));

/**
 * How long runs took, on a log scale, with the usual range behind them.
 * @param label a sentence that says what the bars show
 */
export function DurationBars({
  label,
  typicalLabel,
  table,
  heightPx = 180,
  ...plot
}: Omit<DurationBarsPlotProps, "heightPx"> & {
  label: string;
  /** What the usual range is. */
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
