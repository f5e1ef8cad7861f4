"use client";

import { useZone } from "@/components/shell/time/zone";
import { RETRYING } from "@/components/shell/words";
import { useNow } from "@/lib/client/use-now";
import { silenceSentence } from "@/lib/domain/words/trouble-words";
import { FreshnessBar } from "./confidence-bar";
import { fleetState, isSameState, type FleetState } from "./fleet";
import { useFleet, type Fleet } from "./fleet-context";
import { useFleetHops } from "./use-fleet-hops";

/** That this browser gets no data, and the companies' confidence and data ages unless the top bar says enough. */
export function FleetBar() {
  const fleet = useFleet();
  const { companies, silence, receivedMs } = fleet;
  const timeZone = useZone();
  const state = useNow((nowMs) => fleetState(companies, nowMs, silence !== null), isSameState);
  const cutOff = useNow((nowMs) =>
    silence === null ? null : silenceSentence(silence, receivedMs, { nowMs, timeZone }),
  );
  if (companies.length === 0) return null;
  return (
    <>
      {cutOff === null ? null : (
        <p className="banner" role="status">
          <strong>{cutOff}</strong> {RETRYING}
        </p>
      )}
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
