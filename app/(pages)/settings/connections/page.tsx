import type { Metadata } from "next";
import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { ConnectionsView } from "@/components/settings/connections/connections-view";
import { CONNECTIONS, noAccess } from "@/components/settings/connections/words";
import { firstConnections } from "@/lib/server/pages/first-view";
import { requirePerson } from "@/lib/server/pages/current-person";

export const metadata: Metadata = { title: CONNECTIONS };

export default async function ConnectionsPage() {
  const person = await requirePerson();
  const { view, nowMs } = await firstConnections(person);
  const refused = view === null ? noAccess : null;
  return (
    <SettingsFrame person={person} here="/settings/connections" nowMs={nowMs} refused={refused}>
      {view === null ? null : <ConnectionsView first={view} firstMs={nowMs} />}
    </SettingsFrame>
  );
}
