import type { Metadata } from "next";
import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { LinksView } from "@/components/settings/links/links-view";
import { LINKS, noAccess } from "@/components/settings/links/words";
import { mayShareSomewhere, requirePerson } from "@/lib/server/pages/current-person";
import { nowMs } from "@/lib/server/pages/first-view";

export const metadata: Metadata = { title: LINKS };

export default async function LinksPage() {
  const person = await requirePerson();
  const refused = mayShareSomewhere(person) ? null : noAccess;
  return (
    <SettingsFrame person={person} here="/settings/links" nowMs={nowMs()} refused={refused}>
      <LinksView />
    </SettingsFrame>
  );
}
