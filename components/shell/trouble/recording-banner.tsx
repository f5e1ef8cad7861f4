"use client";

import { useNow } from "@/lib/client/use-now";
import type { Source } from "@/lib/contracts/dashboard";
import { instantMs } from "@/lib/domain/time/instant";
import { datedMoment } from "@/lib/domain/words/dates";
import { RECORDING_STOPPED } from "./words";
import { useZone } from "@/components/shell/time/zone";

/** While the data shown is current, but not recorded. */
export function RecordingBanner({ reason, since }: NonNullable<Source["recording_stopped"]>) {
  const timeZone = useZone();
  const sinceMs = instantMs(since) ?? 0;
  const when = useNow((nowMs) => datedMoment(sinceMs, nowMs, timeZone));
  const { lead, sentence } = RECORDING_STOPPED[reason];
  return (
    <div className="banner" role="status">
      <p>
        <strong>{lead}</strong> {sentence(when)}
      </p>
    </div>
  );
}
