"use client";

import { useNow } from "@/lib/client/use-now";
import { clockTimeWithSeconds, dayAndZone } from "@/lib/domain/words/format";
import { zoneName } from "@/lib/domain/time/zone-name";
import { useZone } from "./zone";

/**
 * The current time on the server's clock, in the person's zone: the one text that changes every
 * second. On a phone only the zone, which the times of a page don't have, beside the tabs; on paper with its title, the date.
 */
export function Clock() {
  const zone = useZone();
  const secondMs = useNow((nowMs) => Math.floor(nowMs / 1000) * 1000);
  return (
    <time
      className="clock font-mono whitespace-nowrap"
      dateTime={new Date(secondMs).toISOString()}
      title={dayAndZone(secondMs, zone)}
    >
      <span className="max-sm:hidden print:inline">{clockTimeWithSeconds(secondMs, zone)} </span>
      <span className="text-ink-3 max-sm:text-2xs print:hidden">{zoneName(secondMs, zone)}</span>
    </time>
  );
}
