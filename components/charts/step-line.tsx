"use client";

import type { ReactNode } from "react";
import type { Stretch } from "@/lib/domain/history";
import { ChartFrame } from "./chart-frame";
import type { StepLinePlotProps } from "./step-line-plot";
import { unseenOf } from "./step-points";
import { lazyOnView } from "./lazy-on-view";

const StepLinePlot = lazyOnView(() => import("./step-line-plot"));

/**
 * One series over time as steps, with what was not observed hatched. The plot comes once it is about to be
 * seen; until then its place is kept.
 * @param label a sentence that says what the line shows: the chart for those who do not see it
 * @param table the same numbers as a table, behind a button
 */
export function StepLine({
  label,
  table,
  gaps,
  heightPx = 156,
  ...plot
}: Omit<StepLinePlotProps, "heightPx" | "unseen"> & {
  label: string;
  table?: ReactNode;
  /** When we did not look, in any order; missing readings are hatched by themselves. */
  gaps: readonly Stretch[];
  heightPx?: number;
}) {
  const unseen = unseenOf(plot.points, gaps, { fromMs: plot.fromMs, untilMs: plot.untilMs });
  return (
    <ChartFrame
      label={label}
      heightPx={heightPx}
      table={table}
      hasGaps={unseen.length > 0}
      isEmpty={plot.points.every(({ value }) => value === null)}
    >
      <StepLinePlot {...plot} unseen={unseen} heightPx={heightPx} />
    </ChartFrame>
  );
}
