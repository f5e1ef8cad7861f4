import type { Metadata } from "next";
import { cookies } from "next/headers";
import { Header } from "@/app/(pages)/header";
import { MeView } from "@/components/me/me-view";
import { TITLE } from "@/components/me/words";
import { SettingsNav } from "@/components/shell/settings-nav";
import { START_COOKIE, THEME_COOKIE, startOf, themeOf } from "@/lib/client/preferences";
import { ClockProvider } from "@/lib/client/use-now";
import { firstMe } from "@/lib/server/pages/first-view";
import { menuPerson, requirePerson, visibleCompanies } from "@/lib/server/pages/current-person";

export const metadata: Metadata = { title: TITLE };

export default async function MePage() {
  const person = await requirePerson();
  const { view, nowMs } = await firstMe();
  const jar = await cookies();
  return (
    <ClockProvider nowMs={nowMs}>
      <Header person={person} company={null} />
      <SettingsNav pages={menuPerson(person).settings} here="/settings/me" />
      <main id="main" tabIndex={-1} className="page">
        <MeView
          first={view}
          companies={visibleCompanies(person)}
          theme={themeOf(jar.get(THEME_COOKIE)?.value)}
          start={startOf(jar.get(START_COOKIE)?.value)}
        />
      </main>
    </ClockProvider>
  );
}
