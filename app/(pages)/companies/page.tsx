import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Header } from "@/app/(pages)/header";
import { CatchUp } from "@/components/changes/catch-up";
import { loadCompaniesState } from "@/components/companies/companies-url";
import { CompaniesProvider } from "@/components/companies/companies-here";
import { CompanyList } from "@/components/companies/company-list";
import { FleetLive } from "@/components/shell/live/fleet-live";
import { ClockProvider } from "@/lib/client/use-now";
import { firstCompanies } from "@/lib/server/pages/first-view";
import { mayManageConnections, requirePerson } from "@/lib/server/pages/current-person";
import { CUSTOMERS } from "@/components/companies/words";
import "@/app/styles/companies.css";

export const metadata: Metadata = { title: CUSTOMERS };

export default async function CompaniesPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const person = await requirePerson();
  const { partner } = loadCompaniesState(await searchParams);
  const { view, nowMs } = await firstCompanies(person, partner);
  const [only, another] = view.companies;
  if (only !== undefined && another === undefined) redirect(`/${only.slug}`);
  return (
    <ClockProvider nowMs={nowMs}>
      <CompaniesProvider first={view} firstMs={nowMs}>
        <Header person={person} company={null} live={<FleetLive />} />
        <main id="main" tabIndex={-1}>
          <CompanyList mayConnect={mayManageConnections(person)}>
            <CatchUp slug={null} />
          </CompanyList>
        </main>
      </CompaniesProvider>
    </ClockProvider>
  );
}
