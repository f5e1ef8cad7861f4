import type { Incident, IncidentsView } from "@/lib/contracts/incidents";
import { TROUBLES } from "@/lib/domain/incidents/incident";
import { hasRight } from "@/lib/domain/rights";
import { canSee, type Person } from "@/lib/server/auth/person";
import { pageMeta, readPageRequest, offsetAndLimit } from "@/lib/server/http/paging";
import { choice, flag, invalid, text } from "@/lib/server/http/query";
import {
  countIncidents,
  countListed,
  listIncidents as list,
  readIncidentIds,
  readIncidentsById,
} from "@/lib/server/store/incidents/read-incidents";
import { isPastUnreplayed } from "@/lib/server/store/report/incidents";
import { rowBudget } from "@/lib/server/store/most-rows";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import type { MaybePromise } from "@/lib/server/maybe-promise";
import { ONLY_NOW } from "./words";
import { incidentView, seeingCompanies, type IncidentsRuntime } from "./incident-view";
import {
  answerOpenIncidents,
  openIncidents,
  unobservedOf,
  type OpenIncidentsAsked,
  type OpenIncidentsRuntime,
} from "./open-incidents";

const MAX_PER_PAGE = 500;

type Given = { person: Person; query: URLSearchParams };

/**
 * Incidents of a company:
 * `GET /api/companies/[company]/incidents?state&partner&verdict&mine&unacknowledged&page&per_page`.
 * @throws Failure `invalid_request`
 */
export function listIncidents(
  runtime: OpenIncidentsRuntime,
  { company, ...given }: Given & { company: string },
): MaybePromise<IncidentsView> {
  const asked = askedOf(runtime, [company], [company], given);
  return asked.filters.state === "open" ? openIncidents(runtime, asked) : listOf(runtime, asked);
}

/**
 * Incidents of all companies that the person may see: `GET /api/incidents`, with `company` (a slug)
 * to filter. A company without access has none.
 * @throws Failure `invalid_request`
 */
export function listAllIncidents(
  runtime: OpenIncidentsRuntime,
  given: Given,
): MaybePromise<IncidentsView> {
  const asked = askedOfAll(runtime, given);
  return asked.filters.state === "open" ? openIncidents(runtime, asked) : listOf(runtime, asked);
}

type Requested = Given & { ifNoneMatch: string | null };

/** `listIncidents` as a response; open pages request the open ones all the time. @throws Failure as `listIncidents` */
export function answerIncidents(
  runtime: OpenIncidentsRuntime,
  { company, person, query, ifNoneMatch }: Requested & { company: string },
): MaybePromise<PlainResponse | IncidentsView> {
  const asked = askedOf(runtime, [company], [company], { person, query });
  return asked.filters.state === "open"
    ? answerOpenIncidents(runtime, asked, ifNoneMatch)
    : listOf(runtime, asked);
}

/** `listAllIncidents` as a response. @throws Failure as `listAllIncidents` */
export function answerAllIncidents(
  runtime: OpenIncidentsRuntime,
  { person, query, ifNoneMatch }: Requested,
): MaybePromise<PlainResponse | IncidentsView> {
  const asked = askedOfAll(runtime, { person, query });
  return asked.filters.state === "open"
    ? answerOpenIncidents(runtime, asked, ifNoneMatch)
    : listOf(runtime, asked);
}

function visibleTo({ connections }: IncidentsRuntime, person: Person): string[] {
  return connections.map(({ company }) => company).filter((company) => canSee(person, company));
}

function askedOfAll(runtime: IncidentsRuntime, given: Given): OpenIncidentsAsked {
  const all = visibleTo(runtime, given.person);
  const only = text(given.query, "company");
  return askedOf(runtime, all, only === null ? all : all.filter((slug) => slug === only), given);
}

/**
 * @param all companies that are counted; `companies` are those that are listed
 * @throws Failure `invalid_request`
 */
function askedOf(
  runtime: IncidentsRuntime,
  all: readonly string[],
  companies: readonly string[],
  { person, query }: Given,
): OpenIncidentsAsked {
  const mine = {
    personId: person.id,
    companies: all.filter((slug) => hasRight(person.grants, "handle-incidents", slug)),
  };
  // As they were isn't known of a whole list: the present one must not pass for it.
  if (query.has("at")) throw invalid("at", ONLY_NOW);
  const verdict = choice(query, "verdict", [...TROUBLES, "unknown"] as const);
  return {
    all,
    companies,
    everywhere: visibleTo(runtime, person),
    filters: {
      state: choice(query, "state", ["open", "ended"] as const),
      partner: text(query, "partner"),
      verdict,
      unseen: verdict === "unknown" ? unobservedOf(runtime, companies).map(({ slug }) => slug) : [],
      isUnacknowledged: flag(query, "unacknowledged"),
      mine: flag(query, "mine") ? mine : null,
    },
    mine,
    place: readPageRequest(query, { maxPerPage: MAX_PER_PAGE }),
    person,
  };
}

/** Incidents of a part of an export. */
const AT_ONCE = 500;

/**
 * All incidents of a company that pass the filters of their list, in its order; `page` and `per_page` have no effect.
 * @param most incidents
 * @returns parts of them, read one after the other when asked for
 * @throws Failure `invalid_request` before anything is listed, also when there are more than `most`
 */
export async function incidentParts(
  runtime: IncidentsRuntime,
  { company, person, query }: Given & { company: string },
  most: number,
): Promise<AsyncGenerator<Incident[], void, void>> {
  const { filters } = askedOf(runtime, [company], [company], { person, query });
  const { database } = runtime;
  const nowMs = runtime.clock.nowMs();
  rowBudget(most).take(await countListed(database, company, { filters, nowMs }));
  return (async function* parts() {
    const ids = await readIncidentIds(database, company, { filters, nowMs, limit: most });
    for (let from = 0; from < ids.length; from += AT_ONCE) {
      const rows = await readIncidentsById(database, company, ids.slice(from, from + AT_ONCE));
      const see = seeingCompanies(runtime);
      yield rows.map((row) => incidentView(runtime, row, see(company), person.id));
    }
  })();
}

async function listOf(
  runtime: IncidentsRuntime,
  { all, companies, everywhere, filters, mine, place, person }: OpenIncidentsAsked,
): Promise<IncidentsView> {
  const nowMs = runtime.clock.nowMs();
  const notObserved = unobservedOf(runtime, all);
  const [{ rows, total }, { counts, unacknowledgedEverywhere }] = await Promise.all([
    list(runtime.database, {
      companies,
      filters,
      nowMs,
      ...offsetAndLimit(place),
    }),
    countIncidents(runtime.database, {
      companies: all,
      everywhere,
      mine,
      unseen: notObserved.map(({ slug }) => slug),
      nowMs,
    }),
  ]);
  const see = seeingCompanies(runtime);
  const isLoading = total === 0 && (await isPastUnreplayed(runtime.database, ...companies));
  return {
    ...(isLoading && { is_history_loading: true }),
    data: rows.map((row) => incidentView(runtime, row, see(row.company), person.id)),
    meta: pageMeta(place, total),
    counts,
    unacknowledged_everywhere: unacknowledgedEverywhere,
    not_observed: notObserved,
  };
}
