import type { FileSelection } from "@/lib/contracts/schedule-files";
import { selectFiles } from "@/lib/server/store/files/find-schedule-files";
import { filtersOf } from "./file-filters";
import { fileRow } from "./file-index-view";
import type { FilesRuntime } from "./live-files";

/**
 * "All that match", pinned: `GET .../schedule-files/selection?<filters>`. More files than one
 * deletion accepts are only counted.
 * @throws Failure `invalid_request`
 */
export async function getFileSelection(
  { database }: Pick<FilesRuntime, "database">,
  { company, query }: { company: string; query: URLSearchParams },
): Promise<FileSelection> {
  const { count, baselines, digest } = await selectFiles(database.orm, company, filtersOf(query));
  return { count, baselines: baselines.map(fileRow), digest };
}
