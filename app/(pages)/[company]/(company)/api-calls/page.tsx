import type { Metadata } from "next";
import { listedOf, loadApiCallsState } from "@/components/api-calls/api-calls-url";
import { ApiCallsView } from "@/components/api-calls/api-calls-view";
import { allowancesOf, firstUsage, usageOf } from "@/components/api-calls/usage";
import { firstAllowances } from "@/lib/server/pages/first-allowances";
import { mayHandleIncidents } from "@/lib/server/pages/first-incidents";
import { firstView } from "@/lib/server/pages/first-view";
import { requireCompany } from "@/lib/server/pages/current-person";
import "@/app/styles/calls.css";

type Props = {
  params: Promise<{ company: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { company } = await requireCompany((await params).company);
  return { title: `API calls: ${company.name}` };
}

export default async function ApiCallsPage({ params, searchParams }: Props) {
  const { company, person } = await requireCompany((await params).company);
  const allowances = await firstAllowances(company.slug);
  const { view } = firstView(company.slug);
  const listed = listedOf(loadApiCallsState(await searchParams));
  return (
    <main id="main" tabIndex={-1}>
      <ApiCallsView
        first={firstUsage(usageOf(view.rows, listed, allowancesOf(allowances.view)))}
        firstAllowances={allowances}
        mayChange={mayHandleIncidents(person, company)}
      />
    </main>
  );
}
