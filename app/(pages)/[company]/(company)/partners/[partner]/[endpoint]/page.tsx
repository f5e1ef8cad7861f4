import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { EndpointView } from "@/components/endpoint/endpoint-view";
import { findEndpoint } from "@/components/endpoint/find-endpoint";
import { pathSegments, withQuery } from "@/lib/server/pages/page-address";
import { mayHandleIncidents } from "@/lib/server/pages/first-incidents";
import { firstView } from "@/lib/server/pages/first-view";
import { removedEndpoint } from "@/lib/server/pages/removed";
import { requireCompany } from "@/lib/server/pages/current-person";
import { firstNotes } from "@/app/(pages)/[company]/(company)/partners/[partner]/first-notes";

async function read() {
  const [slug = "", , partner = "", endpoint = ""] = await pathSegments();
  const access = await requireCompany(slug);
  const { company, person } = access;
  const { view } = firstView(company.slug);
  const found =
    findEndpoint(view, company.slug, partner, endpoint) ??
    (await removedEndpoint(view, company.slug, partner, endpoint)) ??
    notFound();
  if (found.kind === "moved") return redirect(await withQuery(found.path));
  const shown = {
    partnerRows: found.partnerRows,
    access,
    mayPlan: mayHandleIncidents(person, company),
  };
  if (found.kind === "removed") return { ...found.removed, removed: found.removed, ...shown };
  const { id, partner_name: partnerName, endpoint_key: endpointKey } = found.row;
  return { id, partnerName, endpointKey, removed: null, ...shown };
}

export async function generateMetadata(): Promise<Metadata> {
  const { endpointKey, partnerName } = await read();
  return { title: `${endpointKey} · ${partnerName}` };
}

export default async function EndpointPage() {
  const { id, partnerName, partnerRows, removed, access, mayPlan } = await read();
  const notes = await firstNotes(access, partnerName);
  return (
    <main id="main" tabIndex={-1} className="page">
      <EndpointView
        key={id}
        id={id}
        partnerName={partnerName}
        partnerRows={partnerRows}
        removed={removed}
        notes={notes}
        mayPlan={mayPlan}
      />
    </main>
  );
}
