import type { ReactNode } from "react";
import { DeadChannels } from "@/components/settings/channels/dead-channels";
import { Bell } from "@/components/inbox/bell";
import { SearchButton } from "@/components/search/search-button";
import { DemoLine } from "@/components/shell/demo/demo-line";
import { SessionBanner } from "@/components/session/session-banner";
import { TopBar } from "@/components/shell/top-bar";
import { currentDemo } from "@/lib/server/pages/current-demo";
import {
  menuPerson,
  visibleCompanies,
  type requirePerson,
} from "@/lib/server/pages/current-person";
import { firstDeadChannels } from "@/lib/server/pages/first-channels";

/**
 * Top of every page for people.
 * @param company the page's company; null for none
 * @param live how far the page's data can be trusted, where the page doesn't say so below
 */
export async function Header({
  person,
  company,
  live = null,
}: {
  person: Awaited<ReturnType<typeof requirePerson>>;
  company: { slug: string; name: string; hasLeft: boolean } | null;
  live?: ReactNode;
}) {
  const visible = visibleCompanies(person);
  // A company that has left is in no list, but its own pages still need its name and navigation.
  const companies = company?.hasLeft === true ? [...visible, company] : visible;
  const here = company?.slug ?? null;
  const shown = menuPerson(person);
  const demo = currentDemo(person);
  const dead = await firstDeadChannels(person);
  const may = (page: string) => shown.settings.some(({ href }) => href === `/settings/${page}`);
  return (
    <TopBar
      companies={companies}
      company={here}
      person={shown}
      search={<SearchButton companies={companies} here={here} settings={shown.settings} />}
      live={live}
      bell={<Bell company={here} hasInbox={may("alerts")} />}
      banners={
        <>
          <SessionBanner />
          {demo === null ? null : <DemoLine {...demo} />}
          {dead === null ? null : <DeadChannels first={dead} />}
        </>
      }
    />
  );
}
