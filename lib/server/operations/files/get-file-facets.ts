import type { FileFacets } from "@/lib/contracts/schedule-files";
import { readFileFacets } from "@/lib/server/store/files/find-schedule-files";
import type { FilesRuntime } from "./live-files";

/** What a company's schedule files can be narrowed by: `GET .../schedule-files/facets`. */
export function getFileFacets(
  { database }: Pick<FilesRuntime, "database">,
  { company }: { company: string },
): Promise<FileFacets> {
  return readFileFacets(database.orm, company);
}
