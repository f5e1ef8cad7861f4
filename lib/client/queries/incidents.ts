import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { useState } from "react";
import { get } from "@/lib/client/api";
import { openIncidentsPath } from "@/lib/client/incidents-path";
import { isRecord } from "@/lib/client/snapshot";
import { useNow, useServerClock } from "@/lib/client/use-now";
import type { IncidentsView } from "@/lib/contracts/incidents";

export const INCIDENTS_EVERY_MS = 20_000;

/** A list of incidents. While another is on its way, the one before stays. @param path see `incidents-path.ts` */
export const incidentsQuery = (path: string) =>
  queryOptions({
    queryKey: ["incidents", path],
    queryFn: async ({ signal }) => (await get(path, isIncidentsView, signal)).value,
    placeholderData: keepPreviousData,
    refetchInterval: INCIDENTS_EVERY_MS,
  });

/** The open incidents of a company, for marks beside its endpoints. */
export const openIncidentsQuery = (company: string) => incidentsQuery(openIncidentsPath(company));

/** So many answers are missed before a list says of when it is. */
const SILENT_MS = 3 * INCIDENTS_EVERY_MS;

/**
 * Of when a list is, once nothing has been heard of it for too long, whether a request failed, hangs or was never made.
 * @param updatedAt the query's `dataUpdatedAt`: it changes with every answer
 * @returns epoch milliseconds on the server's clock; null: it is how things are now
 */
export function useSilentSince(updatedAt: number): number | null {
  const clock = useServerClock();
  const [heard, setHeard] = useState(() => ({ updatedAt, atMs: clock.nowMs() }));
  if (heard.updatedAt !== updatedAt) setHeard({ updatedAt, atMs: clock.nowMs() });
  return useNow((nowMs) => (nowMs - heard.atMs > SILENT_MS ? heard.atMs : null));
}

/** While a newer version takes over, an earlier one may still answer, which doesn't say what nobody sees: no answer. */
function isIncidentsView(body: unknown): body is IncidentsView {
  return (
    isRecord(body) &&
    Array.isArray(body["data"]) &&
    isRecord(body["counts"]) &&
    Array.isArray(body["not_observed"])
  );
}
