import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { findPartner } from "@/components/drill-down/find-partner";
import { PartnerView } from "@/components/partner/partner-view";
import { pathSegments, withQuery } from "@/lib/server/pages/page-address";
import { firstView } from "@/lib/server/pages/first-view";
import { requireCompany } from "@/lib/server/pages/current-person";

async function read() {
  const [slug = "", , partner = ""] = await pathSegments();
  const { company } = await requireCompany(slug);
  const { view } = firstView(company.slug);
  const found = findPartner(view, company.slug, partner) ?? notFound();
  return found.kind === "moved" ? redirect(await withQuery(found.path)) : found;
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await read()).name };
}

export default async function PartnerPage() {
  const { name, rows } = await read();
  return (
    <main id="main" tabIndex={-1} className="page">
      <PartnerView key={name} name={name} firstRows={rows} />
    </main>
  );
}
