import type { Metadata } from "next";
import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { RulesView } from "@/components/settings/rules/rules-view";
import { RULES, noAccess } from "@/components/settings/rules/words";
import {
  mayManageRules,
  requirePerson,
  visibleCompanies,
  visiblePartners,
} from "@/lib/server/pages/current-person";
import { nowMs } from "@/lib/server/pages/first-view";

export const metadata: Metadata = { title: RULES };

export default async function RulesPage() {
  const person = await requirePerson();
  const may = mayManageRules(person);
  return (
    <SettingsFrame
      person={person}
      here="/settings/rules"
      nowMs={nowMs()}
      refused={may ? null : noAccess}
    >
      {may ? (
        <RulesView companies={visibleCompanies(person)} partners={visiblePartners(person)} />
      ) : null}
    </SettingsFrame>
  );
}
