import type { ReactNode } from "react";
import { Deletions } from "@/components/deletions/deletions";
import { UpstreamBanner } from "@/components/shell/trouble/upstream-banner";
import { mayDeleteFiles, requireCompany } from "@/lib/server/pages/current-person";

export default async function CompanyLayout({
  params,
  children,
}: {
  params: Promise<{ company: string }>;
  children: ReactNode;
}) {
  const { company: slug } = await params;
  const { person, company } = await requireCompany(slug);
  return (
    <>
      <UpstreamBanner />
      {children}
      <Deletions canDelete={mayDeleteFiles(person, company)} />
    </>
  );
}
