import { isFailure } from "@/lib/contracts/failure";
import type { ScheduleFilesView, ScheduleFileView } from "@/lib/contracts/schedule-files";
import type { ScheduleProjectsView } from "@/lib/contracts/schedule-projects";
import { listScheduleProjects } from "@/lib/server/operations/files/list-schedule-projects";
import { getScheduleFile } from "@/lib/server/operations/files/get-schedule-file";
import { listScheduleFiles } from "@/lib/server/operations/files/list-schedule-files";
import { within } from "@/lib/server/waiting";
import { getRuntime } from "@/lib/server/running";

/** Maximum wait of a page; after that the browser loads it. */
const PATIENCE_MS = 300;

/**
 * The first page of a file list, as the API would return it now. The caller has checked the
 * permission.
 * @param query filters, order and `per_page`, as a query string
 * @returns null when it isn't available in time
 */
export function firstFiles(company: string, query: string): Promise<ScheduleFilesView | null> {
  const runtime = getRuntime();
  return inTime(listScheduleFiles(runtime, { company, query: new URLSearchParams(query) }));
}

/** The projects, likewise. */
export function firstProjects(
  company: string,
  query: string,
): Promise<ScheduleProjectsView | null> {
  const runtime = getRuntime();
  return inTime(listScheduleProjects(runtime, { company, query: new URLSearchParams(query) }));
}

/** One file, likewise; `missing` for an unknown id. */
export function firstFile(
  company: string,
  id: string,
): Promise<ScheduleFileView | "missing" | null> {
  const runtime = getRuntime();
  return inTime(
    getScheduleFile(runtime, { company, id }).catch((error: unknown) => {
      if (isNotFound(error)) return "missing" as const;
      throw error;
    }),
  );
}

function inTime<T>(answer: Promise<T>): Promise<T | null> {
  return within(
    getRuntime().clock,
    PATIENCE_MS,
    answer.catch(() => null),
    () => null,
  );
}

function isNotFound(error: unknown): boolean {
  return isFailure(error) && error.code === "not_found";
}
