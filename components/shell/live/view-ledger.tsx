"use client";

import { useZone } from "@/components/shell/time/zone";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import { useCompaniesIf } from "@/lib/client/queries/companies";
import { useNow } from "@/lib/client/use-now";
import { fleetSentence, fullestBudget } from "./fleet";
import { fleetWords } from "./fleet-words";
import { Ledger, LedgerPopover } from "./ledger-popover";
import { useViewStatus, useViewHops } from "./view-confidence";

/** The ledger of a view. Default export for `popupButton`. */
export default function ViewLedger(props: PopupButtonProps) {
  return <LedgerPopover {...props} content={<Content />} />;
}

function Content() {
  const status = useViewStatus();
  const timeZone = useZone();
  const companies = useCompaniesIf(true, status.partner ?? "")?.view.companies ?? null;
  const hops = useViewHops(status, "live", companies);
  const sentence = useNow((nowMs) =>
    companies === null ? fleetWords.loading : fleetSentence(companies, { nowMs, timeZone }),
  );
  const budget = companies === null ? null : fullestBudget(companies);
  return <Ledger sentence={sentence} hops={hops} budget={budget} />;
}
