"use client";

import type { ReactNode } from "react";
import type { Period } from "@/lib/domain/history";
import { ChartFrame } from "./chart-frame";
import type { StepLinePlotProps } from "./step-line-plot";
import { unseenOf } from "./step-points";
import { lazyOnView } from "./lazy-on-view";

const StepLinePlot = lazyOnView(() => import("./step-line-plot"));

/**
 * One series over time as steps, with unobserved time hatched. The plot is loaded when it is about
 * to be visible; its space is reserved.
 * @param label describes the line in a sentence, for screen readers
 * @param table the numbers as a table, behind a button
 */
export function StepLine({
  label,
  table,
  below,
  gaps,
  heightPx = 156,
  ...plot
}: Omit<StepLinePlotProps, "heightPx" | "unseen"> & {
  label: string;
  table?: ReactNode;
  /** Drawn under the plot, on its axis. */
  below?: (unseen: readonly Period[]) => ReactNode;
  /** Gaps in observation, in any order; missing readings are hatched automatically. */
  gaps: readonly Period[];
  heightPx?: number;
}) {
  const unseen = unseenOf(plot.points, gaps, { fromMs: plot.fromMs, untilMs: plot.untilMs });
  return (
    <ChartFrame
      label={label}
      heightPx={heightPx}
      table={table}
      below={below?.(unseen)}
      hasGaps={unseen.length > 0}
      isEmpty={plot.points.every(({ value }) => value === null)}
    >
      <StepLinePlot {...plot} unseen={unseen} heightPx={heightPx} />
    </ChartFrame>
  );
}
