import type { Metadata } from "next";
import { Header } from "@/app/(pages)/header";
import { endedOf, stateOf } from "@/components/incidents/incidents-url";
import { IncidentsView } from "@/components/incidents/incidents-view";
import { INCIDENTS } from "@/components/incidents/words";
import { FleetBar } from "@/components/shell/live/fleet-bar";
import { AllCompanies } from "@/components/shell/live/fleet-context";
import { FleetLive } from "@/components/shell/live/fleet-live";
import { endedIncidentsPath } from "@/lib/client/incident-lists";
import { openIncidentsPath } from "@/lib/client/incidents-path";
import { ClockProvider } from "@/lib/client/use-now";
import { requirePerson, visibleCompanies } from "@/lib/server/pages/current-person";
import { firstIncidents, mayOwnIncidents } from "@/lib/server/pages/first-incidents";
import { firstCompanies } from "@/lib/server/pages/first-view";

export const metadata: Metadata = { title: INCIDENTS };

export default async function AllIncidentsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const person = await requirePerson();
  const paths = [
    openIncidentsPath(null),
    endedIncidentsPath(null, endedOf(stateOf(await searchParams))),
  ];
  const [first, { view, nowMs }] = await Promise.all([
    firstIncidents(person, null, paths),
    firstCompanies(person),
  ]);
  return (
    <ClockProvider nowMs={nowMs}>
      <AllCompanies first={view} firstMs={nowMs}>
        <Header person={person} company={null} live={<FleetLive />} />
        <main id="main" tabIndex={-1} className="pb-8">
          <FleetBar />
          <IncidentsView
            company={null}
            companies={visibleCompanies(person)}
            mayHandOver={mayOwnIncidents(person)}
            first={first}
          />
        </main>
      </AllCompanies>
    </ClockProvider>
  );
}
