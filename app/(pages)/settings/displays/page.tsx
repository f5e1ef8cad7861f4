import type { Metadata } from "next";
import { Header } from "@/app/(pages)/header";
import { DisplaysView } from "@/components/displays/displays-view";
import { Empty } from "@/components/ui/empty";
import { ClockProvider } from "@/lib/client/use-now";
import { shownOrigin } from "@/lib/server/pages/shown-origin";
import { firstDisplays } from "@/lib/server/pages/first-view";
import { requirePerson, visibleCompanies } from "@/lib/server/pages/current-person";

export const metadata: Metadata = { title: "Displays" };

export default async function DisplaysPage() {
  const person = await requirePerson();
  const companies = visibleCompanies(person);
  const { view, nowMs } = await firstDisplays(person);
  return (
    <ClockProvider nowMs={nowMs}>
      <Header person={person} company={null} />
      <main id="main" tabIndex={-1} className="page">
        {view === null ? (
          <Empty title="No access to displays" heading="h1">
            Administrators pair displays and choose what they show.
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
