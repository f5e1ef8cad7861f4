import type { Metadata } from "next";
import { ActivityView } from "@/components/activity/activity-view";
import { requireCompany } from "@/lib/server/pages/current-person";

type Props = { params: Promise<{ company: string }> };

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { company } = await requireCompany((await params).company);
  return { title: `Activity: ${company.name}` };
}

export default async function ActivityPage({ params }: Props) {
  await requireCompany((await params).company);
  return (
    <main id="main" tabIndex={-1} className="page">
      <ActivityView />
    </main>
  );
}
