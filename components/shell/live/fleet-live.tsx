"use client";

import { popupButton } from "@/components/ui/popup-button";
import { useNow } from "@/lib/client/use-now";
import { LAST_CHECK } from "@/components/shell/words";
import { fleetHops, fleetState, isSameState } from "./fleet";
import { useFleet } from "./fleet-context";
import { LiveFace, LiveStatus } from "./live-face";

const LedgerButton = popupButton("dialog", () => import("./fleet-ledger"));

/** How far a page about several companies can be trusted, in the top bar. */
export function FleetLive() {
  const { companies, silence, receivedMs } = useFleet();
  const isServerSilent = silence !== null;
  const state = useNow((nowMs) => fleetState(companies, nowMs, isServerSilent), isSameState);
  const age = useNow((nowMs) =>
    lastCheck(fleetHops(companies, nowMs, { receivedMs, isServerSilent })),
  );
  if (companies.length === 0) return null;
  return (
    <LiveStatus label={state.label} note={state.note}>
      {state.isFolded ? (
        <LedgerButton className="live">
          <LiveFace confidence={state.confidence} label={state.label} age={age} />
        </LedgerButton>
      ) : null}
    </LiveStatus>
  );
}

const lastCheck = (hops: ReturnType<typeof fleetHops>) =>
  hops.find(({ name }) => name === LAST_CHECK)?.text ?? "";
