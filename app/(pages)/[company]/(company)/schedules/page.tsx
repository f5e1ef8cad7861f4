import type { Metadata } from "next";
import { PausedDeletions } from "@/components/deletions/paused-deletions";
import {
  firstQueryOf,
  loadFilesState,
  loadProjectsState,
  projectsQueryOf,
  viewOf,
} from "@/components/schedules/files-url";
import { SchedulesView } from "@/components/schedules/schedules-view";
import { asksForDocument } from "@/lib/server/pages/page-address";
import { firstFiles, firstProjects } from "@/lib/server/pages/first-files";
import { mayHandleIncidents } from "@/lib/server/pages/first-incidents";
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
  const search = await searchParams;
  const isFiles = viewOf(search) === "files";
  const files = firstQueryOf(loadFilesState(search));
  const projects = projectsQueryOf(loadProjectsState(search));
  // An open page shows its heading at once, and loads the list as usual.
  const isDocument = await asksForDocument();
  const fileList = isDocument && isFiles ? await firstFiles(company.slug, files.firstPage) : null;
  const projectList = isDocument && !isFiles ? await firstProjects(company.slug, projects) : null;
  return (
    <main id="main" tabIndex={-1} className="page">
      {mayDeleteFiles(person, company) ? (
        <PausedDeletions mayResume={mayManageConnections(person)} />
      ) : null}
      <SchedulesView
        firstFiles={fileList === null ? null : { query: files.query, view: fileList }}
        firstProjects={projectList === null ? null : { query: projects, view: projectList }}
        mayDelete={mayDeleteFiles(person, company)}
        mayName={mayHandleIncidents(person, company)}
      />
    </main>
  );
}
