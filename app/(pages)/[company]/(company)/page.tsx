import type { Metadata } from "next";
import { cache } from "react";
import { boardTitle } from "@/components/marks/board-title";
import { loadBoardState } from "@/components/grid/board-url";
import { BoardView } from "@/components/grid/board-view";
import { firstScreen } from "@/components/grid/first-screen";
import { sentIncidents } from "@/components/marks/open-incident";
import { openIncidentsPath } from "@/lib/client/incidents-path";
import { firstIncidents, mayHandleIncidents } from "@/lib/server/pages/first-incidents";
import { firstQuiet } from "@/lib/server/pages/first-quiet";
import { firstView } from "@/lib/server/pages/first-view";
import { requireCompany } from "@/lib/server/pages/current-person";
import "@/app/styles/overview.css";

type Props = {
  params: Promise<{ company: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

async function read({ params, searchParams }: Props) {
  return readOnce((await params).company, JSON.stringify(await searchParams));
}

/**
 * Shared by the title and the page, so that thousands of rows are judged once, at the same moment.
 */
const readOnce = cache(async (slug: string, query: string) => {
  const { person, company } = await requireCompany(slug);
  const [[open], quiet] = await Promise.all([
    firstIncidents(person, company.slug, [openIncidentsPath(company.slug)]),
    firstQuiet(person, company.slug, null),
  ]);
  const incidents = open?.view == null ? null : sentIncidents(open.view.data);
  const { view, nowMs } = firstView(company.slug);
  const state = loadBoardState(JSON.parse(query) as Awaited<Props["searchParams"]>);
  return {
    name: company.name,
    first: firstScreen(view, state, { incidents, quiet }, nowMs),
    incidents,
    quiet,
    mayHandle: mayHandleIncidents(person, company),
  };
});

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { name, first } = await read(props);
  // Past counts are never presented as current.
  const isPast = first.isFrozen || (await props.searchParams)["at"] !== undefined;
  if (isPast) return { title: { absolute: name } };
  return { title: { absolute: boardTitle(name, first, null) } };
}

export default async function OverviewPage(props: Props) {
  const { first, incidents, quiet, mayHandle } = await read(props);
  return (
    <main id="main" tabIndex={-1}>
      <BoardView first={first} incidents={incidents} quiet={quiet} mayHandle={mayHandle} />
    </main>
  );
}
