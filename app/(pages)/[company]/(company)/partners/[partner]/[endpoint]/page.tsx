import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { EndpointView } from "@/components/endpoint/endpoint-view";
import { findEndpoint } from "@/components/endpoint/find-endpoint";
import { pathSegments, withQuery } from "@/lib/server/pages/page-address";
import { mayHandleIncidents } from "@/lib/server/pages/first-incidents";
import { firstView } from "@/lib/server/pages/first-view";
import { requireCompany } from "@/lib/server/pages/current-person";

async function read() {
  const [slug = "", , partner = "", endpoint = ""] = await pathSegments();
  const { company, person } = await requireCompany(slug);
  const { view } = firstView(company.slug);
  const found = findEndpoint(view, company.slug, partner, endpoint) ?? notFound();
  if (found.kind === "moved") return redirect(await withQuery(found.path));
  return { ...found, mayPlan: mayHandleIncidents(person, company) };
}

export async function generateMetadata(): Promise<Metadata> {
  const { row } = await read();
  return { title: `${row.endpoint_key} · ${row.partner_name}` };
}

export default async function EndpointPage() {
  const { row, partnerRows, mayPlan } = await read();
  return (
    <main id="main" tabIndex={-1} className="page">
      <EndpointView
        key={row.id}
        id={row.id}
        partnerName={row.partner_name}
        partnerRows={partnerRows}
        mayPlan={mayPlan}
      />
    </main>
  );
}
