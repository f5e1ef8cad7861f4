"use client";

import { memo } from "react";
import { STRIP_HEIGHT_PX, STRIP_WIDTH_PX, stripPaths } from "./strip";
import { useDrawnStrip } from "./strips";

/** An endpoint's past 24 hours; empty until the history is loaded. Default export for `lazyPart`. */
export default function RunStrip({ endpointId }: { endpointId: string }) {
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
