"use client";

import { popupButton } from "@/components/ui/popup-button";
import { useNow } from "@/lib/client/use-now";
import { duration } from "@/lib/domain/words/format";
import { fleetState, isSameState, oldestCheckMs } from "./fleet";
import { useFleet } from "./fleet-context";
import { LiveButtonContent, LiveStatus } from "./live-status";

const LedgerButton = popupButton("dialog", () => import("./fleet-ledger"));

/** How far a page about several companies can be trusted, in the top bar. */
export function FleetLive() {
  const { companies, silence } = useFleet();
  const state = useNow((nowMs) => fleetState(companies, nowMs, silence !== null), isSameState);
  const age = useNow((nowMs) => {
    const checkMs = oldestCheckMs(companies, nowMs);
    return checkMs === null ? "" : duration(Math.max(0, nowMs - checkMs));
  });
  if (companies.length === 0) return null;
  return (
    <LiveStatus label={state.label} note={state.note}>
      {state.isFolded ? (
        <LedgerButton className="live">
          <LiveButtonContent confidence={state.confidence} label={state.label} age={age} />
        </LedgerButton>
      ) : null}
    </LiveStatus>
  );
}
