import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { EndpointView } from "@/components/endpoint/endpoint-view";
import { findEndpoint } from "@/components/endpoint/find-endpoint";
import { pathSegments, withQuery } from "@/lib/server/pages/page-address";
import { mayHandleIncidents } from "@/lib/server/pages/first-incidents";
import { firstView } from "@/lib/server/pages/first-view";
import { requireCompany } from "@/lib/server/pages/current-person";
import { firstNotes } from "@/app/(pages)/[company]/(company)/partners/[partner]/first-notes";

async function read() {
  const [slug = "", , partner = "", endpoint = ""] = await pathSegments();
  const access = await requireCompany(slug);
  const { company, person } = access;
  const { view } = firstView(company.slug);
  const found = findEndpoint(view, company.slug, partner, endpoint) ?? notFound();
  if (found.kind === "moved") return redirect(await withQuery(found.path));
  return { ...found, access, mayPlan: mayHandleIncidents(person, company) };
}

export async function generateMetadata(): Promise<Metadata> {
  const { row } = await read();
  return { title: `${row.endpoint_key} · ${row.partner_name}` };
}

export default async function EndpointPage() {
  const { row, partnerRows, access, mayPlan } = await read();
  const notes = await firstNotes(access, row.partner_name);
  return (
    <main id="main" tabIndex={-1} className="page">
      <EndpointView
        key={row.id}
        id={row.id}
        partnerName={row.partner_name}
        partnerRows={partnerRows}
        notes={notes}
        mayPlan={mayPlan}
      />
    </main>
  );
}
