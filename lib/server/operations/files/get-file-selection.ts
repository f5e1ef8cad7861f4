import type { FileSelection } from "@/lib/contracts/schedule-files";
import { selectFiles } from "@/lib/server/store/files/find-schedule-files";
import { filtersOf } from "./file-filters";
import { fileRow, openFileIndex } from "./file-index-view";
import type { FilesRuntime } from "./live-files";
import { projectsOf } from "./projects-of-files";

/**
 * "All that match", pinned: `GET .../schedule-files/selection?<filters>`. More files than one
 * deletion accepts are only counted.
 * @throws Failure `invalid_request`
 */
export async function getFileSelection(
  runtime: FilesRuntime,
  { company, query }: { company: string; query: URLSearchParams },
): Promise<FileSelection> {
  const filters = filtersOf(query);
  const { version } = await openFileIndex(runtime, company);
  const [{ count, files, baselines, digest }, projects] = await Promise.all([
    selectFiles(runtime.database.orm, company, filters),
    projectsOf(runtime, company, version),
  ]);
  const ids = new Set(files.map(({ id }) => id));
  const latest = projects.filter(({ project, latest: { id } }) => project !== null && ids.has(id));
  return {
    count,
    baselines: baselines.map(fileRow),
    latest_of: latest.map(({ name }) => name),
    digest,
  };
}
