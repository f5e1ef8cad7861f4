"use client";

import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import type { Verdict } from "@/lib/domain/sync";
import { moment } from "@/lib/domain/words/format";
import { useStrip, useStrips } from "@/components/grid/strips/strips";

/**
 * Since when an endpoint's verdict has held, by the record. Empty while the record has another verdict than the row,
 * which is newer, and where it does not tell.
 */
export function Since({ endpointId, word }: { endpointId: string; word: Verdict }) {
  const hasRecord = useStrips() !== null;
  const strip = useStrip(endpointId);
  const timeZone = useZone();
  const sinceMs = strip?.verdict === word ? strip.sinceMs : null;
  const text = useNow((nowMs) => (sinceMs === null ? "" : moment(sinceMs, nowMs, timeZone)));
  return hasRecord ? (
    <span role="gridcell" className="cell-since" title={text}>
      {/* Of a day further back than a week the column has room for the day only. */}
      {text.split(",")[0]}
    </span>
  ) : null;
}
