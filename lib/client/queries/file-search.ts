import { queryOptions } from "@tanstack/react-query";
import { get } from "@/lib/client/api";
import { companyPath } from "@/lib/client/company-path";
import type { ScheduleFilesView } from "@/lib/contracts/schedule-files";
import { scheduleFilesKey } from "./schedule-files";
import { isRecord } from "@/lib/client/snapshot";

/** Number of files in the global search. */
const SHOWN = 6;
const KEPT_MS = 60_000;

/** The newest files that match the search text. */
export const fileSearchQuery = (company: string, text: string) =>
  queryOptions({
    queryKey: [...scheduleFilesKey(company), "search", text],
    queryFn: async ({ signal }) =>
      (
        await get(
          companyPath(company, "schedule-files", { q: text, per_page: String(SHOWN) }),
          isFilesView,
          signal,
        )
      ).value,
    staleTime: KEPT_MS,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });

function isFilesView(body: unknown): body is ScheduleFilesView {
  return isRecord(body) && Array.isArray(body["data"]) && isRecord(body["meta"]);
}
