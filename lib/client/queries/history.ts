import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type {
  ApiCallsView,
  BoardHistory,
  BoardThenView,
  EndpointHistory,
  PartnerHistory,
  RunPage,
  ThenView,
} from "@/lib/contracts/history";
import { get } from "@/lib/client/api";
import { companyPath } from "@/lib/client/company-path";
import type { HistoryRange } from "@/lib/domain/history";
import { encodeSegment } from "@/lib/domain/partner-address";

/** The past grows by a slot now and then; the present comes with the snapshot. */
const BOARD_EVERY_MS = 5 * 60_000;
const PAGE_EVERY_MS = 60_000;

/** How the run table is asked for; what is not given has the server's default. */
export type RunTableQuery = {
  status?: string | undefined;
  sort?: string | undefined;
  order?: "asc" | "desc" | undefined;
  page?: number | undefined;
  perPage?: number | undefined;
};

/** Strips and sparklines of every endpoint, 24 hours. */
export const boardHistoryQuery = (company: string) =>
  resource<BoardHistory>(company, "history", { range: "24h" }, "endpoints", BOARD_EVERY_MS);

/** @param partnerName as the API gives it */
export const partnerHistoryQuery = (company: string, partnerName: string, range: HistoryRange) =>
  resource<PartnerHistory>(
    company,
    `partners/${encodeSegment(partnerName)}`,
    { range },
    "endpoints",
    PAGE_EVERY_MS,
  );

/**
 * What was seen at an instant: the past does not change, so it is asked for once.
 * @param at ISO 8601
 */
export const partnerThenQuery = (
  company: string,
  partnerName: string,
  at: string,
  endpointId?: string,
) =>
  resource<ThenView>(
    company,
    `partners/${encodeSegment(partnerName)}/at`,
    { at, endpoint: endpointId },
    "endpoints",
    null,
  );

/** The same of the whole company. */
export const boardThenQuery = (company: string, at: string) =>
  resource<BoardThenView>(company, "sync-status", { at }, "endpoints", null);

export const endpointHistoryQuery = (company: string, endpointId: string, range: HistoryRange) =>
  resource<EndpointHistory>(
    company,
    `endpoints/${encodeSegment(endpointId)}`,
    { range },
    "runs",
    PAGE_EVERY_MS,
  );

/** While another page or order is on its way, the one before stays. */
export const endpointRunsQuery = (company: string, endpointId: string, table: RunTableQuery) =>
  queryOptions({
    ...resource<RunPage>(
      company,
      `endpoints/${encodeSegment(endpointId)}/runs`,
      {
        status: table.status,
        sort: table.sort,
        order: table.order,
        page: table.page?.toString(),
        per_page: table.perPage?.toString(),
      },
      "data",
      PAGE_EVERY_MS,
    ),
    placeholderData: keepPreviousData,
  });

/** What of the API calls is drawn; without a selection one line per partner. */
export type ApiCallsSelection = {
  range: Exclude<HistoryRange, "1h">;
  partner?: string | undefined;
  endpoint?: string | undefined;
};

export const apiCallsQuery = (company: string, { range, partner, endpoint }: ApiCallsSelection) =>
  resource<ApiCallsView>(
    company,
    "api-calls",
    { range, partner, endpoint },
    "series",
    PAGE_EVERY_MS,
  );

/** The address of the download of the same. */
export function apiCallsCsvPath(company: string, selection: ApiCallsSelection): string {
  const { range, partner, endpoint } = selection;
  return `/api${companyPath(company, "api-calls/csv", { range, partner, endpoint })}`;
}

/**
 * @param member an array that the answer must hold: a light look at its shape
 * @param everyMs how often it is asked for again; null: never
 */
function resource<T>(
  company: string,
  address: string,
  query: Readonly<Record<string, string | undefined>>,
  member: string,
  everyMs: number | null,
) {
  const path = companyPath(company, address, query);
  const isAnswer = (body: unknown): body is T =>
    typeof body === "object" &&
    body !== null &&
    Array.isArray((body as Record<string, unknown>)[member]);
  return queryOptions({
    queryKey: ["companies", company, "history", path],
    queryFn: async ({ signal }): Promise<T> => (await get(path, isAnswer, signal)).value,
    staleTime: everyMs ?? Number.POSITIVE_INFINITY,
    refetchInterval: everyMs ?? false,
    refetchOnWindowFocus: everyMs !== null,
    refetchOnReconnect: everyMs !== null,
  });
}
