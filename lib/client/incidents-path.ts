import { withQuery } from "./company-path";

/** More than a team has open at once; what is beyond is counted. */
export const MOST_OPEN = 500;

/** Where incidents are listed: of a company (its slug), or (null) of all that one may see. */
export function listPath(company: string | null): string {
  return company === null ? "/incidents" : `/companies/${encodeURIComponent(company)}/incidents`;
}

/** Those that are open, worst first. */
export function openIncidentsPath(company: string | null): string {
  return withQuery(listPath(company), { state: "open", per_page: String(MOST_OPEN) });
}
