import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { CompanyList } from "@/components/companies/company-list";
import { SearchButton } from "@/components/search/search-button";
import { TopBar } from "@/components/shell/top-bar";
import { THEME_COOKIE, themeOf } from "@/lib/client/preferences";
import { ClockProvider } from "@/lib/client/use-now";
import { firstCompanies } from "@/lib/server/pages/first-view";
import { menuPerson, requirePerson } from "@/lib/server/pages/current-person";

export default async function CompaniesPage() {
  const person = await requirePerson();
  const { view, nowMs } = firstCompanies(person);
  const [only, another] = view.companies;
  if (only !== undefined && another === undefined) redirect(`/${only.slug}`);
  const companies = view.companies.map(({ slug, name }) => ({ slug, name }));
  const shown = menuPerson(person);
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <ClockProvider nowMs={nowMs}>
      <TopBar
        companies={companies}
        company={null}
        person={shown}
        theme={theme}
        search={
          <SearchButton companies={companies} here={null} hasDisplays={shown.canManageDisplays} />
        }
      />
      <main id="main" tabIndex={-1}>
        <h1 className="sr-only">All companies</h1>
        <CompanyList first={view} firstMs={nowMs} />
      </main>
    </ClockProvider>
  );
}
