import type { Metadata } from "next";
import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { ChannelsView } from "@/components/settings/channels/channels-view";
import { CHANNELS, noAccess } from "@/components/settings/channels/words";
import { mayManageChannels, requirePerson } from "@/lib/server/pages/current-person";
import { nowMs } from "@/lib/server/pages/first-view";

export const metadata: Metadata = { title: CHANNELS };

export default async function ChannelsPage() {
  const person = await requirePerson();
  const refused = mayManageChannels(person) ? null : noAccess;
  return (
    <SettingsFrame person={person} here="/settings/channels" nowMs={nowMs()} refused={refused}>
      <ChannelsView />
    </SettingsFrame>
  );
}
