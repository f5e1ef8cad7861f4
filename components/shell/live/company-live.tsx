"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { STARTING } from "@/components/shell/words";
import { popupButton } from "@/components/ui/popup-button";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";
import { duration } from "@/lib/domain/words/format";
import { isFolded } from "./confidence-bar";
import { LiveButtonContent, LiveStatus } from "./live-status";

const LedgerButton = popupButton("dialog", () => import("./company-ledger"));

/** How far a company's page can be trusted, in the top bar. */
export function CompanyLive() {
  const live = useLiveCompany();
  const { confidence, source } = live;
  const lastMs = instantMs(source.last_success_at);
  const age = useNow((nowMs) => (lastMs === null ? "" : duration(Math.max(0, nowMs - lastMs))));
  const isStarting = lastMs === null && source.reason === "starting";
  const label = isStarting ? STARTING : CONFIDENCE_LABEL[confidence];
  return (
    <LiveStatus label={label} note="">
      {isFolded(live) ? (
        <LedgerButton className="live">
          <LiveButtonContent confidence={confidence} label={label} age={age} />
        </LedgerButton>
      ) : null}
    </LiveStatus>
  );
}
