"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { useGivenIncidents } from "@/components/marks/open-incidents";
import { useZone } from "@/components/shell/time/zone";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import { moment, narrowMoment } from "@/lib/domain/words/format";
import { SINCE_HERE } from "./words";

/**
 * Start of an endpoint's trouble: by its incident, otherwise by what its row tells. Empty without trouble.
 * @param beganMs epoch milliseconds on the API's clock; null: not in trouble
 */
export function Since({ endpointId, beganMs }: { endpointId: string; beganMs: number | null }) {
  const { source } = useLiveCompany();
  const timeZone = useZone();
  const member = useGivenIncidents()
    .ofEndpoint.get(endpointId)
    ?.members.find((one) => one.endpoint_id === endpointId);
  const sinceMs = beganMs === null ? null : (instantMs(member?.began_at ?? null) ?? beganMs);
  const text = useNow((nowMs) =>
    sinceMs === null ? "" : moment(sinceMs, nowMs + source.api_clock_offset_ms, timeZone),
  );
  return (
    <span role="gridcell" className="cell-since" title={text}>
      {text === "" ? null : <span className="only-phone">{SINCE_HERE}</span>}
      {narrowMoment(text)}
    </span>
  );
}
