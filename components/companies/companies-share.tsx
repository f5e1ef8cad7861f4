"use client";

import { ShareMenu } from "@/components/drill-down/share/share-menu";
import { companyListStatement } from "@/components/shell/chat-statement";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import type { CompanySummary } from "@/lib/contracts/dashboard";

/**
 * *Share* on the list of customers: only with colleagues. Default export for `popupButton`.
 * @param companies those that are listed, worst first
 */
export default function CompaniesShare({
  subject,
  companies,
  ...button
}: PopupButtonProps & { subject: string; companies: readonly CompanySummary[] }) {
  return (
    <ShareMenu
      button={button}
      subject={subject}
      say={(said) => companyListStatement(subject, companies, said)}
      tell={null}
      link={null}
    />
  );
}
