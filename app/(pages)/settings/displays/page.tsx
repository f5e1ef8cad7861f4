import type { Metadata } from "next";
import { Header } from "@/app/(pages)/header";
import { DisplaysView } from "@/components/displays/displays-view";
import { Empty } from "@/components/ui/empty";
import { SettingsNav } from "@/components/shell/settings-nav";
import { ClockProvider } from "@/lib/client/use-now";
import { shownOrigin } from "@/lib/server/pages/shown-origin";
import { firstDisplays } from "@/lib/server/pages/first-view";
import { menuPerson, requirePerson, visibleCompanies } from "@/lib/server/pages/current-person";
import { DISPLAYS, noAccess } from "@/components/displays/words";

export const metadata: Metadata = { title: DISPLAYS };

export default async function DisplaysPage() {
  const person = await requirePerson();
  const companies = visibleCompanies(person);
  const { view, nowMs } = await firstDisplays(person);
  return (
    <ClockProvider nowMs={nowMs}>
      <Header person={person} company={null} />
      <SettingsNav pages={menuPerson(person).settings} here="/settings/displays" />
      <main id="main" tabIndex={-1} className="page">
        {view === null ? (
          <Empty title={noAccess.title} heading="h1">
            {noAccess.sentence}
          </Empty>
        ) : (
          <DisplaysView
            first={view}
            firstMs={nowMs}
            companies={companies}
            origin={await shownOrigin()}
          />
        )}
      </main>
    </ClockProvider>
  );
}
