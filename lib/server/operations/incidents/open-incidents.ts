import type { IncidentCounts, IncidentsView } from "@/lib/contracts/incidents";
import { compareTroubles } from "@/lib/domain/incidents/incident";
import { isMine } from "@/lib/domain/incidents/mine";
import { compareText } from "@/lib/domain/text/compare-text";
import { instantMs } from "@/lib/domain/time/instant";
import { timedAnswers } from "@/lib/server/cache/timed-answers";
import type { Person } from "@/lib/server/auth/person";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import { pageMeta, offsetAndLimit, type PageRequest } from "@/lib/server/http/paging";
import { respondWithReadyJson, type ReadyJson } from "@/lib/server/http/ready-json";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { nameOf } from "@/lib/server/operations/connections/external-id";
import { currentConfidence } from "@/lib/server/operations/sync/get-sync-status";
import { companyNow } from "@/lib/server/operations/today/today-companies";
import { sharedState } from "@/lib/server/shared-state";
import { carersIn } from "@/lib/server/store/incidents/incident-acts";
import {
  handsOf,
  type IncidentFilters,
  type IncidentRow,
  type Mine,
} from "@/lib/server/store/incidents/read-incidents";
import type { Ongoing } from "@/lib/server/store/incidents/read-ongoing";
import { incidentView, seeingCompanies, type IncidentsRuntime } from "./incident-view";
import { ongoingOf, type OngoingRuntime } from "./ongoing";

export type OpenIncidentsRuntime = IncidentsRuntime & OngoingRuntime;

/** A request for open incidents. */
export type OpenIncidentsAsked = {
  /** Slugs of the companies that are counted, of those that are listed, and of all that the person may see. */
  all: readonly string[];
  companies: readonly string[];
  everywhere: readonly string[];
  filters: IncidentFilters;
  mine: Mine;
  place: PageRequest;
  person: Person;
};

const MAX_BYTES = 24_000_000;
const cached = timedAnswers("open incidents", MAX_BYTES);

type Ongoings = ReadonlyMap<string, Ongoing>;

/**
 * A list of open incidents, from memory.
 * @throws the error of the database, if it isn't in memory and can't be read
 */
export function openIncidents(
  runtime: OpenIncidentsRuntime,
  asked: OpenIncidentsAsked,
): MaybePromise<IncidentsView> {
  return andThen(ongoingOf(runtime, companiesOf(asked)), (ongoing) =>
    viewOf(runtime, asked, ongoing),
  );
}

/** The same as a response with an ETag, or 304; shared by people for whom it is the same. */
export function answerOpenIncidents(
  runtime: OpenIncidentsRuntime,
  asked: OpenIncidentsAsked,
  ifNoneMatch: string | null,
): MaybePromise<PlainResponse> {
  const slugs = companiesOf(asked);
  return andThen(ongoingOf(runtime, slugs), (ongoing) =>
    respondWithReadyJson(readyOpen(runtime, asked, slugs, ongoing), ifNoneMatch),
  );
}

const companiesOf = ({ all, everywhere }: OpenIncidentsAsked) =>
  all.every((slug) => everywhere.includes(slug))
    ? everywhere
    : [...new Set([...everywhere, ...all])];

function readyOpen(
  runtime: OpenIncidentsRuntime,
  asked: OpenIncidentsAsked,
  slugs: readonly string[],
  ongoing: Ongoings,
): ReadyJson {
  const { snapshots, clock, auth, connections } = runtime;
  const of = [
    auth.access.rules(),
    connections,
    ...slugs.map((slug) => ongoing.get(slug)),
    ...asked.all.flatMap((slug) => [snapshots.get(slug), currentConfidence(runtime, slug)]),
  ];
  return cached(snapshots, keyOf(asked, ongoing), of, clock.nowMs(), () => {
    const view = viewOf(runtime, asked, ongoing);
    return { data: view, untilMs: untilOf(runtime, asked.companies, slugs, { view, ongoing }) };
  });
}

/** Equal for requests with the same response at the same time. */
function keyOf(asked: OpenIncidentsAsked, ongoing: Ongoings): string {
  const { all, companies, everywhere, filters, mine, place, person } = asked;
  const isInvolved = all.some((slug) => involvedIn(ongoing.get(slug)).has(person.id));
  const { mine: isOnlyMine, ...others } = filters;
  return JSON.stringify([
    isInvolved ? [person.id, mine.companies] : null,
    isOnlyMine !== null,
    others,
    place,
    all === everywhere ? null : all,
    companies === all ? null : companies,
    everywhere,
  ]);
}

const NO_PEOPLE: ReadonlySet<string> = new Set();

/** People for whom a company's incidents read differently. */
function involvedIn(ongoing: Ongoing | undefined): ReadonlySet<string> {
  if (ongoing === undefined) return NO_PEOPLE;
  return sharedState(ongoing, "people involved", () => {
    const { incidents, care } = ongoing;
    const ids = incidents.flatMap((row) => [row.ownerId, row.lentById, row.acknowledgedById]);
    return new Set([...ids.flatMap((id) => id ?? []), ...(care === null ? [] : carersIn(care))]);
  });
}

/** Until when a view stays the same if only time passes, epoch milliseconds. */
function untilOf(
  runtime: OpenIncidentsRuntime,
  companies: readonly string[],
  slugs: readonly string[],
  { view, ongoing }: { view: IncidentsView; ongoing: Ongoings },
): number {
  const nowMs = runtime.clock.nowMs();
  const listed = new Set(companies);
  const turns = slugs.flatMap((slug) => {
    const own = ongoing.get(slug);
    if (own === undefined || own.incidents.length === 0) return [];
    const connection = runtime.connections.find(({ company }) => company === slug);
    if (listed.has(slug))
      return companyNow(runtime, connection ?? { company: slug, name: slug }, own).untilMs;
    return own.incidents.flatMap(({ acknowledgedUntil }) => {
      const endsMs = acknowledgedUntil?.getTime() ?? -Infinity;
      return endsMs > nowMs ? endsMs : [];
    });
  });
  const syncs = view.data.flatMap(({ next_sync_at: next, api_clock_offset_ms: offsetMs }) => {
    const nextMs = instantMs(next);
    return nextMs === null || nextMs - offsetMs <= nowMs ? [] : nextMs - offsetMs;
  });
  return Math.min(...turns, ...syncs, Infinity);
}

function viewOf(
  runtime: OpenIncidentsRuntime,
  { all, companies, everywhere, filters, mine, place, person }: OpenIncidentsAsked,
  ongoing: Ongoings,
): IncidentsView {
  const nowMs = runtime.clock.nowMs();
  const openIn = (slugs: readonly string[]) =>
    slugs.flatMap((slug) => ongoing.get(slug)?.incidents ?? []);
  const found = openIn(companies)
    .filter((row) => passes(row, filters, nowMs))
    .toSorted(worstFirst);
  const { offset, limit } = offsetAndLimit(place);
  const counted = openIn(all);
  const notObserved = unobservedOf(runtime, all);
  const unseen = notObserved.map(({ slug }) => slug);
  const amountOf = (is: (row: IncidentRow) => boolean) => counted.filter(is).length;
  const counts: IncidentCounts = {
    open: counted.length,
    unacknowledged: amountOf((row) => isUnacknowledged(row, nowMs)),
    mine: amountOf((row) => isOwn(row, mine, nowMs)),
    failing: amountOf(({ verdict }) => verdict === "failing"),
    stale: amountOf(({ verdict }) => verdict === "stale"),
    late: amountOf(({ verdict }) => verdict === "late"),
    cannot_tell: amountOf((row) => isUnknown(row, unseen)),
    ended_last_7_days: all.reduce((sum, slug) => sum + (ongoing.get(slug)?.endedLately ?? 0), 0),
  };
  const see = seeingCompanies(runtime);
  return {
    data: found
      .slice(offset, offset + limit)
      .map((row) => incidentView(runtime, row, see(row.company), person.id)),
    meta: pageMeta(place, found.length),
    counts,
    unacknowledged_everywhere: openIn(everywhere).filter((row) => isUnacknowledged(row, nowMs))
      .length,
    not_observed: notObserved,
  };
}

/** Companies that are blind, or don't have a snapshot yet. */
export function unobservedOf(
  runtime: IncidentsRuntime,
  companies: readonly string[],
): IncidentsView["not_observed"] {
  const wanted = new Set(companies);
  return runtime.connections.flatMap((connection) => {
    const { company } = connection;
    const isBlind = wanted.has(company) && currentConfidence(runtime, company) === "blind";
    return isBlind ? [nameOf(connection)] : [];
  });
}

function passes(row: IncidentRow, filters: IncidentFilters, nowMs: number): boolean {
  const { partner, verdict, unseen, isUnacknowledged: isOnlyUnacknowledged, mine } = filters;
  return (
    (partner === null || row.partnerName === partner) &&
    (verdict === null ||
      (verdict === "unknown" ? isUnknown(row, unseen) : row.verdict === verdict)) &&
    (!isOnlyUnacknowledged || isUnacknowledged(row, nowMs)) &&
    (mine === null || isOwn(row, mine, nowMs))
  );
}

/** Whether we can't tell its state: without a verdict, and not seen to be over. As in the database. */
const isUnknown = (row: IncidentRow, unseen: readonly string[]) =>
  row.verdict === null && (row.calmMs === null || unseen.includes(row.company));

const isUnacknowledged = (row: IncidentRow, nowMs: number) =>
  handsOf(row, nowMs).acknowledgedById === null;

const isOwn = (row: IncidentRow, { personId, companies }: Mine, nowMs: number) =>
  companies.includes(row.company) && isMine(personId, handsOf(row, nowMs));

/** As `WORST_FIRST` sorts them in the database. */
function worstFirst(a: IncidentRow, b: IncidentRow): number {
  return (
    Number(a.verdict === null) - Number(b.verdict === null) ||
    (a.verdict === null || b.verdict === null ? 0 : compareTroubles(b.verdict, a.verdict)) ||
    a.beganAt.getTime() - b.beganAt.getTime() ||
    compareText(a.company, b.company) ||
    a.id - b.id
  );
}
