import { withQuery } from "./company-path";
import { MAX_OPEN, listPath } from "./incidents-path";

// Addresses of incident lists other than those beside endpoints. In a separate file, which the overview doesn't load.

/** The smallest list that includes the number of unacknowledged incidents. */
export const COUNT_PATH = withQuery(listPath(null), { state: "open", per_page: "1" });

/** Ended incidents, latest first. @param only limits the list to one company; null: all */
export function endedIncidentsPath(
  company: string | null,
  { amount, only, isMine }: { amount: number; only: string | null; isMine: boolean },
): string {
  return withQuery(listPath(company), {
    state: "ended",
    per_page: String(Math.min(MAX_OPEN, amount)),
    company: only ?? undefined,
    mine: isMine ? "true" : undefined,
  });
}

/**
 * The address of the CSV download of a company's incidents.
 * @param state the chosen filter and search of the page
 */
export function incidentsCsvPath(
  company: string,
  { show, q }: { show: string; q: string },
): string {
  const isVerdict = ["failing", "stale", "late", "unknown"].includes(show);
  return `/api${withQuery(`${listPath(company)}/csv`, {
    state: isVerdict || show === "unacknowledged" ? "open" : show === "ended" ? show : undefined,
    verdict: isVerdict ? show : undefined,
    unacknowledged: show === "unacknowledged" ? "1" : undefined,
    mine: show === "mine" ? "1" : undefined,
    q: q === "" ? undefined : q,
  })}`;
}

/** The address of one incident's JSON. */
export function incidentPath(company: string, id: number | string): string {
  return `${listPath(company)}/${id}`;
}
