import type { Metadata } from "next";
import { Header } from "@/app/(pages)/header";
import { PartnerList } from "@/components/partners/partner-list";
import { partnersParams } from "@/components/partners/partners-url";
import { FleetBar } from "@/components/shell/live/fleet-bar";
import { AllCompanies } from "@/components/shell/live/fleet-context";
import { FleetLive } from "@/components/shell/live/fleet-live";
import { PARTNERS } from "@/components/shell/words";
import { readAddress } from "@/lib/client/address/address-params";
import { partnersPath } from "@/lib/client/queries/partners/partners-path";
import { ClockProvider } from "@/lib/client/use-now";
import { requirePerson } from "@/lib/server/pages/current-person";
import { firstPartners } from "@/lib/server/pages/first-partners";
import { firstCompanies } from "@/lib/server/pages/first-view";

export const metadata: Metadata = { title: PARTNERS };

export default async function PartnersPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const person = await requirePerson();
  const path = partnersPath(readAddress(partnersParams, await searchParams));
  const [view, { view: companies, nowMs }] = await Promise.all([
    firstPartners(person, path),
    firstCompanies(person),
  ]);
  return (
    <ClockProvider nowMs={nowMs}>
      <AllCompanies first={companies} firstMs={nowMs}>
        <Header person={person} company={null} live={<FleetLive />} />
        <main id="main" tabIndex={-1} className="pb-8">
          <FleetBar />
          <PartnerList first={{ path, view }} />
        </main>
      </AllCompanies>
    </ClockProvider>
  );
}
