import { cookies } from "next/headers";
import { SearchButton } from "@/components/search/search-button";
import { TopBar } from "@/components/shell/top-bar";
import { THEME_COOKIE, themeOf } from "@/lib/client/preferences";
import {
  menuPerson,
  visibleCompanies,
  type requirePerson,
} from "@/lib/server/pages/current-person";

/** The top of every page of a person's. @param company slug of the one that the page is about; null for none */
export async function Header({
  person,
  company,
}: {
  person: Awaited<ReturnType<typeof requirePerson>>;
  company: string | null;
}) {
  const companies = visibleCompanies(person);
  const shown = menuPerson(person);
  return (
    <TopBar
      companies={companies}
      company={company}
      person={shown}
      theme={themeOf((await cookies()).get(THEME_COOKIE)?.value)}
      search={
        <SearchButton companies={companies} here={company} hasDisplays={shown.canManageDisplays} />
      }
    />
  );
}
