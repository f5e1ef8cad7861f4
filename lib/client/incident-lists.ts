import { withQuery } from "./company-path";
import { MOST_OPEN, listPath } from "./incidents-path";

// Where incidents are asked for otherwise than beside endpoints: in a file of its own, which the overview doesn't load.

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
