"use client";

import { useZone } from "@/components/shell/time/zone";
import { timeTicks } from "@/lib/domain/words/time-axis";
import { STRIP_WIDTH_PX, type StripAxis } from "./strip";

const MARKS = 4;

/** The axis of all strips. Default export for `lazyPart`. */
export default function StripHead({ axis: { fromMs, untilMs } }: { axis: StripAxis }) {
  const timeZone = useZone();
  return (
    <svg className="strip-axis" width={STRIP_WIDTH_PX} height="28" aria-hidden="true">
      {timeTicks(fromMs, untilMs, timeZone, MARKS).map(({ atMs, label }) => (
        <text
          key={atMs}
          x={((atMs - fromMs) / (untilMs - fromMs)) * STRIP_WIDTH_PX}
          y="18"
          textAnchor="middle"
        >
          {label}
        </text>
      ))}
    </svg>
  );
}
