import type { Metadata } from "next";
import { endedOf, stateOf } from "@/components/incidents/incidents-url";
import { IncidentsView } from "@/components/incidents/incidents-view";
import { INCIDENTS } from "@/components/incidents/words";
import { endedIncidentsPath } from "@/lib/client/incident-lists";
import { openIncidentsPath } from "@/lib/client/incidents-path";
import { requireCompany } from "@/lib/server/pages/current-person";
import { firstIncidents, mayHandleIncidents } from "@/lib/server/pages/first-incidents";

type Props = {
  params: Promise<{ company: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { company } = await requireCompany((await params).company);
  return { title: `${INCIDENTS}: ${company.name}` };
}

export default async function IncidentsPage({ params, searchParams }: Props) {
  const { person, company } = await requireCompany((await params).company);
  const paths = [
    openIncidentsPath(company.slug),
    endedIncidentsPath(company.slug, endedOf(stateOf(await searchParams))),
  ];
  const first = await firstIncidents(person, company.slug, paths);
  return (
    <main id="main" tabIndex={-1} className="pb-8">
      <IncidentsView
        company={company.slug}
        companies={[]}
        mayHandOver={mayHandleIncidents(person, company)}
        first={first}
      />
    </main>
  );
}
