import type { Metadata } from "next";
import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { AlertsView } from "@/components/settings/alerts/alerts-view";
import { alertsWords } from "@/components/settings/rules/words";
import {
  mayHaveAlerts,
  requirePerson,
  visibleCompanies,
  visiblePartners,
} from "@/lib/server/pages/current-person";
import { nowMs } from "@/lib/server/pages/first-view";

export const metadata: Metadata = { title: alertsWords.title };

export default async function AlertsPage() {
  const person = await requirePerson();
  const may = mayHaveAlerts(person);
  return (
    <SettingsFrame
      person={person}
      here="/settings/alerts"
      nowMs={nowMs()}
      refused={may ? null : alertsWords.noAccess}
    >
      {may ? (
        <AlertsView companies={visibleCompanies(person)} partners={visiblePartners(person)} />
      ) : null}
    </SettingsFrame>
  );
}
