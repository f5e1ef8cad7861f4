import type {
  BoardThenView,
  EndpointHistory,
  PartnerHistory,
  RunPage,
  ThenView,
} from "@/lib/contracts/history";
import type { HistoryRange } from "@/lib/domain/history";
import { encodeSegment } from "@/lib/domain/partner-address";
import { history } from "./board-history";

const PAGE_EVERY_MS = 60_000;

/** Parameters of the run table; the server has defaults for omitted ones. */
export type RunTableQuery = {
  status?: string | undefined;
  sort?: string | undefined;
  order?: "asc" | "desc" | undefined;
  page?: number | undefined;
  perPage?: number | undefined;
};

/** @param partnerName as returned by the API */
export const partnerHistoryQuery = (company: string, partnerName: string, range: HistoryRange) =>
  history<PartnerHistory>(
    company,
    `partners/${encodeSegment(partnerName)}`,
    { range },
    "endpoints",
    PAGE_EVERY_MS,
  );

/**
 * State at a past instant, which doesn't change, so it is fetched once.
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

/** The past state of the whole company. */
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
