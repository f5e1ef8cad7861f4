import type { Metadata } from "next";
import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { TokensView } from "@/components/settings/tokens/tokens-view";
import { TOKENS } from "@/components/settings/tokens/words";
import { mayHaveAlerts, requirePerson, visibleCompanies } from "@/lib/server/pages/current-person";
import { firstTokens } from "@/lib/server/pages/first-view";

export const metadata: Metadata = { title: TOKENS };

export default async function TokensPage() {
  const person = await requirePerson();
  const { managesAll, view, nowMs } = await firstTokens(person);
  return (
    <SettingsFrame person={person} here="/settings/tokens" nowMs={nowMs}>
      <TokensView
        first={view}
        companies={visibleCompanies(person)}
        mayAct={mayHaveAlerts(person)}
        managesAll={managesAll}
      />
    </SettingsFrame>
  );
}
