import type { Metadata } from "next";
import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { selectionOf } from "@/components/settings/people/people-url";
import { PeopleView } from "@/components/settings/people/people-view";
import { PEOPLE, noAccess } from "@/components/settings/people/words";
import { peoplePath } from "@/lib/client/people-path";
import { requirePerson, visibleCompanies } from "@/lib/server/pages/current-person";
import { firstPeople } from "@/lib/server/pages/first-view";

export const metadata: Metadata = { title: PEOPLE };

export default async function PeoplePage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const person = await requirePerson();
  const path = peoplePath(selectionOf(await searchParams));
  const { mayManage, isMailing, view, nowMs } = await firstPeople(person, path);
  return (
    <SettingsFrame
      person={person}
      here="/settings/people"
      nowMs={nowMs}
      refused={mayManage ? null : noAccess}
    >
      <PeopleView
        first={view === null ? null : { path, view }}
        companies={visibleCompanies(person)}
        isMailing={isMailing}
      />
    </SettingsFrame>
  );
}
