"use client";

import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { Verdict } from "@/lib/domain/sync";
import { moment } from "@/lib/domain/words/format";
import { useStrip, useStrips } from "@/components/grid/strips/strips";

/**
 * Start of an endpoint's current verdict, by the record. Empty while the record has an older
 * verdict than the row, and where it is unknown.
 */
export function Since({ endpointId, word }: { endpointId: string; word: Verdict }) {
  const hasRecord = useStrips() !== null;
  const strip = useStrip(endpointId);
  const timeZone = useZone();
  const sinceMs = strip?.verdict === word ? strip.sinceMs : null;
  const text = useNow((nowMs) => (sinceMs === null ? "" : moment(sinceMs, nowMs, timeZone)));
  return hasRecord ? (
    <span role="gridcell" className="cell-since" title={text}>
      {/* Beyond a week, the column only has room for the day. */}
      {text.split(",")[0]}
    </span>
  ) : null;
}
