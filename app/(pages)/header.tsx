import { SearchButton } from "@/components/search/search-button";
import { TopBar } from "@/components/shell/top-bar";
import {
  menuPerson,
  visibleCompanies,
  type requirePerson,
} from "@/lib/server/pages/current-person";

/** Top of every page for people. @param company the page's company; null for none */
export function Header({
  person,
  company,
}: {
  person: Awaited<ReturnType<typeof requirePerson>>;
  company: { slug: string; name: string; hasLeft: boolean } | null;
}) {
  const visible = visibleCompanies(person);
  // A company that has left is in no list, but its own pages still need its name and navigation.
  const companies = company?.hasLeft === true ? [...visible, company] : visible;
  const here = company?.slug ?? null;
  const shown = menuPerson(person);
  return (
    <TopBar
      companies={companies}
      company={here}
      person={shown}
      search={<SearchButton companies={companies} here={here} settings={shown.settings} />}
    />
  );
}
