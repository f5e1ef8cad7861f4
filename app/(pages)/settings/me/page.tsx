import type { Metadata } from "next";
import { cookies } from "next/headers";
import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { MeView } from "@/components/settings/me/me-view";
import { TITLE } from "@/components/settings/me/words";
import { START_COOKIE, startOf } from "@/lib/client/preferences";
import { THEME_COOKIE, themeOf } from "@/lib/client/theme";
import { firstMe } from "@/lib/server/pages/first-view";
import { requirePerson, visibleCompanies } from "@/lib/server/pages/current-person";

export const metadata: Metadata = { title: TITLE };

export default async function MePage() {
  const person = await requirePerson();
  const { view, nowMs } = await firstMe();
  const jar = await cookies();
  return (
    <SettingsFrame person={person} here="/settings/me" nowMs={nowMs}>
      <MeView
        first={view}
        companies={visibleCompanies(person)}
        theme={themeOf(jar.get(THEME_COOKIE)?.value)}
        start={startOf(jar.get(START_COOKIE)?.value)}
      />
    </SettingsFrame>
  );
}
