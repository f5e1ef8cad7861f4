import { isFailure } from "@/lib/contracts/failure";
import type { IncidentsView, IncidentView } from "@/lib/contracts/incidents";
import { hasRight, hasRightSomewhere } from "@/lib/domain/rights";
import type { Person } from "@/lib/server/auth/person";
import { getIncident } from "@/lib/server/operations/incidents/get-incident";
import { listAllIncidents, listIncidents } from "@/lib/server/operations/incidents/list-incidents";
import { getRuntime } from "@/lib/server/running";

/**
 * Lists of incidents, as the API would return them now. The caller has checked the permission for
 * the company.
 * @param company null: all that the person may see
 * @param paths API addresses; only their query strings count
 * @returns `view`: null while the database is unavailable, and for a query that the API would
 *   refuse
 */
export async function firstIncidents(
  person: Person,
  company: string | null,
  paths: readonly string[],
): Promise<{ path: string; view: IncidentsView | null }[]> {
  const runtime = getRuntime();
  const read = async (path: string) => {
    const query = new URLSearchParams(path.split("?")[1]);
    return company === null
      ? listAllIncidents(runtime, { person, query })
      : listIncidents(runtime, { company, person, query });
  };
  return Promise.all(
    paths.map(async (path) => ({ path, view: await read(path).catch(() => null) })),
  );
}

/** One incident; null while the database is unavailable, "missing" when there is none. */
export async function firstIncident(
  person: Person,
  company: string,
  id: string,
): Promise<IncidentView | "missing" | null> {
  try {
    return await getIncident(getRuntime(), { company, person, id });
  } catch (error) {
    return isFailure(error) && error.code === "not_found" ? "missing" : null;
  }
}

/** Whether this person could own incidents of any company. */
export function mayOwnIncidents({ grants }: Person): boolean {
  return hasRightSomewhere(grants, "handle-incidents");
}

/** Whether a person may acknowledge, own and note incidents of a company that they see. */
export function mayHandleIncidents(
  { grants }: Person,
  { slug, hasLeft }: { slug: string; hasLeft: boolean },
): boolean {
  return hasRight(grants, "handle-incidents", slug) && !hasLeft;
}
