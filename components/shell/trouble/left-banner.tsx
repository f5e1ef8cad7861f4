"use client";

import { useNow } from "@/lib/client/use-now";
import type { Source } from "@/lib/contracts/dashboard";
import { instantMs } from "@/lib/domain/time/instant";
import { moment } from "@/lib/domain/words/format";
import { companyLeft } from "./words";
import { useZone } from "@/components/shell/time/zone";

/**
 * While the data shown is the record of a company that is no longer connected.
 * @param hasHistory false: no check of it ever succeeded
 */
export function LeftBanner({
  name,
  hasHistory,
  at,
}: { name: string; hasHistory: boolean } & NonNullable<Source["left"]>) {
  const timeZone = useZone();
  const atMs = instantMs(at);
  const when = useNow((nowMs) => (atMs === null ? null : moment(atMs, nowMs, timeZone)));
  return (
    <div className="banner" role="status">
      <p>
        <strong>{companyLeft.lead(name, when)}</strong>{" "}
        {hasHistory ? companyLeft.history : companyLeft.noHistory}
      </p>
    </div>
  );
}
