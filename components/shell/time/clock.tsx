"use client";

import { useNow } from "@/lib/client/use-now";
import { clockTimeWithSeconds, dayAndZone } from "@/lib/domain/words/format";
import { zoneName } from "@/lib/domain/time/zone-name";
import { useZone } from "./zone";

/**
 * The current time on the server's clock, in the person's zone: the one text that changes every
 * second.
 */
export function Clock() {
  const zone = useZone();
  const secondMs = useNow((nowMs) => Math.floor(nowMs / 1000) * 1000);
  return (
    <time
      className="font-mono whitespace-nowrap max-sm:hidden"
      dateTime={new Date(secondMs).toISOString()}
      title={dayAndZone(secondMs, zone)}
    >
      {clockTimeWithSeconds(secondMs, zone)}{" "}
      <span className="text-ink-3">{zoneName(secondMs, zone)}</span>
    </time>
  );
}
