import { companyPath } from "@/lib/client/company-path";
import { history } from "@/lib/client/queries/board-history";
import type { ApiCallsView } from "@/lib/contracts/history";
import type { HistoryRange } from "@/lib/domain/history";

/** Like the rest of the history, once a minute. */
const EVERY_MS = 60_000;

/** Selection of the API calls chart; without a partner, one line per partner. */
export type ApiCallsSelection = {
  range: Exclude<HistoryRange, "1h">;
  partner?: string | undefined;
  endpoint?: string | undefined;
};

export const apiCallsQuery = (company: string, { range, partner, endpoint }: ApiCallsSelection) =>
  history<ApiCallsView>(company, "api-calls", { range, partner, endpoint }, "series", EVERY_MS);

/** The address of the CSV download of the same data. */
export function apiCallsCsvPath(company: string, selection: ApiCallsSelection): string {
  const { range, partner, endpoint } = selection;
  return `/api${companyPath(company, "api-calls/csv", { range, partner, endpoint })}`;
}
