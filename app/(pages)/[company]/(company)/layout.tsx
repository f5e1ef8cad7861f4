import type { ReactNode } from "react";
import { Deletions } from "@/components/deletions/deletions";
import { ConfidenceBar } from "@/components/shell/confidence-bar";
import { LiveCompanyProvider } from "@/components/shell/live-company";
import { liveHead } from "@/components/shell/live-head";
import { UpstreamBanner } from "@/components/shell/trouble/upstream-banner";
import { firstView } from "@/lib/server/pages/first-view";
import { currentAddress } from "@/lib/server/pages/page-address";
import {
  mayDeleteFiles,
  mayManageConnections,
  requireCompany,
} from "@/lib/server/pages/current-person";

export default async function CompanyLayout({
  params,
  children,
}: {
  params: Promise<{ company: string }>;
  children: ReactNode;
}) {
  const { company: slug } = await params;
  const { person, company } = await requireCompany(slug);
  const { view, nowMs } = firstView(company.slug);
  return (
    <LiveCompanyProvider
      key={company.slug}
      slug={company.slug}
      name={company.name}
      mayConnect={mayManageConnections(person)}
      head={liveHead(view, nowMs, await currentAddress())}
    >
      <ConfidenceBar />
      <UpstreamBanner />
      {children}
      <Deletions canDelete={mayDeleteFiles(person, company)} />
    </LiveCompanyProvider>
  );
}
