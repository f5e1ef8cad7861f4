import type { Metadata } from "next";
import { PromisesView } from "@/components/promises/promises-view";
import { PROMISES } from "@/components/promises/words";
import { requireCompany } from "@/lib/server/pages/current-person";
import { mayHandleIncidents } from "@/lib/server/pages/first-incidents";

type Props = { params: Promise<{ company: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { company } = await requireCompany((await params).company);
  return { title: `${PROMISES}: ${company.name}` };
}

export default async function PromisesPage({ params }: Props) {
  const { company, person } = await requireCompany((await params).company);
  return (
    <main id="main" tabIndex={-1}>
      <PromisesView mayChange={mayHandleIncidents(person, company)} />
    </main>
  );
}
