import type {
  ApiCallsView,
  BoardThenView,
  EndpointHistory,
  PartnerHistory,
  RunPage,
  ThenView,
} from "@/lib/contracts/history";
import { companyPath } from "@/lib/client/company-path";
import type { HistoryRange } from "@/lib/domain/history";
import { encodeSegment } from "@/lib/domain/partner-address";
import { history } from "./board-history";

const PAGE_EVERY_MS = 60_000;

/** How the run table is asked for; what is not given has the server's default. */
export type RunTableQuery = {
  status?: string | undefined;
  sort?: string | undefined;
  order?: "asc" | "desc" | undefined;
  page?: number | undefined;
  perPage?: number | undefined;
};

/** @param partnerName as the API gives it */
export const partnerHistoryQuery = (company: string, partnerName: string, range: HistoryRange) =>
  history<PartnerHistory>(
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
  history<ThenView>(
    company,
    `partners/${encodeSegment(partnerName)}/at`,
    { at, endpoint: endpointId },
    "endpoints",
    null,
  );

/** The same of the whole company. */
export const boardThenQuery = (company: string, at: string) =>
  history<BoardThenView>(company, "sync-status", { at }, "endpoints", null);

export const endpointHistoryQuery = (company: string, endpointId: string, range: HistoryRange) =>
  history<EndpointHistory>(
    company,
    `endpoints/${encodeSegment(endpointId)}`,
    { range },
    "runs",
    PAGE_EVERY_MS,
  );

export const endpointRunsQuery = (company: string, endpointId: string, table: RunTableQuery) =>
  history<RunPage>(
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
  );

/** What of the API calls is drawn; without a selection one line per partner. */
export type ApiCallsSelection = {
  range: Exclude<HistoryRange, "1h">;
  partner?: string | undefined;
  endpoint?: string | undefined;
};

export const apiCallsQuery = (company: string, { range, partner, endpoint }: ApiCallsSelection) =>
  history<ApiCallsView>(
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
