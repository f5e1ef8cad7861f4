"use client";

import { useZone } from "@/components/shell/time/zone";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import { useNow } from "@/lib/client/use-now";
import { fleetSentence, fullestBudget } from "./fleet";
import { useFleet, type Fleet } from "./fleet-context";
import { Ledger, LedgerPopover } from "./ledger-popover";
import { useFleetHops } from "./use-fleet-hops";

/** The ledger of a page about several companies. Default export for `popupButton`. */
export default function FleetLedger(props: PopupButtonProps) {
  return <LedgerPopover {...props} content={<OfPage />} />;
}

function OfPage() {
  return <FleetContent fleet={useFleet()} />;
}

/** What the ledger of several companies says. */
export function FleetContent({ fleet }: { fleet: Fleet }) {
  const { companies } = fleet;
  const timeZone = useZone();
  const hops = useFleetHops(fleet);
  const sentence = useNow((nowMs) => fleetSentence(companies, { nowMs, timeZone }));
  return <Ledger sentence={sentence} hops={hops} budget={fullestBudget(companies)} />;
}
