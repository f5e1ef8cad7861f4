"use client";

import { BudgetMeter, LedgerHops, sameHops, type Hop } from "@/components/shell/confidence-bar";
import { ConfidenceIcon } from "@/components/marks/confidence-icon";
import { useZone } from "@/components/shell/time/zone";
import {
  FRESHNESS,
  RETRYING,
  SOURCE_CACHE_TITLE,
  confidenceLabel,
  screenTitle,
} from "@/components/shell/words";
import type { Companies } from "@/lib/client/queries/companies";
import { useNow } from "@/lib/client/use-now";
import type { CompanySummary } from "@/lib/contracts/dashboard";
import { absoluteTime } from "@/lib/domain/words/format";
import { silenceSentence } from "@/lib/domain/words/trouble-words";
import { fleetHops, fleetState, fullestBudget, isSameState } from "./fleet";
import { fleetWords } from "./words";

/** Without its partner data, which is of other partners. */
const withoutData = (company: CompanySummary): CompanySummary => ({
  ...company,
  partner_data: null,
});

/** Combined confidence, data age and upstream budget of all companies. */
export function FleetBar({
  view,
  companies = view.companies,
  receivedMs,
  silence,
  isCounted,
}: Companies & {
  /** Companies of the page; default: all. */
  companies?: readonly CompanySummary[];
}) {
  const timeZone = useZone();
  const state = useNow((nowMs) => fleetState(companies, nowMs, silence !== null), isSameState);
  const cutOff = useNow((nowMs) =>
    silence === null ? null : silenceSentence(silence, receivedMs, { nowMs, timeZone }),
  );
  const hops = useNow((nowMs): readonly Hop[] => {
    const titles = [
      fleetWords.partnerDataTitle,
      SOURCE_CACHE_TITLE,
      fleetWords.lastCheckTitle,
      screenTitle(absoluteTime(receivedMs, timeZone)),
    ];
    const shown = isCounted ? companies : companies.map(withoutData);
    return fleetHops(shown, nowMs, {
      receivedMs,
      isServerSilent: silence !== null,
    }).map((hop, place) => ({
      ...hop,
      title: titles[place] ?? "",
    }));
  }, sameHops);
  const budget = fullestBudget(companies);
  return (
    <>
      {cutOff === null ? null : (
        <p className="banner" role="status">
          <strong>{cutOff}</strong> {RETRYING}
        </p>
      )}
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
    </>
  );
}
