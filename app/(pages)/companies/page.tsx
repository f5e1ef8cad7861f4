import type { Metadata } from "next";
import { redirect } from "next/navigation";
import { Header } from "@/app/(pages)/header";
import { CatchUp } from "@/components/changes/catch-up";
import { loadCompaniesState } from "@/components/companies/companies-url";
import { CompanyList } from "@/components/companies/company-list";
import { ClockProvider } from "@/lib/client/use-now";
import { firstCompanies } from "@/lib/server/pages/first-view";
import { mayManageConnections, requirePerson } from "@/lib/server/pages/current-person";
import { CUSTOMERS } from "@/components/companies/words";

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
      <Header person={person} company={null} />
      <main id="main" tabIndex={-1}>
        <h1 className="sr-only">{CUSTOMERS}</h1>
        <CompanyList first={view} firstMs={nowMs} mayConnect={mayManageConnections(person)}>
          <CatchUp slug={null} />
        </CompanyList>
      </main>
    </ClockProvider>
  );
}
