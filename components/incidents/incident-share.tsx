"use client";

import { ShareMenu } from "@/components/drill-down/share/share-menu";
import { TellPartner } from "@/components/drill-down/share/tell-paragraph";
import { useLiveCompany } from "@/components/shell/live-company";
import type { PopupButtonProps } from "@/components/ui/popup-button";
import type { SyncStatusRow } from "@/lib/contracts/dashboard";
import type { Incident } from "@/lib/contracts/incidents";
import { incidentStatement } from "@/lib/domain/words/shared-words";
import { chatSubject, headlineOf } from "./incident-text";

/**
 * *Share* on an incident's page. Default export for `popupButton`.
 * @param rows the partner's endpoints
 * @param mayLink whether the person may share it with people without an account
 */
export default function IncidentShare({
  incident,
  rows,
  mayLink,
  ...button
}: PopupButtonProps & { incident: Incident; rows: readonly SyncStatusRow[]; mayLink: boolean }) {
  const { slug, name } = useLiveCompany();
  const { partner_name: partnerName, id, state } = incident;
  const subject = chatSubject(partnerName, name, id);
  return (
    <ShareMenu
      button={button}
      subject={subject}
      say={({ nowMs, timeZone }) =>
        incidentStatement(subject, headlineOf(incident), {
          nowMs: nowMs + incident.api_clock_offset_ms,
          timeZone,
        })
      }
      tell={
        state === "open" && rows.length > 0 ? (
          <TellPartner partnerName={partnerName} rows={rows} />
        ) : null
      }
      link={mayLink ? { company: slug, companyName: name, partnerName, incident: id } : null}
    />
  );
}
