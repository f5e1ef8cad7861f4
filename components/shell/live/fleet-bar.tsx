"use client";

import { SilenceBanner } from "@/components/shell/trouble/silence-banner";
import { useNow } from "@/lib/client/use-now";
import { FreshnessBar } from "./confidence-bar";
import { fleetState, isSameState, type FleetState } from "./fleet";
import { useFleet, type Fleet } from "./fleet-context";
import { useFleetHops } from "./use-fleet-hops";

/** That this browser gets no data, and the companies' confidence and data ages unless the top bar says enough. */
export function FleetBar() {
  const fleet = useFleet();
  const { companies, silence, receivedMs } = fleet;
  const state = useNow((nowMs) => fleetState(companies, nowMs, silence !== null), isSameState);
  if (companies.length === 0) return null;
  return (
    <>
      <SilenceBanner silence={silence} receivedMs={receivedMs} />
      {state.isFolded ? null : <Unfolded fleet={fleet} state={state} />}
    </>
  );
}

function Unfolded({ fleet, state }: { fleet: Fleet; state: FleetState }) {
  const { confidence, isBlind, label, note } = state;
  return (
    <FreshnessBar
      confidence={isBlind ? "blind" : confidence === "live" ? "live" : "delayed"}
      mark={confidence}
      label={label}
      hops={useFleetHops(fleet)}
    >
      {note === "" ? null : <span className="confidence-note">{note}</span>}
    </FreshnessBar>
  );
}
