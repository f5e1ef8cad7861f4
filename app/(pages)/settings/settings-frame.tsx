import type { ReactNode } from "react";
import { Header } from "@/app/(pages)/header";
import { SettingsNav } from "@/components/shell/settings-nav";
import { Empty } from "@/components/ui/empty";
import { ClockProvider } from "@/lib/client/use-now";
import { menuPerson, type requirePerson } from "@/lib/server/pages/current-person";

/**
 * What stands around every page of the settings.
 * @param here its path
 * @param nowMs our clock, epoch milliseconds
 * @param refused what whoever may not see it reads instead; null: they may
 */
export function SettingsFrame({
  person,
  here,
  nowMs,
  refused = null,
  children,
}: {
  person: Awaited<ReturnType<typeof requirePerson>>;
  here: string;
  nowMs: number;
  refused?: { title: string; sentence: string } | null;
  children: ReactNode;
}) {
  return (
    <ClockProvider nowMs={nowMs}>
      <Header person={person} company={null} />
      <SettingsNav pages={menuPerson(person).settings} here={here} />
      <main id="main" tabIndex={-1} className="page">
        {refused === null ? (
          children
        ) : (
          <Empty title={refused.title} heading="h1">
            {refused.sentence}
          </Empty>
        )}
      </main>
    </ClockProvider>
  );
}
