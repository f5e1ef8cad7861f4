import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import { CompanyList } from "@/components/companies/company-list";
import { TopBar } from "@/components/shell/top-bar";
import { THEME_COOKIE, themeOf } from "@/lib/client/preferences";
import { ClockProvider } from "@/lib/client/use-now";
import { companiesView } from "@/lib/server/auth/first-view";
import { requirePerson } from "@/lib/server/auth/session";

export default async function CompaniesPage() {
  const person = await requirePerson();
  const { companies, nowMs } = companiesView(person);
  const [only, another] = companies;
  if (only !== undefined && another === undefined) redirect(`/${only.slug}`);
  const theme = themeOf((await cookies()).get(THEME_COOKIE)?.value);
  return (
    <ClockProvider nowMs={nowMs}>
      <TopBar
        companies={companies}
        company={null}
        person={{ name: person.name, email: person.email }}
        theme={theme}
      />
      <main>
        <h1 className="sr-only">All companies</h1>
        <CompanyList companies={companies} />
      </main>
    </ClockProvider>
  );
}
