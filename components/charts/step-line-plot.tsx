"use client";

import { useId } from "react";
import {
  CartesianGrid,
  Line,
  LineChart,
  ReferenceArea,
  ReferenceDot,
  ReferenceLine,
  ResponsiveContainer,
  Tooltip,
  XAxis,
  YAxis,
} from "recharts";
import type { Period } from "@/lib/domain/history";
import { timeTicks } from "@/lib/domain/words/time-axis";
import { absoluteTime, count } from "@/lib/domain/words/format";
import { AXIS_TEXT } from "./axis-text";
import { HatchPattern } from "./hatch";
import { niceScale, scaleText } from "./nice-scale";
import { stepPoints, unseenOf, type StepPoint } from "./step-points";
import { Tip } from "./tip";
import { NOT_OBSERVED } from "./words";

export type StepLinePlotProps = {
  fromMs: number;
  untilMs: number;
  /** Ascending; epoch milliseconds on the same clock as the range. */
  points: readonly StepPoint[];
  /** A series for comparison on the same axis: thinner, beneath. */
  earlier?: readonly StepPoint[];
  /** Dotted across; left out where it would flatten the line. */
  limit?: number | null;
  /** Periods without a reading, merged and within the range: hatched. */
  unseen: readonly Period[];
  timeZone: string;
  heightPx: number;
};

const NOTHING: readonly never[] = [];
/** A limit this many times the largest value would flatten the line. */
const FURTHEST_LIMIT = 4;

/** The plot of `StepLine`. Default export for `lazyOnView`. */
export default function StepLinePlot({
  fromMs,
  untilMs,
  points,
  earlier = NOTHING,
  limit = null,
  unseen,
  timeZone,
  heightPx,
}: StepLinePlotProps) {
  const hatchId = useId();
  const drawn = stepPoints(points, unseen, untilMs);
  const axis = { fromMs, untilMs };
  const drawnBefore = stepPoints(earlier, unseenOf(earlier, NOTHING, axis), untilMs);
  const most = Math.max(0, ...[...points, ...earlier].map(({ value }) => value ?? 0));
  const drawnLimit = limit !== null && limit <= most * FURTHEST_LIMIT ? limit : null;
  const yTicks = niceScale(Math.max(most, drawnLimit ?? 0));
  const xTicks = timeTicks(fromMs, untilMs, timeZone, 8);
  const labels = new Map(xTicks.map(({ atMs, label }) => [atMs, label]));
  const last = drawn.findLast(({ value }) => value !== null);
  return (
    <ResponsiveContainer width="100%" height={heightPx}>
      <LineChart
        data={drawn}
        accessibilityLayer={false}
        margin={{ top: 7, right: 8, bottom: 0, left: 0 }}
      >
        <defs>
          <HatchPattern id={hatchId} />
        </defs>
        <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
        <XAxis
          dataKey="atMs"
          type="number"
          domain={[fromMs, untilMs]}
          allowDataOverflow
          ticks={[...labels.keys()]}
          tickFormatter={(atMs: number) => labels.get(atMs) ?? ""}
          tick={AXIS_TEXT}
          tickLine={false}
          axisLine={false}
          height={22}
        />
        <YAxis
          domain={[0, yTicks[2]]}
          ticks={[...yTicks]}
          tickFormatter={(value: number) => scaleText(value, yTicks)}
          tick={AXIS_TEXT}
          tickLine={false}
          axisLine={false}
          width={46}
        />
        {unseen.map((period) => (
          <ReferenceArea
            key={period.fromMs}
            x1={period.fromMs}
            x2={period.untilMs}
            fill={`url(#${hatchId})`}
            fillOpacity={1}
          />
        ))}
        {drawnLimit === null ? null : (
          <ReferenceLine
            y={drawnLimit}
            stroke="var(--ink-2)"
            strokeWidth={2}
            strokeDasharray="2 4"
          />
        )}
        {drawnBefore.length === 0 ? null : (
          <Line
            data={drawnBefore}
            dataKey="value"
            type="stepAfter"
            stroke="var(--chart-bar)"
            strokeWidth={1}
            strokeDasharray="3 2"
            dot={false}
            activeDot={false}
            tooltipType="none"
            connectNulls={false}
            isAnimationActive={false}
          />
        )}
        <Line
          dataKey="value"
          type="stepAfter"
          stroke="var(--ink)"
          strokeWidth={1.5}
          dot={false}
          activeDot={{ r: 3, fill: "var(--ink)", stroke: "none" }}
          connectNulls={false}
          isAnimationActive={false}
        />
        {last?.value === undefined || last.value === null ? null : (
          <ReferenceDot
            x={last.atMs}
            y={last.value}
            r={3.5}
            fill="var(--ink)"
            stroke="none"
            ifOverflow="visible"
          />
        )}
        <Tooltip
          isAnimationActive={false}
          cursor={{ stroke: "var(--control)" }}
          content={({ payload }) => {
            const point = payload[0]?.payload as StepPoint | undefined;
            if (point === undefined) return null;
            return (
              <Tip when={absoluteTime(point.atMs, timeZone)}>
                {point.value === null ? NOT_OBSERVED : count(point.value)}
              </Tip>
            );
          }}
        />
      </LineChart>
    </ResponsiveContainer>
  );
}
