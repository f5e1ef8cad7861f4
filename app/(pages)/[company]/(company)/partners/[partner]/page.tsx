import type { Metadata } from "next";
import { notFound, redirect } from "next/navigation";
import { findPartner } from "@/components/drill-down/find-partner";
import { PartnerView } from "@/components/partner/partner-view";
import { atAllCustomers } from "@/components/partner/words";
import { pathSegments, withQuery } from "@/lib/server/pages/page-address";
import { mayHandleIncidents } from "@/lib/server/pages/first-incidents";
import { firstView } from "@/lib/server/pages/first-view";
import { removedPartner } from "@/lib/server/pages/removed";
import {
  mayShareLinks,
  requireCompany,
  customersWith,
  visibleCompanies,
} from "@/lib/server/pages/current-person";
import { firstNotes } from "./first-notes";

async function read() {
  const [slug = "", , partner = ""] = await pathSegments();
  const access = await requireCompany(slug);
  const { company, person } = access;
  const { view } = firstView(company.slug);
  const found = findPartner(view, company.slug, partner);
  if (found?.kind === "moved") return redirect(await withQuery(found.path));
  const mayShare = mayShareLinks(person, company);
  const mayPlan = mayHandleIncidents(person, company);
  if (found !== null) return { ...found, removed: [], access, mayShare, mayPlan };
  const { name, feeds } = (await removedPartner(view, company.slug, partner)) ?? notFound();
  return { name, rows: [], removed: feeds, access, mayShare, mayPlan };
}

export async function generateMetadata(): Promise<Metadata> {
  return { title: (await read()).name };
}

export default async function PartnerPage() {
  const { name, rows, removed, access, mayShare, mayPlan } = await read();
  const notes = await firstNotes(access, name);
  const { person } = access;
  const seesOthers = visibleCompanies(person).length > 1;
  return (
    <main id="main" tabIndex={-1} className="page">
      <PartnerView
        key={name}
        name={name}
        firstRows={rows}
        removed={removed}
        notes={notes}
        mayShare={mayShare}
        mayPlan={mayPlan}
        everywhere={seesOthers ? atAllCustomers(name, customersWith(person, name)) : null}
      />
    </main>
  );
}
