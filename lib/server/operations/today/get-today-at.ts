import { LRUCache } from "lru-cache";
import type { TodayView } from "@/lib/contracts/today";
import type { RowPromise } from "@/lib/contracts/row-promise";
import type { ThenView } from "@/lib/contracts/history";
import { phaseAt, timelineOf } from "@/lib/domain/delivery/incident-timeline";
import { groupBy } from "@/lib/domain/collections/group-by";
import { sharedShiftMs } from "@/lib/domain/fleet-incidents/shared-axis";
import { isTrouble } from "@/lib/domain/incidents/incident";
import { companyHandsAt } from "@/lib/domain/incidents/mine";
import { troubleBeganMs } from "@/lib/domain/incidents/trouble-began";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { concerns } from "@/lib/domain/quiet/concerns";
import { isQuietAt } from "@/lib/domain/quiet/planned-quiet";
import { restsOf, shiftedMs } from "@/lib/domain/learned-week/rest";
import { type LearnedWeekFacts, SOURCE_REASONS } from "@/lib/domain/sync";
import {
  todayCompany,
  type CompanyFacts,
  type Feed,
  type TodayCompany,
  type TodayIncident,
} from "@/lib/domain/today/company";
import { foldText } from "@/lib/domain/text/fold-text";
import { foldToday, type TodayFilters } from "@/lib/domain/today/today";
import { instantMs, iso } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { verdict } from "@/lib/domain/verdict";
import type { PlainResponse } from "@/lib/server/http/handler-response";
import { invalid } from "@/lib/server/http/query";
import { readyJson } from "@/lib/server/http/ready-json";
import { answerLanes } from "@/lib/server/one-at-a-time";
import {
  openThenOf,
  requestedInstant,
  type ThenOfMany,
  type ThenRuntime,
} from "@/lib/server/operations/history/open-then";
import { nameOf, type NamedConnection } from "@/lib/server/operations/connections/external-id";
import { promisesAt } from "@/lib/server/operations/history/promises-at";
import { sharedState } from "@/lib/server/shared-state";
import {
  readRecordedEndpointsOf,
  type RecordedEndpoint,
} from "@/lib/server/store/history/recorded-endpoints";
import { readPromised } from "@/lib/server/store/deadlines/read-deadlines";
import { carersIn, readCareOf } from "@/lib/server/store/incidents/incident-acts";
import { careOf } from "@/lib/server/store/incidents/read-incidents";
import { readFleetsOf } from "@/lib/server/store/fleet-incidents/read-fleet-incidents";
import type { Ongoing } from "@/lib/server/store/incidents/read-ongoing";
import {
  readIncidentsAt,
  readIncidentsBegunBy,
} from "@/lib/server/store/incidents/read-incidents-at";
import { readWeeksAt } from "@/lib/server/store/learned-weeks/learned-weeks";
import { boundRows, rowBudget, type RowBudget } from "@/lib/server/store/most-rows";
import { readGrantees } from "@/lib/server/store/people/grantee";
import { plannedQuietOf, readOpenExpectations } from "@/lib/server/store/quiet/planned-quiet";
import { caredForBy, type TodayRuntime } from "./today-companies";

type Runtime = TodayRuntime & ThenRuntime;
type Asked = {
  /** Those that the person may see now, in the configured order. */
  companies: readonly NamedConnection[];
  filters: TodayFilters;
  /** Equal for requests with the same response. */
  key: string;
  /** Requests of one person are answered one after the other. */
  personId: string;
  query: URLSearchParams;
};

const inLane = answerLanes<PlainResponse>("today");

/** Maximum rows that a request reads: each endpoint counts twice, as itself and as it was. */
const MAX_ROWS_AT = 100_000;
/** Companies per statement. Between statements, other requests are answered. */
const AT_ONCE = 25;
/** How long companies as they were are kept for other filters and for people who see the same ones. */
const KEPT_MS = 30_000;
/** Of all companies that are kept. */
const MAX_CACHED_FEEDS = 65_000;

/**
 * Answers `GET /api/today?at`: as it was at an instant, for the companies of today's permissions. Next syncs aren't
 * recorded, so there are none.
 * @throws Failure `invalid_request`, also when it takes more rows than a request may read
 */
export function answerTodayAt(
  runtime: Runtime,
  asked: Asked,
  budget = rowBudget(MAX_ROWS_AT),
): Promise<PlainResponse> {
  const atMs = requestedInstant(asked.query);
  if (asked.companies.length === 0 && atMs > runtime.clock.nowMs())
    throw invalid("at", "must not be in the future");
  return inLane(runtime.database, asked.personId, `${atMs} ${asked.key}`, async () => {
    const companies = await keptCompanies(runtime, asked.companies, atMs, budget);
    const { today } = foldToday(companies, asked.filters, atMs);
    const recordedFromMs = Math.min(...companies.map((one) => one.recordedFromMs ?? Infinity));
    today.recorded_from = Number.isFinite(recordedFromMs) ? iso(recordedFromMs) : null;
    return readyJson(JSON.stringify(today satisfies TodayView), "private, no-store").whole;
  });
}

type Kept = { companies: readonly TodayCompany[]; readMs: number };

/**
 * Companies as they were at an instant. Reading them is most of the work, and no filter changes it, so they are kept for
 * a while.
 * @throws Failure `invalid_request` for an instant in the future, and when it takes more rows than a request may read
 */
export async function keptCompanies(
  runtime: Runtime,
  companies: Asked["companies"],
  atMs: number,
  budget = rowBudget(MAX_ROWS_AT),
): Promise<readonly TodayCompany[]> {
  const kept = sharedState(
    runtime.database,
    "companies as they were",
    () =>
      new LRUCache<string, Kept>({
        maxSize: MAX_CACHED_FEEDS,
        sizeCalculation: (one) =>
          one.companies.reduce((sum, { feeds }) => sum + feeds.length + 1, 1),
      }),
  );
  const key = JSON.stringify([atMs, ...companies.map(({ company }) => company)]);
  const nowMs = runtime.clock.nowMs();
  const known = kept.get(key);
  if (known !== undefined && known.readMs <= nowMs && nowMs < known.readMs + KEPT_MS)
    return known.companies;
  const read = await readCompaniesAt(runtime, budget, companies, atMs);
  kept.set(key, { companies: read, readMs: runtime.clock.nowMs() });
  return read;
}

async function readCompaniesAt(
  unbound: Runtime,
  budget: RowBudget,
  companies: Asked["companies"],
  atMs: number,
): Promise<TodayCompany[]> {
  const runtime = boundRows(unbound, budget);
  const { orm } = runtime.database;
  const slugs = companies.map(({ company }) => company);
  const incidents = await readIncidentsAt(runtime.database, slugs, atMs, budget.left + 1);
  const later = await readIncidentsBegunBy(runtime.database, slugs, atMs, budget.left + 1);
  const fleets = await readFleetsOf(orm, slugs, atMs);
  const planned = await readOpenExpectations(orm, slugs, atMs);
  const cares = await readCareOf(orm, slugs);
  const people = await readGrantees(orm, [...new Set(cares.flatMap(carersIn))]);
  const incidentsBy = groupBy(incidents, ({ row }) => row.company);
  const laterBy = groupBy(later, ({ company }) => company);
  const plannedBy = groupBy(planned, ({ company }) => company);
  const careBy = new Map(cares.map((care) => [care.company, care]));
  const made: TodayCompany[] = [];
  for (let from = 0; from < companies.length; from += AT_ONCE) {
    const some = companies.slice(from, from + AT_ONCE);
    const feedsBy = await feedsAt(runtime, budget, some, atMs);
    const weeksBy = await readWeeksAt(
      runtime.database,
      some.map(({ company }) => company),
      atMs,
      budget.left + 1,
    );
    for (const connection of some) {
      const named = nameOf(connection);
      const { slug } = named;
      const then = feedsBy(slug);
      const aheadMs = sharedShiftMs(then.recorded.offsetMs);
      const care = careBy.get(slug) ?? null;
      const hands = companyHandsAt(
        care === null ? { ownerId: null, ownerSinceMs: null, standIns: [] } : careOf(care),
        atMs - aheadMs,
      );
      const quiet = (plannedBy.get(slug) ?? [])
        .map(plannedQuietOf)
        .filter((one) => isQuietAt(one, atMs));
      const facts = {
        memberOf: membersAt(incidentsBy.get(slug) ?? [], fleets.get(slug) ?? {}, hands, {
          atMs,
          aheadMs,
        }),
        begunBy: begunBy(
          [...(incidentsBy.get(slug) ?? []).map(({ row }) => row), ...(laterBy.get(slug) ?? [])],
          atMs,
        ),
        isQuiet: (feed: Feed) => quiet.some((one) => concerns(one, feed)),
        weekOf: weeksBy(slug),
      };
      made.push(
        todayCompany({
          ...named,
          offsetMs: 0,
          ...caredForBy(runtime, slug, hands, people),
          ...factsAt(then, atMs, facts),
        }),
      );
    }
  }
  return made;
}

type FeedsThen = {
  endpoints: readonly RecordedEndpoint[];
  recorded: ThenOfMany;
  promises: ReadonlyMap<string, RowPromise | null>;
};

/** @returns the feeds of each of the companies */
async function feedsAt(
  runtime: Runtime,
  budget: RowBudget,
  companies: Asked["companies"],
  atMs: number,
): Promise<(company: string) => FeedsThen> {
  const slugs = companies.map(({ company }) => company);
  const found = await readRecordedEndpointsOf(runtime.database, slugs);
  const endpointsBy = new Map(slugs.map((slug) => [slug, found.get(slug) ?? []]));
  // Their states are read as one row of JSON.
  budget.take([...found.values()].reduce((sum, { length }) => sum + length, 0));
  const thenBy = await openThenOf(runtime, endpointsBy, atMs);
  const promisesBy = new Map<string, ReadonlyMap<string, RowPromise | null>>();
  for (const slug of await readPromised(runtime.database, slugs)) {
    const then = thenBy.get(slug);
    if (then === undefined) continue;
    const states = (endpointsBy.get(slug) ?? []).map((endpoint) => ({
      id: endpoint.id,
      partnerName: endpoint.partnerName,
      landedAt: then.endpointAt(endpoint).landed_at,
    }));
    const seenMs = instantMs(then.view.gap?.from ?? null) ?? atMs;
    promisesBy.set(slug, await promisesAt(runtime.database, slug, states, seenMs));
  }
  return (company) => {
    const recorded = thenBy.get(company);
    if (recorded === undefined) throw new Error("a company without a record");
    const promises = promisesBy.get(company) ?? NO_PROMISES;
    return { endpoints: endpointsBy.get(company) ?? [], recorded, promises };
  };
}

const NO_PROMISES: ReadonlyMap<string, RowPromise | null> = new Map();

type Facts = {
  memberOf: ReadonlyMap<string, { incident: TodayIncident; beganMs: number }>;
  /** When trouble had begun whose incident it joined later, by partner and endpoint id as JSON. */
  begunBy: ReadonlyMap<string, number>;
  isQuiet: (feed: Feed) => boolean;
  /** The learned week in force then, if it was learned at this cadence. */
  weekOf: (endpointId: string, cadenceMs: number) => LearnedWeekFacts | null;
};

function factsAt(
  { endpoints, recorded, promises }: FeedsThen,
  atMs: number,
  { memberOf, begunBy, isQuiet, weekOf }: Facts,
): Pick<
  CompanyFacts,
  "confidence" | "reason" | "asOfMs" | "recordedFromMs" | "feeds" | "troubles"
> {
  const { view, recordedFromMs, endpointAt, inTroubleSinceMs } = recorded;
  const feeds: Feed[] = [];
  const troubles: CompanyFacts["troubles"][number][] = [];
  for (const endpoint of endpoints) {
    const then = endpointAt(endpoint);
    const word = then.verdict ?? then.last_seen?.verdict ?? null;
    if (word === null) continue;
    const landedMs = instantMs(then.landed_at);
    const cadenceMs = (then.frequency_minutes ?? Number.NaN) * MINUTE_MS;
    const week = weekOf(endpoint.id, cadenceMs);
    const dataDueMs =
      landedMs === null ? Number.NaN : shiftedMs(restsOf(week, atMs), landedMs, cadenceMs);
    const dueMs = dataDueMs <= atMs && word !== "paused" && word !== "webhook" ? dataDueMs : null;
    const feed: Feed = {
      id: endpoint.id,
      key: endpoint.endpointKey,
      searchText: foldText(endpoint.endpointKey),
      partner: endpoint.partnerName,
      verdict: word,
      landedMs,
      nextMs: null,
      dueMs,
      dueByDataMs: dueMs,
      lastRun: then.last_run?.status ?? null,
      isListed: true,
      promise: promises.get(endpoint.id) ?? null,
      learnedWeek: week,
    };
    feeds.push(feed);
    if (!isTrouble(word)) continue;
    const key = memberKey(feed.partner, feed.id);
    const member = memberOf.get(key);
    troubles.push({
      ...feed,
      verdict: word,
      beganMs:
        member?.beganMs ??
        begunBy.get(key) ??
        beganAt(then, feed, week, atMs) ??
        inTroubleSinceMs(endpoint),
      isQuiet: isQuiet(feed),
      incident: member?.incident ?? null,
    });
  }
  const isRecorded = recordedFromMs !== null && recordedFromMs <= atMs;
  return {
    confidence: view.confidence,
    reason: SOURCE_REASONS.find((known) => known === view.gap?.reason) ?? null,
    asOfMs: isRecorded ? (instantMs(view.gap?.from ?? null) ?? atMs) : null,
    recordedFromMs,
    feeds,
    troubles,
  };
}

/** When the trouble of a feed without an incident had started, by its data and its last run; null: they don't say. */
function beganAt(
  { frequency_minutes, last_run: run }: ThenView["endpoints"][number],
  { key, partner, landedMs, verdict: word }: Feed,
  week: LearnedWeekFacts | null,
  atMs: number,
): number | null {
  const row = {
    endpoint_key: key,
    partner_name: partner,
    status: "active",
    last_updated_at: landedMs === null ? null : new Date(landedMs).toISOString(),
    next_sync_at: null,
    last_sync_status: run?.status ?? null,
    last_sync_started_at: run?.started_at ?? null,
    last_sync_finished_at: run?.finished_at ?? null,
    last_sync_duration_seconds: run?.duration_seconds ?? null,
    frequency_minutes,
    api_calls_last_24h: 0,
  };
  const judgement = verdict(row, { ...NOTHING_KNOWN, learned_week: week }, atMs);
  const beganMs = troubleBeganMs({ ...judgement, word }, null, atMs);
  return beganMs === atMs ? null : beganMs;
}

/** Members of incidents at an instant, until a check saw their end, by partner and endpoint id as JSON. */
function membersAt(
  incidents: Awaited<ReturnType<typeof readIncidentsAt>>,
  fleets: Ongoing["fleets"],
  companyHands: CompanyFacts["hands"],
  { atMs, aheadMs }: Instant,
): Facts["memberOf"] {
  return new Map(
    incidents.flatMap(({ row, acts, leftMs }) => {
      const fleetId = fleets[row.id] ?? null;
      const incident = { ...incidentAt(row, acts, companyHands, { atMs, aheadMs }), fleetId };
      return row.members
        .filter(({ endpointId, joinedMs, endedMs }) => {
          const seenMs = leftMs.get(endpointId) ?? -Infinity;
          return joinedMs <= atMs && (endedMs === null || Math.max(endedMs, seenMs) > atMs);
        })
        .map(
          ({ endpointId, beganMs }) =>
            [memberKey(row.partnerName, endpointId), { incident, beganMs }] as const,
        );
    }),
  );
}

/** When the trouble of endpoints had begun that joined one of these incidents after an instant. */
const begunBy = (incidents: readonly Incident["row"][], atMs: number): Facts["begunBy"] =>
  new Map(
    incidents.flatMap(({ partnerName, members }) =>
      members
        .filter(({ beganMs, joinedMs }) => beganMs <= atMs && atMs < joinedMs)
        .map(({ endpointId, beganMs }) => [memberKey(partnerName, endpointId), beganMs] as const),
    ),
  );

const memberKey = (partner: string, endpointId: string) => JSON.stringify([partner, endpointId]);

/** On the API's clock, and how far that is ahead of ours, on which people act; milliseconds. */
type Instant = { atMs: number; aheadMs: number };

type Incident = Awaited<ReturnType<typeof readIncidentsAt>>[number];

function incidentAt(
  row: Incident["row"],
  acts: Incident["acts"],
  companyHands: CompanyFacts["hands"],
  { atMs, aheadMs }: Instant,
): TodayIncident {
  const all = acts
    .map((one) => ({ ...one, atMs: one.at.getTime() }))
    .filter((one) => one.kind === "owned" || one.atMs + aheadMs <= atMs);
  const events = all.filter(({ kind }) => kind !== "noted");
  const { phases } = timelineOf(
    {
      id: row.id,
      partner: row.partnerName,
      openedMs: row.openedAt.getTime(),
      ownerId: row.ownerId,
    },
    events,
    aheadMs,
  );
  const phase = phaseAt(phases, atMs) ?? phases[0];
  const acknowledgedById = phase?.acknowledgedBy ?? null;
  const said = events.findLast(({ kind }) => kind === "acknowledged");
  const noted = all.findLast(({ kind }) => kind === "noted");
  return {
    id: row.id,
    acknowledged:
      acknowledgedById === null || said === undefined
        ? null
        : { id: acknowledgedById, name: said.byName ?? "", sinceMs: said.atMs + aheadMs },
    told: noted === undefined ? null : { by: noted.byName, atMs: noted.atMs + aheadMs },
    hands: { ownerId: phase?.ownerId ?? null, acknowledgedById, ...companyHands },
  };
}
