import type { Metadata } from "next";
import { PausedDeletions } from "@/components/deletions/paused-deletions";
import { firstQueryOf, loadFilesState } from "@/components/schedules/files-url";
import { FilesView } from "@/components/schedules/files-view";
import { asksForDocument } from "@/lib/server/pages/page-address";
import { firstFiles } from "@/lib/server/pages/first-files";
import {
  mayDeleteFiles,
  mayManageConnections,
  requireCompany,
} from "@/lib/server/pages/current-person";
import "@/app/styles/files.css";

type Props = {
  params: Promise<{ company: string }>;
  searchParams: Promise<Record<string, string | string[] | undefined>>;
};

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { company } = await requireCompany((await params).company);
  return { title: `Schedule files: ${company.name}` };
}

export default async function SchedulesPage({ params, searchParams }: Props) {
  const { person, company } = await requireCompany((await params).company);
  const { query, firstPage } = firstQueryOf(loadFilesState(await searchParams));
  // An open page shows its heading at once, and loads the list as usual.
  const view = (await asksForDocument()) ? await firstFiles(company.slug, firstPage) : null;
  return (
    <main id="main" tabIndex={-1} className="page">
      {mayDeleteFiles(person, company) ? (
        <PausedDeletions mayResume={mayManageConnections(person)} />
      ) : null}
      <FilesView
        first={view === null ? null : { query, view }}
        mayDelete={mayDeleteFiles(person, company)}
      />
    </main>
  );
}
