import type { TodayView } from "@/lib/contracts/today";
import type { ThenView } from "@/lib/contracts/history";
import { phaseAt, timelineOf } from "@/lib/domain/delivery/incident-timeline";
import { isTrouble } from "@/lib/domain/incidents/incident";
import { companyHandsAt } from "@/lib/domain/incidents/mine";
import { troubleBeganMs } from "@/lib/domain/incidents/trouble-began";
import { NOTHING_KNOWN } from "@/lib/domain/known";
import { concerns } from "@/lib/domain/quiet/concerns";
import { isQuietAt } from "@/lib/domain/quiet/planned-quiet";
import { SOURCE_REASONS } from "@/lib/domain/sync";
import {
  todayCompany,
  type CompanyFacts,
  type Feed,
  type TodayIncident,
} from "@/lib/domain/today/company";
import { foldToday, type TodayFilters } from "@/lib/domain/today/today";
import { instantMs } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { verdict } from "@/lib/domain/verdict";
import type { PlainAnswer } from "@/lib/server/http/answer";
import { invalid } from "@/lib/server/http/query";
import { readyJson } from "@/lib/server/http/ready-json";
import { answerLanes } from "@/lib/server/one-at-a-time";
import {
  requestedInstant,
  openThen,
  type ThenRuntime,
} from "@/lib/server/operations/history/open-then";
import { readRecordedEndpoints } from "@/lib/server/store/history/recorded-endpoints";
import { readCareOf } from "@/lib/server/store/incidents/incident-acts";
import { careOf } from "@/lib/server/store/incidents/read-incidents";
import { readIncidentsAt } from "@/lib/server/store/incidents/read-incidents-at";
import { boundRows, rowBudget } from "@/lib/server/store/most-rows";
import { readGrantees } from "@/lib/server/store/people/grantee";
import { plannedQuietOf, readOpenExpectations } from "@/lib/server/store/quiet/planned-quiet";
import { ownerOf, type TodayRuntime } from "./today-companies";

type Runtime = TodayRuntime & ThenRuntime;
type Asked = {
  /** Those that the person may see now, in the configured order. */
  companies: readonly { company: string; name: string }[];
  filters: TodayFilters;
  /** Equal for requests with the same response. */
  key: string;
  /** Requests of one person are answered one after the other. */
  personId: string;
  query: URLSearchParams;
};

const inLane = answerLanes<PlainAnswer>("today");

/**
 * Answers `GET /api/today?at`: as it was at an instant, for the companies of today's permissions. Next syncs aren't
 * recorded, so there are none.
 * @throws Failure `invalid_request`, also when it takes more rows than a request may read
 */
export function answerTodayAt(runtime: Runtime, asked: Asked): Promise<PlainAnswer> {
  const atMs = requestedInstant(asked.query);
  if (asked.companies.length === 0 && atMs > runtime.clock.nowMs())
    throw invalid("at", "must not be in the future");
  return inLane(runtime.database, asked.personId, `${atMs} ${asked.key}`, async () => {
    const text = JSON.stringify(await todayAt(runtime, asked, atMs));
    return readyJson(text, "private, no-store").whole;
  });
}

async function todayAt(unbound: Runtime, asked: Asked, atMs: number): Promise<TodayView> {
  const budget = rowBudget();
  const runtime = boundRows(unbound, budget);
  const { orm } = runtime.database;
  const slugs = asked.companies.map(({ company }) => company);
  const [incidents, planned, cares] = [
    await readIncidentsAt(runtime.database, slugs, atMs, budget.left + 1),
    await readOpenExpectations(orm, slugs, atMs),
    await readCareOf(orm, slugs),
  ];
  const people = await readGrantees(orm, [
    ...new Set(cares.flatMap(({ ownerId }) => ownerId ?? [])),
  ]);
  const companies = [];
  for (const { company: slug, name } of asked.companies) {
    const care = cares.find(({ company }) => company === slug) ?? null;
    const hands = companyHandsAt(
      care === null ? { ownerId: null, ownerSinceMs: null, standIn: null } : careOf(care),
      atMs,
    );
    const quiet = planned
      .filter(({ company }) => company === slug)
      .map(plannedQuietOf)
      .filter((one) => isQuietAt(one, atMs));
    const own = incidents.filter(({ row }) => row.company === slug);
    const { partner } = asked.filters;
    companies.push(
      todayCompany({
        slug,
        name,
        offsetMs: 0,
        owner: hands.companyOwnerId === null ? null : ownerOf(runtime, slug, { care, people }),
        hands,
        ...(await feedsAt(runtime, slug, partner, atMs, {
          memberOf: membersAt(own, hands, atMs),
          isQuiet: (feed) => quiet.some((one) => concerns(one, feed)),
        })),
      }),
    );
  }
  return foldToday(companies, asked.filters, atMs).today;
}

type Facts = {
  memberOf: ReadonlyMap<string, { incident: TodayIncident; beganMs: number }>;
  isQuiet: (feed: Feed) => boolean;
};

/** @param partner only endpoints of this partner; null: all */
async function feedsAt(
  runtime: Runtime,
  company: string,
  partner: string | null,
  atMs: number,
  { memberOf, isQuiet }: Facts,
): Promise<Pick<CompanyFacts, "confidence" | "reason" | "asOfMs" | "feeds" | "troubles">> {
  const endpoints = await readRecordedEndpoints(runtime.database, company, {
    ...(partner !== null && { partnerName: partner }),
  });
  const { view, recordedFromMs, endpointAt } = await openThen(runtime, company, endpoints, atMs);
  const feeds: Feed[] = [];
  const troubles: CompanyFacts["troubles"][number][] = [];
  for (const endpoint of endpoints) {
    const then = endpointAt(endpoint);
    const word = then.verdict ?? then.last_seen?.verdict ?? null;
    if (word === null) continue;
    const landedMs = instantMs(then.landed_at);
    const cadenceMs = (then.frequency_minutes ?? Number.NaN) * MINUTE_MS;
    const dueMs = landedMs === null ? Number.NaN : landedMs + cadenceMs;
    const feed: Feed = {
      id: endpoint.id,
      key: endpoint.endpointKey,
      partner: endpoint.partnerName,
      verdict: word,
      landedMs,
      nextMs: null,
      dueMs: dueMs <= atMs && word !== "paused" && word !== "webhook" ? dueMs : null,
    };
    feeds.push(feed);
    if (!isTrouble(word)) continue;
    const member = memberOf.get(JSON.stringify([feed.partner, feed.id]));
    troubles.push({
      ...feed,
      verdict: word,
      beganMs: member?.beganMs ?? beganAt(then, feed, atMs),
      isQuiet: isQuiet(feed),
      incident: member?.incident ?? null,
    });
  }
  const isRecorded = recordedFromMs !== null && recordedFromMs <= atMs;
  return {
    confidence: view.confidence,
    reason: SOURCE_REASONS.find((known) => known === view.gap?.reason) ?? null,
    asOfMs: isRecorded ? (instantMs(view.gap?.from ?? null) ?? atMs) : null,
    feeds,
    troubles,
  };
}

/** When the trouble of a feed without an incident had started, as far as the record tells. */
function beganAt(
  { frequency_minutes, last_run: run }: ThenView["endpoints"][number],
  { key, partner, landedMs, verdict: word }: Feed,
  atMs: number,
): number {
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
  const judgement = verdict(row, NOTHING_KNOWN, atMs);
  return troubleBeganMs({ ...judgement, word }, null, atMs) ?? atMs;
}

/** Members of incidents at an instant, by partner and endpoint id as JSON. */
function membersAt(
  incidents: Awaited<ReturnType<typeof readIncidentsAt>>,
  companyHands: CompanyFacts["hands"],
  atMs: number,
): Facts["memberOf"] {
  return new Map(
    incidents.flatMap(({ row, acts }) => {
      const incident = incidentAt(row, acts, companyHands, atMs);
      return row.members
        .filter(({ joinedMs, endedMs }) => joinedMs <= atMs && (endedMs === null || endedMs > atMs))
        .map(
          ({ endpointId, beganMs }) =>
            [JSON.stringify([row.partnerName, endpointId]), { incident, beganMs }] as const,
        );
    }),
  );
}

type Incident = Awaited<ReturnType<typeof readIncidentsAt>>[number];

function incidentAt(
  row: Incident["row"],
  acts: Incident["acts"],
  companyHands: CompanyFacts["hands"],
  atMs: number,
): TodayIncident {
  const events = acts.map((one) => ({ ...one, atMs: one.at.getTime() }));
  const { phases } = timelineOf(
    {
      id: row.id,
      partner: row.partnerName,
      openedMs: row.openedAt.getTime(),
      ownerId: row.ownerId,
    },
    events,
  );
  const phase = phaseAt(phases, atMs) ?? phases[0];
  const acknowledgedById = phase?.acknowledgedBy ?? null;
  const said = events.findLast(({ kind }) => kind === "acknowledged");
  return {
    id: row.id,
    acknowledged:
      acknowledgedById === null || said === undefined
        ? null
        : { id: acknowledgedById, name: said.byName ?? "", sinceMs: said.atMs },
    hands: { ownerId: phase?.ownerId ?? null, acknowledgedById, ...companyHands },
  };
}
