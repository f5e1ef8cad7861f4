import type { FileFacets } from "@/lib/contracts/schedule-files";
import { readFileFacets } from "@/lib/server/store/files/find-schedule-files";
import type { FilesRuntime } from "./live-files";

/** Filter values of a company's schedule files: `GET .../schedule-files/facets`. */
export function getFileFacets(
  { database }: Pick<FilesRuntime, "database">,
  { company }: { company: string },
): Promise<FileFacets> {
  return readFileFacets(database.orm, company);
}
