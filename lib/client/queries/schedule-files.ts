import { keepPreviousData, queryOptions, type QueryClient } from "@tanstack/react-query";
import type {
  FileFacets,
  FileSelection,
  ScheduleFilesView,
  ScheduleFileView,
} from "@/lib/contracts/schedule-files";
import type { IntegrationsView } from "@/lib/contracts/files/integrations";
import type { ScheduleProjectsView } from "@/lib/contracts/schedule-projects";
import { get } from "@/lib/client/api";
import { put, remove } from "@/lib/client/change";
import { companyPath } from "@/lib/client/company-path";
import { pageQuery } from "@/lib/client/file-pages";
import { isRecord } from "@/lib/client/snapshot";
import { isNothing } from "./resource";

const FILE_EVERY_MS = 60_000;
const PROJECTS_EVERY_MS = 60_000;
const GROWING_EVERY_MS = 10_000;

/** Root of all keys below: everything that a deletion or an upload may change. */
export const scheduleFilesKey = (company: string) => ["companies", company, "schedule-files"];

/**
 * One page of the list. Only refetched together with the list, not automatically.
 * @param filters the list's filters and order as a query string; may be empty
 * @param page from 1
 */
export const scheduleFilesQuery = (company: string, filters: string, page: number) =>
  resource<ScheduleFilesView>(
    company,
    `schedule-files?${pageQuery(filters, page)}`,
    (body) => Array.isArray(body["data"]) && isRecord(body["meta"]) && isRecord(body["index"]),
  );

/** Filter values of the list. */
export const fileFacetsQuery = (company: string) =>
  resource<FileFacets>(company, "schedule-files/facets", (body) => Array.isArray(body["projects"]));

/** One page of the projects, refetched every minute, more often while the index grows. */
export const scheduleProjectsQuery = (company: string, query: string) =>
  queryOptions({
    ...resource<ScheduleProjectsView>(
      company,
      `schedule-projects?${query}`,
      (body) => Array.isArray(body["data"]) && isRecord(body["counts"]) && isRecord(body["index"]),
    ),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) =>
      state.data?.index.complete === true ? PROJECTS_EVERY_MS : GROWING_EVERY_MS,
  });

/** Integrations with their names. */
export const integrationsQuery = (company: string) =>
  resource<IntegrationsView>(company, "integrations", (body) => Array.isArray(body["data"]));

/** Names an integration, or removes its name, and reloads what shows it. @param name null: removes it @throws ApiError */
export async function nameIntegration(
  client: QueryClient,
  company: string,
  partnerTokenId: number,
  name: string | null,
): Promise<void> {
  const path = companyPath(company, `integrations/${partnerTokenId}`, {});
  try {
    await (name === null ? remove(path, isNothing) : put(path, { name }, isRecord));
  } finally {
    await client.invalidateQueries({ queryKey: scheduleFilesKey(company) });
  }
}

/** One file by its id, refetched every minute. */
export const scheduleFileQuery = (company: string, id: string) =>
  queryOptions({
    ...resource<ScheduleFileView>(company, `schedule-files/${encodeURIComponent(id)}`, (body) =>
      isRecord(body["file"]),
    ),
    refetchInterval: FILE_EVERY_MS,
  });

/** All files that match now, pinned by a digest. Fetched on a button press, never cached. */
export const fileSelectionQuery = (company: string, filters: string) =>
  queryOptions({
    ...resource<FileSelection>(
      company,
      `schedule-files/selection?${filters}`,
      (body) => typeof body["digest"] === "string" && Array.isArray(body["baselines"]),
    ),
    gcTime: 0,
    staleTime: 0,
  });

function resource<T>(
  company: string,
  address: string,
  hasShape: (body: Record<string, unknown>) => boolean,
) {
  const path = companyPath(company, address, {});
  const isAnswer = (body: unknown): body is T => isRecord(body) && hasShape(body);
  return queryOptions({
    queryKey: [...scheduleFilesKey(company), address],
    queryFn: async ({ signal }): Promise<T> => (await get(path, isAnswer, signal)).value,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** The address of the CSV download of a list of files. @param query its filters and order, as for the API */
export function filesCsvPath(company: string, query: string): string {
  return `/api/companies/${encodeURIComponent(company)}/schedule-files/csv${query === "" ? "" : `?${query}`}`;
}
