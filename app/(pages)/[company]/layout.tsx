import type { ReactNode } from "react";
import { Header } from "@/app/(pages)/header";
import { LiveCompanyProvider } from "@/components/shell/live-company";
import { liveHead } from "@/components/shell/live-head";
import { CompanyLive } from "@/components/shell/live/company-live";
import { ConfidenceBar } from "@/components/shell/live/confidence-bar";
import { ClockProvider } from "@/lib/client/use-now";
import { companyOf, mayManageConnections, requirePerson } from "@/lib/server/pages/current-person";
import { firstView, nowMs } from "@/lib/server/pages/first-view";
import { currentAddress } from "@/lib/server/pages/page-address";

/** The frame of a company's pages, also around "not found". */
export default async function CompanyFrame({
  params,
  children,
}: {
  params: Promise<{ company: string }>;
  children: ReactNode;
}) {
  const [{ company: slug }, person] = await Promise.all([params, requirePerson()]);
  const company = companyOf(person, slug);
  if (company === null)
    return (
      <ClockProvider nowMs={nowMs()}>
        <Header person={person} company={null} />
        {children}
      </ClockProvider>
    );
  const { view, nowMs: atMs } = firstView(slug, person);
  return (
    <ClockProvider nowMs={atMs}>
      <LiveCompanyProvider
        key={slug}
        slug={slug}
        name={company.name}
        mayConnect={mayManageConnections(person)}
        head={liveHead(view, atMs, await currentAddress())}
      >
        <Header person={person} company={company} live={<CompanyLive />} />
        <ConfidenceBar />
        {children}
      </LiveCompanyProvider>
    </ClockProvider>
  );
}
