"use client";

import { memo } from "react";
import { SPARK_HEIGHT_PX, SPARK_WIDTH_PX } from "./sparkline";
import { useDrawnStrip } from "./strips";

/**
 * An endpoint's calls per rolling 24 hours, over the past day. Screen readers get the number beside
 * it. Default export for `lazyPart`.
 */
export default function CallsSparkline({ endpointId }: { endpointId: string }) {
  const { strip, visibility } = useDrawnStrip(endpointId);
  return strip === null || strip.calls.line === "" ? null : (
    <svg
      className="block"
      width={SPARK_WIDTH_PX}
      height={SPARK_HEIGHT_PX}
      visibility={visibility}
      aria-hidden="true"
    >
      <Steps {...strip.calls} />
    </svg>
  );
}

const Steps = memo(function Steps({ line, area }: { line: string; area: string }) {
  return (
    <>
      <path className="spark-area" d={area} />
      <path className="spark-line" d={line} />
    </>
  );
});
