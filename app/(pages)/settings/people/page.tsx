import type { Metadata } from "next";
import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { PeopleView } from "@/components/people/people-view";
import { PEOPLE, noAccess } from "@/components/people/words";
import { requirePerson, visibleCompanies } from "@/lib/server/pages/current-person";
import { mayManagePeople, nowMs } from "@/lib/server/pages/first-people";

export const metadata: Metadata = { title: PEOPLE };

export default async function PeoplePage() {
  const person = await requirePerson();
  const refused = mayManagePeople(person) ? null : noAccess;
  return (
    <SettingsFrame person={person} here="/settings/people" nowMs={nowMs()} refused={refused}>
      <PeopleView companies={visibleCompanies(person)} />
    </SettingsFrame>
  );
}
