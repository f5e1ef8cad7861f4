import { withQuery } from "./company-path";

/** More than a team has open at once; what is beyond is counted. */
const MOST_OPEN = 500;

/** Where incidents are listed: of a company (its slug), or (null) of all that one may see. */
function listPath(company: string | null): string {
  return company === null ? "/incidents" : `/companies/${encodeURIComponent(company)}/incidents`;
}

/** Those that are open, worst first. */
export function openIncidentsPath(company: string | null): string {
  return withQuery(listPath(company), { state: "open", per_page: String(MOST_OPEN) });
}

/** As little of them as says how many nobody is on. */
export const COUNT_PATH = withQuery(listPath(null), { state: "open", per_page: "1" });

/** Those that ended, the last first. @param only of one company among all; null: of each */
export function endedIncidentsPath(
  company: string | null,
  { amount, only, isMine }: { amount: number; only: string | null; isMine: boolean },
): string {
  return withQuery(listPath(company), {
    state: "ended",
    per_page: String(Math.min(MOST_OPEN, amount)),
    company: only ?? undefined,
    mine: isMine ? "true" : undefined,
  });
}

/** One incident, as its JSON is asked for. */
export function incidentPath(company: string, id: number | string): string {
  return `${listPath(company)}/${id}`;
}
