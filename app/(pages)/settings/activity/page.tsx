import type { Metadata } from "next";
import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { InstallationActivityView } from "@/components/activity/activity-view";
import { ACTIVITY, noAccess } from "@/components/activity/words";
import { requirePerson } from "@/lib/server/pages/current-person";
import { mayManagePeople, nowMs } from "@/lib/server/pages/first-view";

export const metadata: Metadata = { title: ACTIVITY };

export default async function InstallationActivityPage() {
  const person = await requirePerson();
  const refused = mayManagePeople(person) ? null : noAccess;
  return (
    <SettingsFrame person={person} here="/settings/activity" nowMs={nowMs()} refused={refused}>
      <InstallationActivityView />
    </SettingsFrame>
  );
}
