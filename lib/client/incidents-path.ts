import { OPEN_LISTS } from "@/lib/contracts/lists/open-lists";
import { withQuery } from "./company-path";

/** More than a team has open at once; further ones are only counted. */
export const MAX_OPEN = Number(OPEN_LISTS.incidents.query.per_page);

/** The list of incidents of a company (its slug), or (null) of all visible companies. */
export function listPath(company: string | null): string {
  return company === null ? "/incidents" : `/companies/${encodeURIComponent(company)}/incidents`;
}

/** The open ones, worst first. */
export function openIncidentsPath(company: string | null): string {
  return withQuery(listPath(company), OPEN_LISTS.incidents.query);
}
