import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { IncidentView } from "@/components/incidents/incident-view";
import { incidentWords } from "@/components/incidents/words";
import { mayShareLinks, requireCompany } from "@/lib/server/pages/current-person";
import { firstIncident, mayHandleIncidents } from "@/lib/server/pages/first-incidents";
import { firstView } from "@/lib/server/pages/first-view";

type Props = { params: Promise<{ company: string; id: string }> };

/** Shared by the title and the page. */
const read = cache(async (slug: string, id: string) => {
  const { person, company } = await requireCompany(slug);
  const first = await firstIncident(person, company.slug, id);
  if (first === "missing") notFound();
  return { person, company, first };
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { company: slug, id } = await params;
  const { company, first } = await read(slug, id);
  return { title: incidentWords.title(first?.partner_name ?? id, company.name) };
}

export default async function IncidentPage({ params }: Props) {
  const { company: slug, id } = await params;
  const { person, company, first } = await read(slug, id);
  const rows = firstView(company.slug).view.rows.filter(
    (row) => row.partner_name === first?.partner_name,
  );
  return (
    <main id="main" tabIndex={-1} className="page">
      <IncidentView
        key={id}
        id={Number(id)}
        first={first}
        firstRows={rows}
        personId={person.id}
        mayShare={mayShareLinks(person, company)}
        mayHandle={mayHandleIncidents(person, company)}
      />
    </main>
  );
}
