import type { ReactNode } from "react";
import { Header } from "@/app/(pages)/header";
import { PausedBanner } from "@/components/shell/paused/paused-banner";
import { SettingsNav } from "@/components/shell/settings-nav";
import { Empty } from "@/components/ui/empty";
import { ClockProvider } from "@/lib/client/use-now";
import {
  mayManageConnections,
  menuPerson,
  type requirePerson,
} from "@/lib/server/pages/current-person";
import { currentPauses } from "@/lib/server/pages/current-pauses";

/**
 * Frame of every settings page.
 * @param here its path
 * @param nowMs our clock, epoch milliseconds
 * @param refused shown to people who may not see it; null: they may
 */
export async function SettingsFrame({
  person,
  here,
  nowMs,
  refused = null,
  children,
}: {
  person: Awaited<ReturnType<typeof requirePerson>>;
  here: string;
  nowMs: number;
  refused?: { title: string; sentence: string; action?: ReactNode } | null;
  children: ReactNode;
}) {
  const paused = await currentPauses();
  return (
    <ClockProvider nowMs={nowMs}>
      <Header person={person} company={null} />
      <SettingsNav pages={menuPerson(person).settings} here={here} />
      <main id="main" tabIndex={-1} className="page is-settings">
        <PausedBanner paused={paused} mayResume={mayManageConnections(person)} />
        {refused === null ? (
          children
        ) : (
          <Empty title={refused.title} heading="h1" action={refused.action}>
            {refused.sentence}
          </Empty>
        )}
      </main>
    </ClockProvider>
  );
}
