import type { CompanyName } from "@/lib/domain/companies/company-name";
import type { Confidence } from "@/lib/domain/sync";
import { concerns } from "@/lib/domain/quiet/concerns";
import { isQuietAt, quietUntilMs } from "@/lib/domain/quiet/planned-quiet";
import {
  judgeFeeds,
  todayCompany,
  troubledFeeds,
  type CompanyFacts,
  type JudgedFeed,
  type TodayCompany,
  type TodayIncident,
  type TroubledFeed,
} from "@/lib/domain/today/company";
import type { AccessRule } from "@/lib/domain/access-rules";
import { holds } from "@/lib/server/auth/access";
import type { CompanySnapshot } from "@/lib/server/collector/snapshots";
import {
  acknowledgementOf,
  type IncidentsRuntime,
} from "@/lib/server/operations/incidents/incident-view";
import { nameOf, type NamedConnection } from "@/lib/server/operations/connections/external-id";
import { currentConfidence, restReason } from "@/lib/server/operations/sync/get-sync-status";
import { sharedState } from "@/lib/server/shared-state";
import {
  careOf,
  companyHandsOf,
  handsOf,
  type IncidentRow,
} from "@/lib/server/store/incidents/read-incidents";
import type { Ongoing } from "@/lib/server/store/incidents/read-ongoing";
import { plannedQuietOf } from "@/lib/server/store/quiet/planned-quiet";

export type TodayRuntime = Omit<IncidentsRuntime, "database">;

/** A company as of now, and until when it stays the same if only time passes: our clock, epoch milliseconds. */
export type CompanyNow = { company: TodayCompany; untilMs: number };

/**
 * A company as of now: the same object until its snapshot, its incidents, or a verdict changes.
 * @param ongoing as of its snapshot
 */
export function companyNow(
  runtime: TodayRuntime,
  connection: NamedConnection,
  ongoing: Ongoing,
): CompanyNow {
  type Made = CompanyNow & {
    snapshot: CompanySnapshot | null;
    ongoing: Ongoing;
    level: Confidence;
    rests: ReturnType<typeof restReason>;
    rules: readonly AccessRule[];
    fromMs: number;
  };
  const made = sharedState(runtime.snapshots, "companies today", () => new Map<string, Made>());
  const nowMs = runtime.clock.nowMs();
  const named = nameOf(connection);
  const { slug } = named;
  const snapshot = runtime.snapshots.get(slug);
  const level = currentConfidence(runtime, slug);
  const rests = restReason(runtime, slug);
  const rules = runtime.auth.access.rules();
  const before = made.get(slug);
  if (
    before !== undefined &&
    before.snapshot === snapshot &&
    before.ongoing === ongoing &&
    before.level === level &&
    before.rests === rests &&
    before.rules === rules &&
    before.company.name === named.name &&
    before.company.external_id === named.external_id &&
    before.fromMs <= nowMs &&
    nowMs < before.untilMs
  )
    return before;
  const now = { named, snapshot, level, rests, nowMs };
  const after = { ...makeCompany(runtime, now, ongoing), snapshot, ongoing, level, rests, rules };
  made.set(slug, { ...after, fromMs: nowMs });
  return after;
}

type Now = {
  named: CompanyName;
  snapshot: CompanySnapshot | null;
  level: Confidence;
  rests: ReturnType<typeof restReason>;
  nowMs: number;
};

function makeCompany(runtime: TodayRuntime, now: Now, ongoing: Ongoing): CompanyNow {
  const { named, snapshot, level, rests, nowMs } = now;
  const asOfMs = snapshot?.state.asOfMs ?? null;
  const offsetMs = snapshot?.state.apiClockOffsetMs ?? 0;
  const isFrozen = level === "blind";
  const moment = { atMs: (isFrozen ? (asOfMs ?? nowMs) : nowMs) + offsetMs, isFrozen };
  const judged = judgedFeeds(snapshot, moment);
  const quiet = quietNow(ongoing, moment.atMs);
  const changesMs = [
    judged.untilMs - offsetMs,
    isFrozen ? Infinity : quiet.untilMs - offsetMs,
    ...peoplesTimes(ongoing).filter((ms) => ms > nowMs),
  ];
  const facts: CompanyFacts = {
    ...named,
    confidence: level,
    reason: rests ?? (snapshot === null ? "starting" : snapshot.state.reason),
    asOfMs,
    offsetMs,
    ...caredForBy(runtime, named.slug, companyHandsOf(ongoing.care, nowMs), ongoing.people),
    feeds: judged.feeds.map(({ feed }) => feed),
    troubles: troublesOf(judged.feeds, ongoing, {
      nowMs,
      apiNowMs: moment.atMs,
      isQuiet: quiet.isQuiet,
    }),
  };
  return { company: todayCompany(facts), untilMs: Math.min(...changesMs) };
}

/** Judging is most of the work, so it is done once per snapshot and turn of a verdict. */
function judgedFeeds(
  snapshot: CompanySnapshot | null,
  moment: { atMs: number; isFrozen: boolean },
): { feeds: JudgedFeed[]; untilMs: number } {
  if (snapshot === null) return { feeds: [], untilMs: Infinity };
  type Judged = ReturnType<typeof judgeFeeds> & typeof moment;
  const shared = sharedState(snapshot, "judged feeds", (): { last: Judged | null } => ({
    last: null,
  }));
  const { last } = shared;
  if (
    last !== null &&
    last.isFrozen === moment.isFrozen &&
    last.atMs <= moment.atMs &&
    moment.atMs < last.untilMs
  )
    return last;
  const judged = { ...judgeFeeds(snapshot.rows, moment), ...moment };
  shared.last = judged;
  return judged;
}

/** The quiet times in effect, and when the next one starts or ends, epoch milliseconds on the API's clock. */
function quietNow({ quiet }: Ongoing, apiNowMs: number) {
  const planned = quiet.map(plannedQuietOf);
  const active = planned.filter((one) => isQuietAt(one, apiNowMs));
  return {
    isQuiet: (endpoint: { id: string; partner: string }) =>
      active.some((one) => concerns(one, endpoint)),
    untilMs: quietUntilMs(planned, apiNowMs),
  };
}

/** When acknowledgements, hand-overs and stand-in periods start or end, epoch milliseconds on our clock. */
function peoplesTimes({ incidents, care }: Ongoing): number[] {
  const times = incidents.flatMap(({ acknowledgedUntil, lentUntil }) => [
    acknowledgedUntil,
    lentUntil,
  ]);
  const standIns = care === null ? [] : careOf(care).standIns;
  return [
    ...times.flatMap((at) => at?.getTime() ?? []),
    ...standIns.flatMap(({ fromMs, untilMs }) => [fromMs, untilMs]),
  ];
}

/** Owner and stand-in of a company; null: none, or one who lost the permission. */
export function caredForBy(
  { auth }: Pick<TodayRuntime, "auth">,
  company: string,
  hands: CompanyFacts["hands"],
  people: Ongoing["people"],
): Pick<CompanyFacts, "owner" | "standIn" | "hands"> {
  const named = (personId: string | null) => {
    const person = people.find(({ id }) => id === personId);
    if (person === undefined || !holds(auth.access, person, "handle-incidents", company))
      return null;
    return { id: person.id, name: person.name };
  };
  const { companyOwnerId, standInId } = hands;
  // Who has become the owner stands in for no one.
  const standIn = standInId === companyOwnerId ? null : named(standInId);
  return { owner: named(companyOwnerId), standIn, hands };
}

function troublesOf(
  judged: readonly JudgedFeed[],
  { incidents, fleets, suspects }: Ongoing,
  {
    nowMs,
    apiNowMs,
    isQuiet,
  }: {
    nowMs: number;
    apiNowMs: number;
    isQuiet: (endpoint: { id: string; partner: string }) => boolean;
  },
): TroubledFeed[] {
  const members = new Map(
    incidents.flatMap((row) => {
      const incident = { ...incidentOf(row, nowMs), fleetId: fleets[row.id] ?? null };
      return row.members.flatMap(({ endpointId, endedMs, beganMs }) =>
        endedMs === null
          ? [[endpointId, { incident, partner: row.partnerName, beganMs }] as const]
          : [],
      );
    }),
  );
  return troubledFeeds(
    judged,
    {
      memberOf({ id, partner }) {
        const member = members.get(id);
        return member?.partner === partner ? member : undefined;
      },
      // Endpoint ids are arbitrary text from the API, including "constructor".
      suspectedMs: ({ id }) => (Object.hasOwn(suspects, id) ? suspects[id]?.beganMs : undefined),
      isQuiet,
    },
    apiNowMs,
  );
}

function incidentOf(row: IncidentRow, nowMs: number): TodayIncident {
  const by = acknowledgementOf(row, nowMs, "");
  return {
    id: row.id,
    acknowledged: by === null ? null : { id: by.by_id, name: by.by, sinceMs: Date.parse(by.at) },
    told: row.told,
    hands: handsOf(row, nowMs),
  };
}
