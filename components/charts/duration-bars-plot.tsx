"use client";

import { useId } from "react";
import {
  Bar,
  BarChart,
  CartesianGrid,
  ReferenceArea,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
  type BarShapeProps,
} from "recharts";
import type { Period } from "@/lib/domain/history";
import { timeTicks } from "@/lib/domain/words/time-axis";
import { absoluteTime, runDuration, span } from "@/lib/domain/words/format";
import { AXIS_TEXT } from "./axis-text";
import { HatchPattern } from "./hatch";
import { Tip } from "./tip";
import { noted } from "./words";

export type DurationBar = {
  /** Start of the run, or of the first of several; epoch milliseconds. */
  atMs: number;
  /** Duration of the run, or the longest of several. */
  seconds: number;
  /** A run outcome: determines colour and shape. */
  outcome: string;
  /** Text after the duration. */
  note: string;
};

export type DurationBarsPlotProps = {
  axis: Period;
  /** Ascending. */
  bars: readonly DurationBar[];
  gaps: readonly Period[];
  /** Usual range of durations in seconds; null when unknown. */
  typical: { fromSeconds: number; untilSeconds: number } | null;
  timeZone: string;
  heightPx: number;
};

/** The lowest grid line; shorter durations are drawn as this one. */
const FLOOR_SECONDS = 1;
/** Height of a run of `FLOOR_SECONDS`, so that it isn't invisible. */
const LEAST_BAR_PX = 3;
const LINES_SECONDS = [1, 10, 60, 600, 3600, 36_000, 86_400];
const WIDEST_BAR_PX = 11;
const PLOT_PX = 500;

/** The plot of `DurationBars`. Default export for `lazyOnView`. */
export default function DurationBarsPlot({
  axis,
  bars,
  gaps,
  typical,
  timeZone,
  heightPx,
}: DurationBarsPlotProps) {
  const hatchId = useId();
  const data = bars.map((bar) => ({ ...bar, drawn: Math.max(FLOOR_SECONDS, bar.seconds) }));
  const longest = Math.max(10, ...data.map(({ drawn }) => drawn));
  const lines = LINES_SECONDS.filter((seconds) => seconds <= longest);
  const xTicks = timeTicks(axis.fromMs, axis.untilMs, timeZone, 6);
  const labels = new Map(xTicks.map(({ atMs, label }) => [atMs, label]));
  const barPx = Math.max(2, Math.min(WIDEST_BAR_PX, Math.floor((PLOT_PX / bars.length) * 0.6)));
  return (
    <ResponsiveContainer width="100%" height={heightPx}>
      <BarChart data={data} accessibilityLayer={false} margin={MARGIN}>
        <defs>
          <HatchPattern id={hatchId} />
        </defs>
        <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
        <XAxis
          dataKey="atMs"
          type="number"
          domain={[axis.fromMs, axis.untilMs]}
          allowDataOverflow
          ticks={[...labels.keys()]}
          tickFormatter={(atMs: number) => labels.get(atMs) ?? ""}
          tick={AXIS_TEXT}
          tickLine={false}
          axisLine={false}
          height={22}
        />
        <YAxis
          scale="log"
          domain={[FLOOR_SECONDS, longest]}
          allowDataOverflow
          ticks={lines}
          tickFormatter={(seconds: number) => span(seconds * 1000)}
          tick={AXIS_TEXT}
          tickLine={false}
          axisLine={false}
          width={46}
        />
        {typical === null ? null : (
          <ReferenceArea
            y1={Math.max(FLOOR_SECONDS, typical.fromSeconds)}
            y2={Math.max(FLOOR_SECONDS, typical.untilSeconds)}
            fill="var(--chart-fill)"
            fillOpacity={1}
          />
        )}
        {gaps.flatMap((gap) =>
          // The band covers observed time only.
          ["var(--bg)", `url(#${hatchId})`].map((fill) => (
            <ReferenceArea
              key={`${gap.fromMs} ${fill}`}
              x1={Math.max(gap.fromMs, axis.fromMs)}
              x2={Math.min(gap.untilMs, axis.untilMs)}
              fill={fill}
              fillOpacity={1}
            />
          )),
        )}
        <Bar
          dataKey="drawn"
          barSize={barPx}
          minPointSize={LEAST_BAR_PX}
          isAnimationActive={false}
          shape={drawRun}
        />
        <Tooltip
          isAnimationActive={false}
          cursor={false}
          content={({ payload }) => {
            const bar = payload[0]?.payload as DurationBar | undefined;
            if (bar === undefined) return null;
            return (
              <Tip when={absoluteTime(bar.atMs, timeZone)}>
                {noted(runDuration(bar.seconds * 1000), bar.note)}
              </Tip>
            );
          }}
        />
      </BarChart>
    </ResponsiveContainer>
  );
}

const MARGIN = { top: 7, right: 8, bottom: 0, left: 0 };

/**
 * A run that timed out is split in the middle, so that colour isn't the only sign of the outcome.
 */
function drawRun({ x, y, width, height, payload }: BarShapeProps) {
  const { outcome } = payload as DurationBar;
  const breakPx = outcome === "timed_out" && height > 24 ? 12 : 0;
  const upperPx = (height - breakPx) / 2;
  return (
    <path
      className={`run-${outcome}`}
      d={
        breakPx === 0
          ? `M${x} ${y}h${width}v${height}h${-width}z`
          : `M${x} ${y}h${width}v${upperPx}h${-width}zM${x} ${y + upperPx + breakPx}h${width}v${upperPx}h${-width}z`
      }
    />
  );
}
