import type { Metadata } from "next";
import { boardTitle } from "@/components/grid/board-title";
import { loadBoardState } from "@/components/grid/board-url";
import { BoardView } from "@/components/grid/board-view";
import { firstScreen } from "@/components/grid/first-screen";
import { firstView } from "@/lib/server/auth/first-view";
import { requireCompany } from "@/lib/server/auth/session";

type Props = {
  params: Promise<{ company: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

async function read({ params, searchParams }: Props) {
  const { company } = await requireCompany((await params).company);
  const { view, nowMs } = firstView(company.slug);
  const state = await loadBoardState(searchParams);
  return { name: company.name, first: firstScreen(view, state, nowMs) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { name, first } = await read(props);
  return { title: { absolute: boardTitle(name, first, null) } };
}

export default async function OverviewPage(props: Props) {
  const { name, first } = await read(props);
  return (
    <main>
      <h1 className="sr-only">{name}</h1>
      <BoardView first={first} />
    </main>
  );
}
