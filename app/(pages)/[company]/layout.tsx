import { cookies } from "next/headers";
import type { ReactNode } from "react";
import { Deletions } from "@/components/deletions/deletions";
import { ConfidenceBar } from "@/components/shell/confidence-bar";
import { LiveCompanyProvider } from "@/components/shell/live-company";
import { liveHead } from "@/components/shell/live-head";
import { SearchButton } from "@/components/search/search-button";
import { TopBar } from "@/components/shell/top-bar";
import { UpstreamBanner } from "@/components/shell/upstream-banner";
import { THEME_COOKIE, themeOf } from "@/lib/client/preferences";
import { ClockProvider } from "@/lib/client/use-now";
import { firstView } from "@/lib/server/pages/first-view";
import {
  mayDeleteFiles,
  menuPerson,
  requireCompany,
  visibleCompanies,
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
  const companies = visibleCompanies(person);
  const shown = menuPerson(person);
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <ClockProvider nowMs={nowMs}>
      <LiveCompanyProvider
        key={company.slug}
        slug={company.slug}
        name={company.name}
        head={liveHead(view, nowMs)}
      >
        <TopBar
          companies={companies}
          company={company.slug}
          person={shown}
          theme={theme}
          search={
            <SearchButton
              companies={companies}
              here={company.slug}
              hasDisplays={shown.canManageDisplays}
            />
          }
        />
        <ConfidenceBar />
        <UpstreamBanner />
        {children}
        <Deletions canDelete={mayDeleteFiles(person)} />
      </LiveCompanyProvider>
    </ClockProvider>
  );
}
