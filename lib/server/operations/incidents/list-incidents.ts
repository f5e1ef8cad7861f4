import type { IncidentsView } from "@/lib/contracts/incidents";
import { confidenceNow } from "@/lib/domain/confidence";
import { TROUBLES } from "@/lib/domain/incidents/incident";
import { hasRight } from "@/lib/domain/rights";
import { canSee, type Person } from "@/lib/server/auth/person";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { pageMeta, placeOf, rowsAt } from "@/lib/server/http/paging";
import { choice, flag, text } from "@/lib/server/http/query";
import { countIncidents, listIncidents as list } from "@/lib/server/store/incidents/read-incidents";
import { incidentView, seeCompany, type IncidentsRuntime, type Seen } from "./incident-view";

const MOST_PER_PAGE = 500;

type Given = { person: Person; query: URLSearchParams };

/**
 * Incidents of a company:
 * `GET /api/companies/[company]/incidents?state&partner&verdict&mine&unacknowledged&page&per_page`.
 * @throws Failure `invalid_request`
 */
export function listIncidents(
  runtime: IncidentsRuntime,
  { company, ...given }: Given & { company: string },
): Promise<IncidentsView> {
  return listOf(runtime, [company], [company], given);
}

/**
 * Incidents of all companies that the person may see: `GET /api/incidents`, with `company` (a slug)
 * to filter. A company without access has none.
 * @throws Failure `invalid_request`
 */
export async function listAllIncidents(
  runtime: IncidentsRuntime,
  given: Given,
): Promise<IncidentsView> {
  const all = visibleTo(runtime, given.person);
  const only = text(given.query, "company");
  return listOf(runtime, all, only === null ? all : all.filter((slug) => slug === only), given);
}

function visibleTo({ connections }: IncidentsRuntime, person: Person): string[] {
  return connections.map(({ company }) => company).filter((company) => canSee(person, company));
}

/** @param all companies that are counted; `companies` are those that are listed */
async function listOf(
  runtime: IncidentsRuntime,
  all: readonly string[],
  companies: readonly string[],
  { person, query }: Given,
): Promise<IncidentsView> {
  const place = placeOf(query, { mostPerPage: MOST_PER_PAGE });
  const nowMs = runtime.clock.nowMs();
  const mine = {
    personId: person.id,
    companies: all.filter((slug) => hasRight(person.grants, "handle-incidents", slug)),
  };
  const filters = {
    state: choice(query, "state", ["open", "ended"] as const),
    partner: text(query, "partner"),
    verdict: choice(query, "verdict", [...TROUBLES, "unknown"] as const),
    isUnacknowledged: flag(query, "unacknowledged"),
    mine: flag(query, "mine") ? mine : null,
  };
  const [{ rows, total }, { counts, unacknowledgedEverywhere }] = await Promise.all([
    list(runtime.database, {
      companies,
      filters,
      nowMs,
      ...rowsAt(place),
    }),
    countIncidents(runtime.database, {
      companies: all,
      everywhere: visibleTo(runtime, person),
      mine,
      nowMs,
    }),
  ]);
  const seen = new Map<string, Seen>();
  const see = (company: string) => {
    const before = seen.get(company) ?? seeCompany(runtime, company);
    seen.set(company, before);
    return before;
  };
  return {
    data: rows.map((row) => incidentView(runtime, row, see(row.company), person.id)),
    meta: pageMeta(place, total),
    counts,
    unacknowledged_everywhere: unacknowledgedEverywhere,
    not_observed: unseenOf(runtime, all),
  };
}

/** Companies that are blind, or don't have a snapshot yet. */
function unseenOf(runtime: IncidentsRuntime, companies: readonly string[]) {
  const nowMs = runtime.clock.nowMs();
  const wanted = new Set(companies);
  return runtime.connections.flatMap(({ company: slug, name }) => {
    if (!wanted.has(slug)) return [];
    const isSeen = confidenceNow(syncStatusView(runtime, slug).source, nowMs) !== "blind";
    return isSeen ? [] : [{ slug, name }];
  });
}
