"use client";

import { FreshnessBar } from "@/components/shell/live/confidence-bar";
import { useCompaniesIf } from "@/lib/client/queries/companies";
import { useTodayConfidence, useTodayHops, type TodayConfidence } from "./today-confidence";
import { useTodayHere, type TodayHere } from "./today-here";

/** The first page's confidence and data ages, unless the top bar says enough. */
export function TodayBar() {
  const here = useTodayHere();
  const state = useTodayConfidence(here);
  return state === null || state.isFolded ? null : <Unfolded here={here} state={state} />;
}

function Unfolded({ here, state }: { here: TodayHere; state: TodayConfidence }) {
  const { confidence, isBlind, label, note } = state;
  const shown = isBlind ? "blind" : "delayed";
  const read = useCompaniesIf(true, here.state.partner ?? "");
  return (
    <FreshnessBar
      confidence={shown}
      mark={confidence}
      label={label}
      hops={useTodayHops(here, shown, read?.view.companies ?? null)}
    >
      {note === "" ? null : <span className="confidence-note">{note}</span>}
    </FreshnessBar>
  );
}
