import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { findPartner } from "@/components/partner/find-partner";
import { PartnerView } from "@/components/partner/partner-view";
import { pathSegments } from "@/lib/server/auth/address";
import { firstView } from "@/lib/server/auth/first-view";
import { requireCompany } from "@/lib/server/auth/session";

async function read() {
  const [slug = "", , partner = ""] = await pathSegments();
  const { company } = await requireCompany(slug);
  const { view } = firstView(company.slug);
  return findPartner(view, partner) ?? notFound();
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await read()).name };
}

export default async function PartnerPage() {
  const { name, rows } = await read();
  return (
    <main className="page">
      <PartnerView key={name} name={name} firstRows={rows} />
    </main>
  );
}
