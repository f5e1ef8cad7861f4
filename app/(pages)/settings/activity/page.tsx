import type { Metadata } from "next";
import { Header } from "@/app/(pages)/header";
import { HouseActivityView } from "@/components/activity/activity-view";
import { ACTIVITY, noAccess } from "@/components/activity/words";
import { Empty } from "@/components/ui/empty";
import { ClockProvider } from "@/lib/client/use-now";
import { requirePerson } from "@/lib/server/pages/current-person";
import { mayManagePeople, nowMs } from "@/lib/server/pages/first-people";

export const metadata: Metadata = { title: ACTIVITY };

export default async function HouseActivityPage() {
  const person = await requirePerson();
  return (
    <ClockProvider nowMs={nowMs()}>
      <Header person={person} company={null} />
      <main id="main" tabIndex={-1} className="page">
        {mayManagePeople(person) ? (
          <HouseActivityView />
        ) : (
          <Empty title={noAccess.title} heading="h1">
            {noAccess.sentence}
          </Empty>
        )}
      </main>
    </ClockProvider>
  );
}
