"use client";

import { useNow } from "@/lib/client/use-now";
import { clockTimeWithSeconds, dayAndZone } from "@/lib/domain/words/format";
import { zoneName } from "@/lib/domain/time/zone-name";
import { useZone } from "./zone";

/**
 * The current time on the server's clock, in the person's zone: the one text that changes every
 * second. On a phone only the zone, which the times of a page don't have.
 * @param isOnPhone whether a phone's bar has room for it
 */
export function Clock({ isOnPhone }: { isOnPhone: boolean }) {
  const zone = useZone();
  const secondMs = useNow((nowMs) => Math.floor(nowMs / 1000) * 1000);
  return (
    <time
      className={
        isOnPhone ? "font-mono whitespace-nowrap" : "font-mono whitespace-nowrap max-sm:hidden"
      }
      dateTime={new Date(secondMs).toISOString()}
      title={dayAndZone(secondMs, zone)}
    >
      <span className="max-sm:hidden">{clockTimeWithSeconds(secondMs, zone)} </span>
      <span className="text-ink-3 max-sm:text-2xs">{zoneName(secondMs, zone)}</span>
    </time>
  );
}
