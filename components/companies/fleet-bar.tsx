"use client";

import { BudgetMeter, LedgerHops, sameHops, type Hop } from "@/components/shell/confidence-bar";
import { ConfidenceIcon } from "@/components/shell/confidence-icon";
import { useZone } from "@/components/shell/time/zone";
import {
  FRESHNESS,
  SOURCE_CACHE_TITLE,
  confidenceLabel,
  screenTitle,
} from "@/components/shell/words";
import type { Companies } from "@/lib/client/queries/companies";
import { useNow } from "@/lib/client/use-now";
import type { CompanySummary } from "@/lib/contracts/dashboard";
import { confidence } from "@/lib/domain/confidence";
import { absoluteTime } from "@/lib/domain/words/format";
import { fleetHops, fleetState, fullestBudget, isSameState } from "./fleet";
import { fleetWords } from "./words";

/** Its partners' data isn't what is asked for. */
const withoutData = (company: CompanySummary): CompanySummary => ({
  ...company,
  partner_data: null,
});

/** How far the pictures of all companies can be trusted, how old they are, and what they cost the upstream. */
export function FleetBar({
  view,
  companies = view.companies,
  receivedMs,
  isError,
  isCounted,
}: Companies & {
  /** Those that the page is about; not given: all. */
  companies?: readonly CompanySummary[];
}) {
  const timeZone = useZone();
  const state = useNow((nowMs) => fleetState(companies, nowMs), isSameState);
  const rhythmSeconds = Math.min(...view.companies.map(({ source }) => source.rhythm_seconds));
  const hops = useNow((nowMs): readonly Hop[] => {
    // A request that hangs, or a tab that slept, has not failed, and yet has heard nothing.
    const isServerSilent = isError || confidence(receivedMs, nowMs, rhythmSeconds) !== "live";
    const titles = [
      fleetWords.partnerDataTitle,
      SOURCE_CACHE_TITLE,
      fleetWords.lastCheckTitle,
      screenTitle(absoluteTime(receivedMs, timeZone)),
    ];
    const told = isCounted ? companies : companies.map(withoutData);
    return fleetHops(told, nowMs, { heardMs: receivedMs, isServerSilent }).map((hop, place) => ({
      ...hop,
      title: titles[place] ?? "",
    }));
  }, sameHops);
  const budget = fullestBudget(companies);
  return (
    <section
      aria-label={FRESHNESS}
      className={`confidence is-${state.isBlind ? "blind" : state.confidence === "live" ? "live" : "delayed"}`}
    >
      <div className="confidence-state" role="status" aria-label={confidenceLabel(state.label)}>
        <ConfidenceIcon confidence={state.confidence} />
        <strong>{state.label}</strong>
        {state.note === "" ? null : <span className="confidence-note">{state.note}</span>}
      </div>
      <LedgerHops hops={hops} />
      <span className="flex-1" />
      {budget === null ? null : <BudgetMeter budget={budget} />}
    </section>
  );
}
