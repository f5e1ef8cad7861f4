"use client";

import { memo } from "react";
import { useZone } from "@/components/shell/time/zone";
import { timeTicks } from "@/lib/domain/words/time-axis";
import { STRIP_HEIGHT_PX, STRIP_WIDTH_PX, stripPaths, type StripAxis } from "./strip";
import { useDrawnStrip } from "./strips";

/** An endpoint's past 24 hours; empty until the history is loaded. */
export function RunStrip({ endpointId }: { endpointId: string }) {
  const { strip, visibility } = useDrawnStrip(endpointId);
  return strip === null ? null : (
    <svg
      className="block"
      width={STRIP_WIDTH_PX}
      height={STRIP_HEIGHT_PX}
      visibility={visibility}
      role="img"
      aria-label={strip.label}
    >
      <Ticks slots={strip.slots} />
    </svg>
  );
}

/** Rendered only when a tick changes: one path per kind, whatever the number of ticks. */
const Ticks = memo(function Ticks({ slots }: { slots: string }) {
  const { base, unseen, other, ticks } = stripPaths(slots);
  return (
    <>
      {base === "" ? null : <path className="strip-base" d={base} />}
      {unseen === "" ? null : <path className="strip-unseen" d={unseen} />}
      {other === "" ? null : <path className="run-other" d={other} />}
      {ticks.map(({ outcome, path }) => (
        <path key={outcome} className={`run-${outcome}`} fillRule="evenodd" d={path} />
      ))}
    </>
  );
});

const MARKS = 4;

/** The axis of all strips. */
export function StripHead({ axis: { fromMs, untilMs } }: { axis: StripAxis }) {
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
