import type { Metadata } from "next";
import { cookies } from "next/headers";
import { DisplaysView } from "@/components/displays/displays-view";
import { Empty } from "@/components/ui/empty";
import { SearchButton } from "@/components/search/search-button";
import { TopBar } from "@/components/shell/top-bar";
import { THEME_COOKIE, themeOf } from "@/lib/client/preferences";
import { ClockProvider } from "@/lib/client/use-now";
import { shownOrigin } from "@/lib/server/pages/shown-origin";
import { firstDisplays } from "@/lib/server/pages/first-view";
import { menuPerson, requirePerson, visibleCompanies } from "@/lib/server/pages/current-person";

export const metadata: Metadata = { title: "Displays" };

export default async function DisplaysPage() {
  const person = await requirePerson();
  const companies = visibleCompanies(person);
  const { view, nowMs } = await firstDisplays(person);
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
      <main id="main" tabIndex={-1} className="page">
        {view === null ? (
          <Empty title="No access to displays" heading="h1">
            Administrators pair displays and choose what they show.
          </Empty>
        ) : (
          <DisplaysView
            first={view}
            firstMs={nowMs}
            companies={companies}
            origin={await shownOrigin()}
          />
        )}
      </main>
    </ClockProvider>
  );
}
