import { withQuery } from "./company-path";

/** More than a team has open at once; further ones are only counted. */
export const MOST_OPEN = 500;

/** The list of incidents of a company (its slug), or (null) of all visible companies. */
export function listPath(company: string | null): string {
  return company === null ? "/incidents" : `/companies/${encodeURIComponent(company)}/incidents`;
}

/** The open ones, worst first. */
export function openIncidentsPath(company: string | null): string {
  return withQuery(listPath(company), { state: "open", per_page: String(MOST_OPEN) });
}
