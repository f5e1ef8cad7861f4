import type { Metadata } from "next";
import { Header } from "@/app/(pages)/header";
import { ConnectionsView } from "@/components/connections/connections-view";
import { CONNECTIONS, noAccess } from "@/components/connections/words";
import { Empty } from "@/components/ui/empty";
import { SettingsNav } from "@/components/shell/settings-nav";
import { ClockProvider } from "@/lib/client/use-now";
import { firstConnections } from "@/lib/server/pages/first-view";
import { menuPerson, requirePerson } from "@/lib/server/pages/current-person";

export const metadata: Metadata = { title: CONNECTIONS };

export default async function ConnectionsPage() {
  const person = await requirePerson();
  const { view, nowMs } = await firstConnections(person);
  return (
    <ClockProvider nowMs={nowMs}>
      <Header person={person} company={null} />
      <SettingsNav pages={menuPerson(person).settings} here="/settings/connections" />
      <main id="main" tabIndex={-1} className="page">
        {view === null ? (
          <Empty title={noAccess.title} heading="h1">
            {noAccess.sentence}
          </Empty>
        ) : (
          <ConnectionsView first={view} firstMs={nowMs} />
        )}
      </main>
    </ClockProvider>
  );
}
