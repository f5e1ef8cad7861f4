"use client";

import { rowsStatement } from "@/components/shell/chat-statement";
import { useLiveCompany } from "@/components/shell/live-company";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import { ShareMenu } from "./share-menu";
import { shareMenu as words } from "./words";
import { TellCompany, TellPartner } from "./tell-paragraph";

/**
 * *Share* on a page about feeds of one company: a partner, one endpoint, or the overview. Default
 * export for `popupButton`.
 * @param rows those that the statement is about
 * @param partner whose feeds the paragraph is about; null: it is about all of the company
 * @param told those that the paragraph is about, the whole partner or company even under a filter
 * @param isFiltered whether a filter hides some of these
 * @param mayLink whether the person may share the partner with people without an account
 */
export default function RowsShare({
  subject,
  rows,
  partner,
  told,
  isFiltered = false,
  nameOf = endpointKeyOf,
  mayLink,
  ...button
}: PopupButtonProps & {
  subject: string;
  rows: readonly SyncStatusRow[];
  partner: string | null;
  told: readonly SyncStatusRow[];
  isFiltered?: boolean;
  nameOf?: (row: SyncStatusRow) => string;
  mayLink: boolean;
}) {
  const { slug, name, asOf, source } = useLiveCompany();
  return (
    <ShareMenu
      button={button}
      subject={subject}
      say={(said) => rowsStatement(subject, rows, { as_of: asOf, source }, said, nameOf)}
      tell={
        told.length === 0 ? null : partner === null ? (
          <TellCompany rows={told} />
        ) : (
          <TellPartner partnerName={partner} rows={told} />
        )
      }
      tellHint={isFiltered ? words.customerHintAll(partner ?? name) : undefined}
      link={
        partner === null || !mayLink
          ? null
          : { company: slug, companyName: name, partnerName: partner, incident: null }
      }
    />
  );
}

const endpointKeyOf = ({ endpoint_key: key }: SyncStatusRow) => key;
