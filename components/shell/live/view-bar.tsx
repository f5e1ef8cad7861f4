"use client";

import { useCompaniesIf } from "@/lib/client/queries/companies";
import { FreshnessBar } from "./confidence-bar";
import {
  useViewConfidence,
  useViewStatus,
  useViewHops,
  type ViewConfidence,
} from "./view-confidence";

/** The view's confidence and data ages, unless the top bar says enough. */
export function ViewBar() {
  const state = useViewConfidence(useViewStatus());
  return state === null || state.isFolded ? null : <Unfolded state={state} />;
}

function Unfolded({ state }: { state: ViewConfidence }) {
  const { confidence, isBlind, label, note } = state;
  const status = useViewStatus();
  const shown = isBlind ? "blind" : "delayed";
  const read = useCompaniesIf(true, status.partner ?? "");
  return (
    <FreshnessBar
      confidence={shown}
      mark={confidence}
      label={label}
      hops={useViewHops(status, shown, read?.view.companies ?? null)}
    >
      {note === "" ? null : <span className="confidence-note">{note}</span>}
    </FreshnessBar>
  );
}
