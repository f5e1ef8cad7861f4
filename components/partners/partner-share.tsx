"use client";

import { ShareMenu } from "@/components/drill-down/share/share-menu";
import { NAME } from "@/components/shell/words";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import type { PartnerShown } from "@/lib/client/queries/partners/partners-query";
import { asOfText } from "@/lib/domain/words/shared-words";
import { leadParts } from "./words";

/**
 * *Share* on a partner's page: only with colleagues, because it is about several customers. Default export for
 * `popupButton`.
 * @param customers number of customers that the person may see
 * @param frozenMs the moment shown, once nothing newer is known; null while live
 */
export default function PartnerShare({
  view,
  customers,
  frozenMs,
  ...button
}: PopupButtonProps & { view: PartnerShown; customers: number; frozenMs: number | null }) {
  return (
    <ShareMenu
      button={button}
      subject={NAME}
      say={({ nowMs, timeZone }) => {
        const asOf = asOfText(frozenMs ?? nowMs, nowMs, timeZone);
        const sentence = leadParts(view.partner_name, view.counts, {
          customers,
          since: null,
          was: frozenMs === null ? null : "then",
          unknownFeeds: view.unknownFeeds,
        })
          .map(({ text }) => text)
          .join("");
        return `${NAME}: ${sentence}, ${asOf}`;
      }}
      tell={null}
      link={null}
    />
  );
}
