import { SearchButton } from "@/components/search/search-button";
import { TopBar } from "@/components/shell/top-bar";
import {
  menuPerson,
  visibleCompanies,
  type requirePerson,
} from "@/lib/server/pages/current-person";

/** The top of every page of a person's. @param company the one that the page is about; null for none */
export function Header({
  person,
  company,
}: {
  person: Awaited<ReturnType<typeof requirePerson>>;
  company: { slug: string; name: string; hasLeft: boolean } | null;
}) {
  const visible = visibleCompanies(person);
  // One that has left is in no list; its own pages are still to be told apart, and to be gone through.
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
