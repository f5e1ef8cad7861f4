"use client";

import { useLiveCompany } from "@/components/shell/live-company";
import { useZone } from "@/components/shell/time/zone";
import { STARTING } from "@/components/shell/words";
import { checksAre } from "./ledger-words";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import { useNow } from "@/lib/client/use-now";
import { instantMs } from "@/lib/domain/time/instant";
import { CONFIDENCE_LABEL } from "@/lib/domain/words/labels";
import { atMoment } from "@/lib/domain/words/dates";
import { Ledger, LedgerPopover } from "./ledger-popover";
import { useHops } from "./use-hops";

/** The ledger of a company's page. Default export for `popupButton`. */
export default function CompanyLedger(props: PopupButtonProps) {
  return <LedgerPopover {...props} content={<Content />} />;
}

function Content() {
  const { name, source, confidence } = useLiveCompany();
  const timeZone = useZone();
  const hops = useHops();
  const lastMs = instantMs(source.last_success_at);
  const checked = useNow((nowMs) => (lastMs === null ? "" : atMoment(lastMs, nowMs, timeZone)));
  const sentence =
    lastMs === null
      ? `${STARTING}.`
      : checksAre(name, CONFIDENCE_LABEL[confidence].toLowerCase(), checked);
  return <Ledger sentence={sentence} hops={hops} budget={source.budget} />;
}
