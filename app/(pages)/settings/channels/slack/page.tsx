import type { Metadata } from "next";
import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { noAccess } from "@/components/settings/channels/words";
import { SlackView } from "@/components/settings/slack/slack-view";
import { TITLE } from "@/components/settings/slack/words";
import {
  mayManageChannels,
  requirePerson,
  visibleCompanies,
  visiblePartners,
} from "@/lib/server/pages/current-person";
import { nowMs } from "@/lib/server/pages/first-view";
import { shownOrigin } from "@/lib/server/pages/shown-origin";

export const metadata: Metadata = { title: TITLE };

export default async function SlackPage() {
  const person = await requirePerson();
  const may = mayManageChannels(person);
  const { host } = new URL(await shownOrigin());
  return (
    <SettingsFrame
      person={person}
      here="/settings/channels"
      nowMs={nowMs()}
      refused={may ? null : noAccess}
    >
      {may ? (
        <SlackView
          host={host}
          companies={visibleCompanies(person)}
          partners={visiblePartners(person)}
        />
      ) : null}
    </SettingsFrame>
  );
}
