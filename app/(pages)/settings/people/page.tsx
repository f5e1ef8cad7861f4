import type { Metadata } from "next";
import { Header } from "@/app/(pages)/header";
import { PeopleView } from "@/components/people/people-view";
import { PEOPLE, noAccess } from "@/components/people/words";
import { Empty } from "@/components/ui/empty";
import { ClockProvider } from "@/lib/client/use-now";
import { requirePerson, visibleCompanies } from "@/lib/server/pages/current-person";
import { mayManagePeople, nowMs } from "@/lib/server/pages/first-people";

export const metadata: Metadata = { title: PEOPLE };

export default async function PeoplePage() {
  const person = await requirePerson();
  return (
    <ClockProvider nowMs={nowMs()}>
      <Header person={person} company={null} />
      <main id="main" tabIndex={-1} className="page">
        {mayManagePeople(person) ? (
          <PeopleView companies={visibleCompanies(person)} />
        ) : (
          <Empty title={noAccess.title} heading="h1">
            {noAccess.sentence}
          </Empty>
        )}
      </main>
    </ClockProvider>
  );
}
