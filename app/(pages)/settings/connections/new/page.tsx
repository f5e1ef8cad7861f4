import type { Metadata } from "next";
import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { ConnectView } from "@/components/settings/connections/connect-view";
import { TITLE } from "@/components/settings/connections/connect-words";
import { noAccess } from "@/components/settings/connections/words";
import { mayManageConnections, requirePerson } from "@/lib/server/pages/current-person";
import { firstPrintedPassword, nowMs } from "@/lib/server/pages/first-view";
import { shownOrigin } from "@/lib/server/pages/shown-origin";

export const metadata: Metadata = { title: TITLE };

export default async function ConnectPage() {
  const person = await requirePerson();
  const { host } = new URL(await shownOrigin());
  const printed = await firstPrintedPassword();
  const refused = mayManageConnections(person) ? null : noAccess;
  return (
    <SettingsFrame person={person} here="/settings/connections" nowMs={nowMs()} refused={refused}>
      <ConnectView host={host} printed={printed} />
    </SettingsFrame>
  );
}
