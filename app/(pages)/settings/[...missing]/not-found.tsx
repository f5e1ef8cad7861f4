import { SettingsFrame } from "@/app/(pages)/settings/settings-frame";
import { pageNotFound } from "@/components/shell/words";
import { Link } from "@/components/ui/link";
import { requirePerson } from "@/lib/server/pages/current-person";
import { nowMs } from "@/lib/server/pages/first-view";

export default async function SettingsNotFound() {
  const person = await requirePerson();
  const action = (
    <Link href="/settings/me" className="button-link">
      {pageNotFound.account}
    </Link>
  );
  return (
    <SettingsFrame person={person} here="" nowMs={nowMs()} refused={{ ...pageNotFound, action }}>
      {null}
    </SettingsFrame>
  );
}
