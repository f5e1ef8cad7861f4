import type { Metadata } from "next";
import { loadApiCallsState } from "@/components/api-calls/api-calls-url";
import { ApiCallsView } from "@/components/api-calls/api-calls-view";
import { usageOf } from "@/components/api-calls/usage";
import { firstView } from "@/lib/server/pages/first-view";
import { requireCompany } from "@/lib/server/pages/current-person";

type Props = {
  params: Promise<{ company: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { company } = await requireCompany((await params).company);
  return { title: `API calls: ${company.name}` };
}

export default async function ApiCallsPage({ params, searchParams }: Props) {
  const { company } = await requireCompany((await params).company);
  const { view } = firstView(company.slug);
  const { partner } = loadApiCallsState(await searchParams);
  return (
    <main id="main" tabIndex={-1}>
      <ApiCallsView first={usageOf(view.rows, partner)} />
    </main>
  );
}
