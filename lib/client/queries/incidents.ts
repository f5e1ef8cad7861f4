import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { openIncidentsPath } from "@/lib/client/incidents-path";
import { isRecord } from "@/lib/client/snapshot";
import type { IncidentsView } from "@/lib/contracts/incidents";
import { getTagged, taggedInterval, viewOf } from "./views/tagged";

export const INCIDENTS_EVERY_MS = 20_000;

/** Key of all views of what is wrong now: to refetch after changes of incidents. */
export const TODAY = { queryKey: ["today"] } as const;

/** Key of all views of partners at several companies: likewise. */
export const PARTNERS = { queryKey: ["partners"] } as const;

/** A list of incidents. The previous list remains while another one loads. @param path see `incidents-path.ts` */
export const incidentsQuery = (path: string) =>
  queryOptions({
    queryKey: ["incidents", path],
    queryFn: ({ signal }) => getTagged(path, isIncidentsView, signal),
    select: viewOf<IncidentsView>,
    placeholderData: keepPreviousData,
    refetchInterval: taggedInterval(INCIDENTS_EVERY_MS),
  });

/** The open incidents of a company, for marks beside its endpoints; its snapshot tells when they change. */
export const openIncidentsQuery = (company: string) => incidentsQuery(openIncidentsPath(company));

/** During an update, an earlier version may still respond without the companies not observed: reject that. */
function isIncidentsView(body: unknown): body is IncidentsView {
  return (
    isRecord(body) &&
    Array.isArray(body["data"]) &&
    isRecord(body["counts"]) &&
    Array.isArray(body["not_observed"])
  );
}
