"use client";

import { Bar, BarChart, ResponsiveContainer, XAxis, YAxis, type BarShapeProps } from "recharts";

type PlottedBar = { key: string; value: number; isChosen: boolean };

/** The bars of `RankedBars`, one per row of its list. Default export for `lazyOnView`. */
export default function RankedBarsPlot({
  bars,
  heightPx,
}: {
  bars: readonly PlottedBar[];
  heightPx: number;
}) {
  return (
    <ResponsiveContainer width="100%" height={heightPx}>
      <BarChart data={[...bars]} layout="vertical" accessibilityLayer={false} margin={NO_MARGIN}>
        <XAxis type="number" domain={[0, "dataMax"]} hide />
        <YAxis type="category" dataKey="key" hide />
        <Bar dataKey="value" barSize={8} isAnimationActive={false} shape={drawBar} />
      </BarChart>
    </ResponsiveContainer>
  );
}

const NO_MARGIN = { top: 0, right: 0, bottom: 0, left: 0 };

function drawBar({ x, y, width, height, payload }: BarShapeProps) {
  const isChosen = (payload as PlottedBar).isChosen;
  const fill = isChosen ? "var(--chart-bar-strong)" : "var(--chart-bar)";
  return <rect x={x} y={y} width={width} height={height} fill={fill} />;
}
