import type { Period } from "@/lib/domain/history";
import type { Corner, Sawtooth } from "@/lib/domain/sawtooth";
import { shareOf } from "./step-points";

/** Size of the drawing in user units; it is stretched to its area, but its strokes are not. */
const WIDTH = 1000;
const HEIGHT = 100;
const DUE_Y = HEIGHT / 2;

/**
 * A sawtooth as plain SVG in the server's HTML: age upwards, due in the middle, time to the right,
 * and hatching for unobserved time.
 * @param label describes the chart in a sentence
 */
export function SawtoothLine({
  label,
  shape,
  gaps,
  axis,
  heightPx,
}: {
  label: string;
  shape: Sawtooth;
  gaps: readonly Period[];
  axis: Period;
  heightPx: number;
}) {
  return (
    <div className="relative" role="img" aria-label={label} style={{ height: heightPx }}>
      {gaps.map((gap) => {
        const from = shareOf(gap.fromMs, axis);
        const width = shareOf(gap.untilMs, axis) - from;
        return (
          <span
            key={gap.fromMs}
            className="hatched-fine absolute inset-y-0 opacity-70"
            style={{ left: `${from * 100}%`, width: `${width * 100}%` }}
          />
        );
      })}
      <svg
        className="absolute inset-0 overflow-visible [&>path]:[vector-effect:non-scaling-stroke]"
        width="100%"
        height={heightPx}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path className="stroke-plumb [stroke-opacity:0.55]" d={`M0 ${DUE_Y}H${WIDTH}`} />
        <path className="fill-late-mark" d={closed(shape.overdue.filter((one) => !one.isStale))} />
        <path className="fill-stale-mark" d={closed(shape.overdue.filter((one) => one.isStale))} />
        <path className="fill-none stroke-(--chart-line)" d={shape.lines.map(pathOf).join("")} />
      </svg>
    </div>
  );
}

const closed = (shapes: Sawtooth["overdue"]) =>
  shapes.map(({ corners }) => `${pathOf(corners)}Z`).join("");

function pathOf(corners: readonly Corner[]): string {
  return corners
    .map(({ x, y }, at) => `${at === 0 ? "M" : "L"}${tenth(x * WIDTH)} ${tenth((1 - y) * HEIGHT)}`)
    .join("");
}

const tenth = (value: number) => Math.round(value * 10) / 10;
