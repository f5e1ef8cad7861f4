"use client";

import { fleetSentence, fullestBudget } from "@/components/shell/live/fleet";
import { Ledger, LedgerPopover } from "@/components/shell/live/ledger-popover";
import { useZone } from "@/components/shell/time/zone";
import type { Face } from "@/components/ui/popup-button";
import { useCompaniesIf } from "@/lib/client/queries/companies";
import { useNow } from "@/lib/client/use-now";
import { useTodayHops } from "./today-confidence";
import { useTodayHere } from "./today-here";
import { ledgerWords } from "./words";

/** The ledger of the first page. Default export for `popupButton`. */
export default function TodayLedger(face: Face) {
  return <LedgerPopover {...face} content={<Content />} />;
}

function Content() {
  const here = useTodayHere();
  const timeZone = useZone();
  const companies = useCompaniesIf(true, here.state.partner ?? "")?.view.companies ?? null;
  const hops = useTodayHops(here, "live", companies);
  const sentence = useNow((nowMs) =>
    companies === null ? ledgerWords.loading : fleetSentence(companies, { nowMs, timeZone }),
  );
  const budget = companies === null ? null : fullestBudget(companies);
  return <Ledger sentence={sentence} hops={hops} budget={budget} />;
}
