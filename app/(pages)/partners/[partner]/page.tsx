import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { cache } from "react";
import { Header } from "@/app/(pages)/header";
import { PartnerHereProvider } from "@/components/partners/partner-here";
import { PartnerEverywhere } from "@/components/partners/partner-view";
import { ViewBar } from "@/components/shell/live/view-bar";
import { ViewLive } from "@/components/shell/live/view-live";
import { partnersEverywherePath } from "@/lib/client/queries/partners/partners-path";
import { ClockProvider } from "@/lib/client/use-now";
import { requirePerson } from "@/lib/server/pages/current-person";
import { firstPartner } from "@/lib/server/pages/first-partners";
import { pathSegments, currentAddress } from "@/lib/server/pages/page-address";

/** Once for the page and its metadata. */
const readPage = cache(async () => {
  const person = await requirePerson();
  const [, segment = ""] = await pathSegments();
  const at = new URLSearchParams((await currentAddress()).split("?")[1]).get("at");
  const read = (await firstPartner(person, segment, at)) ?? notFound();
  return { person, at, ...read };
});

export async function generateMetadata(): Promise<Metadata> {
  const { partner, view } = await readPage();
  return { title: view?.partner_name ?? partner };
}

export default async function PartnerPage() {
  const { person, partner, at, view, nowMs, ...rest } = await readPage();
  const path = partnersEverywherePath(partner, at);
  const first = view === null ? null : { path, at, view, receivedMs: nowMs };
  return (
    <ClockProvider nowMs={nowMs}>
      <PartnerHereProvider key={partner} given={{ partner, first, ...rest }}>
        <Header person={person} company={null} live={<ViewLive />} />
        <ViewBar />
        <main id="main" tabIndex={-1}>
          <PartnerEverywhere />
        </main>
      </PartnerHereProvider>
    </ClockProvider>
  );
}
