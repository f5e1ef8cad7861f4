import { isFailure } from "@/lib/contracts/failure";
import type { ScheduleFilesView, ScheduleFileView } from "@/lib/contracts/schedule-files";
import { getScheduleFile } from "@/lib/server/operations/files/get-schedule-file";
import { listScheduleFiles } from "@/lib/server/operations/files/list-schedule-files";
import { within } from "@/lib/server/waiting";
import { getRuntime } from "@/lib/server/running";

/** A page does not wait longer; the browser asks for itself then. */
const PATIENCE_MS = 300;

/**
 * The first page of a list of files, as the JSON would give it now. The caller has checked the right to it.
 * @param query filters, order and `per_page`, as they stand behind a question mark
 * @returns null when it is not here in time, or not at all
 */
export function firstFiles(company: string, query: string): Promise<ScheduleFilesView | null> {
  const runtime = getRuntime();
  const answer = listScheduleFiles(runtime, { company, query: new URLSearchParams(query) });
  return within(
    runtime.clock,
    PATIENCE_MS,
    answer.catch(() => null),
    () => null,
  );
}

/** One file likewise; `missing` when there is none of that id. */
export function firstFile(
  company: string,
  id: string,
): Promise<ScheduleFileView | "missing" | null> {
  const runtime = getRuntime();
  const answer = getScheduleFile(runtime, { company, id }).catch((error: unknown) =>
    isNotFound(error) ? "missing" : null,
  );
  return within(runtime.clock, PATIENCE_MS, answer, () => null);
}

function isNotFound(error: unknown): boolean {
  return isFailure(error) && error.code === "not_found";
}
