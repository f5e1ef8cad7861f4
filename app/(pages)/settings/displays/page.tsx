import type { Metadata } from "next";
import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { DisplaysView } from "@/components/settings/displays/displays-view";
import { shownOrigin } from "@/lib/server/pages/shown-origin";
import { firstDisplays } from "@/lib/server/pages/first-view";
import { requirePerson, visibleCompanies } from "@/lib/server/pages/current-person";
import { DISPLAYS, noAccess } from "@/components/settings/displays/words";

export const metadata: Metadata = { title: DISPLAYS };

export default async function DisplaysPage() {
  const person = await requirePerson();
  const companies = visibleCompanies(person);
  const { view, nowMs } = await firstDisplays(person);
  const refused = view === null ? noAccess : null;
  return (
    <SettingsFrame person={person} here="/settings/displays" nowMs={nowMs} refused={refused}>
      {view === null ? null : (
        <DisplaysView
          first={view}
          firstMs={nowMs}
          companies={companies}
          origin={await shownOrigin()}
        />
      )}
    </SettingsFrame>
  );
}
