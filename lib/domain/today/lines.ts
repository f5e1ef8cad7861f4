import { companyName, type CompanyName } from "@/lib/domain/companies/company-name";
import { compareUrgency, promiseRank } from "@/lib/domain/deadlines/row-promise";
import { MIN_COMPANIES } from "@/lib/domain/fleet-incidents/fleet-incident";
import { MIN_VISIBLE } from "@/lib/domain/fleet-incidents/visible";
import type { Trouble } from "@/lib/domain/incidents/incident";
import { countedMs, restsOf } from "@/lib/domain/learned-week/rest";
import type { LearnedWeekFacts } from "@/lib/domain/sync";
import { compareText } from "@/lib/domain/text/compare-text";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { compareVerdicts } from "@/lib/domain/verdict";
import { earliest } from "@/lib/domain/partners/partner-at-company";
import type { FeedPromise, TodayCompany, TodayIncident, TroubledFeed } from "./company";

/** Incidents of a fleet incident are one line at this many companies. */
const MIN_FOR_FLEET_LINE = MIN_VISIBLE;
/** Where fleet incidents aren't known, a partner's incidents at this many companies are one line. */
const MIN_FOR_PARTNER_LINE = MIN_COMPANIES;

/** A feed that is behind, with its company. */
export type BehindFeed = { feed: TroubledFeed; company: TodayCompany };

/** Who is on it, and since when; ISO 8601. */
export type OnIt = { name: string; since: string };

/** A feed of a line. Instants are ISO 8601, on the clock of the company's API. */
export type TodayMember = {
  company: CompanyName;
  endpoint_id: string;
  endpoint_key: string;
  verdict: Trouble;
  last_updated_at: string | null;
  /** When data was due; null: it isn't overdue. */
  overdue_since: string | null;
  next_sync_at: string | null;
  incident_id: number | null;
  on_it: OnIt | null;
  /** When a person last noted that the customer was told of the incident; null: no one did. On the clock of `on_it`. */
  told_at: string | null;
  /** Its current promise; null: none. */
  promise: FeedPromise | null;
  /** Its learned week: time in it isn't overdue. Null: none. */
  learned_week: LearnedWeekFacts | null;
};

/**
 * One line of trouble: the incidents of a fleet incident, an incident, or a feed without one. Verdict, next
 * sync, overdue, data and learned week are those of its first member.
 */
export type TodayLine = Pick<
  TodayMember,
  "verdict" | "next_sync_at" | "overdue_since" | "last_updated_at" | "learned_week"
> & {
  kind: "partner" | "incident" | "endpoint";
  partner_name: string;
  /** When the first of its members' trouble started; null: of a past moment, whose record doesn't say. */
  since: string | null;
  /** Who acknowledged all of its incidents; null: several people, or not all. */
  on_it: OnIt | null;
  /** Number of its incidents, and the names of those who acknowledged any. */
  attended: { of: number; by: string[] };
  /** The most pressing promise of its members that isn't kept or excused; null: none. */
  promise: LinePromise | null;
  /** Worst first. */
  members: TodayMember[];
};

/** A promise, and the feed that has it. */
export type LinePromise = Pick<TodayMember, "company" | "endpoint_key"> & { promise: FeedPromise };

/** Incidents that are one line if they are of enough companies. */
type Together = { least: number; companies: Set<string>; incidents: Map<string, Group> };

type Group = { kind: TodayLine["kind"]; members: BehindFeed[] };

/**
 * Groups feeds that are behind into lines, worst first: by verdict, then missed promises and those at risk, then the
 * number of companies, then overdue.
 * @param nowMs our clock, epoch milliseconds
 */
export function todayLines(behind: readonly BehindFeed[], nowMs: number): TodayLine[] {
  const together = new Map<string, Together>();
  const groups: Group[] = [];
  for (const one of behind) {
    const { feed, company } = one;
    if (feed.incident === null) {
      groups.push({ kind: "endpoint", members: [one] });
      continue;
    }
    const id = `${company.slug} ${feed.incident.id}`;
    const { key, least } = togetherBy(feed.incident, feed.partner, id);
    const own = together.get(key) ?? { least, companies: new Set(), incidents: new Map() };
    together.set(key, own);
    own.companies.add(company.slug);
    const incident = own.incidents.get(id);
    if (incident === undefined) own.incidents.set(id, { kind: "incident", members: [one] });
    else incident.members.push(one);
  }
  for (const { least, companies, incidents } of together.values()) {
    const own = [...incidents.values()];
    if (companies.size < least) groups.push(...own);
    else groups.push({ kind: "partner", members: own.flatMap(({ members }) => members) });
  }
  const compare = (a: BehindFeed, b: BehindFeed) => compareBehind(a, b, nowMs);
  return groups
    .map(({ kind, members }) => {
      const sorted = members.toSorted(compare);
      const companies = new Set(sorted.map(({ company }) => company.slug)).size;
      const rank = Math.min(...sorted.map(({ feed }) => promiseRank(feed.promise)));
      return { kind, members: sorted, worst: sorted[0], companies, rank };
    })
    .toSorted((a, b) =>
      a.worst === undefined || b.worst === undefined
        ? 0
        : compareVerdicts(a.worst.feed.verdict, b.worst.feed.verdict) ||
          a.rank - b.rank ||
          b.companies - a.companies ||
          compare(a.worst, b.worst),
    )
    .flatMap(({ worst, ...group }) => (worst === undefined ? [] : lineOf(group, worst)));
}

/** @param id of the incident among those of all companies */
function togetherBy(
  { fleetId }: TodayIncident,
  partner: string,
  id: string,
): { key: string; least: number } {
  if (fleetId === undefined) return { key: `partner ${partner}`, least: MIN_FOR_PARTNER_LINE };
  return {
    key: fleetId === null ? `incident ${id}` : `fleet ${fleetId}`,
    least: MIN_FOR_FLEET_LINE,
  };
}

function lineOf({ kind, members }: Group, worst: BehindFeed): TodayLine {
  const { verdict, next_sync_at, overdue_since, last_updated_at, learned_week } = memberOf(worst);
  const incidents = new Map(
    members.flatMap(({ feed: { incident }, company }) =>
      incident === null ? [] : [[`${company.slug} ${incident.id}`, incident]],
    ),
  );
  const acknowledged = [...incidents.values()].flatMap(({ acknowledged: by }) => by ?? []);
  const people = new Map(acknowledged.map(({ id, name }) => [id, name]));
  const [first] = acknowledged;
  const isOnAll =
    first !== undefined && people.size === 1 && acknowledged.length === incidents.size;
  return {
    kind,
    partner_name: worst.feed.partner,
    verdict,
    since: isoOrNull(earliest(members.map(({ feed }) => feed.beganMs))),
    next_sync_at,
    overdue_since,
    last_updated_at,
    learned_week,
    on_it: isOnAll
      ? {
          name: first.name,
          since: iso(Math.max(...acknowledged.map(({ sinceMs }) => sinceMs))),
        }
      : null,
    attended: { of: incidents.size, by: [...people.values()].toSorted(compareText) },
    promise: promiseOf(members),
    members: members.map(memberOf),
  };
}

function promiseOf(members: readonly BehindFeed[]): LinePromise | null {
  const [first] = members
    .flatMap(({ feed: { promise, key }, company }) =>
      promise === null || promise.state === "met" || promise.state === "excused"
        ? []
        : [{ company: companyName(company), endpoint_key: key, promise }],
    )
    .toSorted((a, b) => compareUrgency(a.promise, b.promise));
  return first ?? null;
}

function memberOf({ feed, company }: BehindFeed): TodayMember {
  const { incident } = feed;
  const by = incident?.acknowledged ?? null;
  return {
    company: companyName(company),
    endpoint_id: feed.id,
    endpoint_key: feed.key,
    verdict: feed.verdict,
    last_updated_at: isoOrNull(feed.landedMs),
    overdue_since: isoOrNull(feed.dueMs),
    next_sync_at: isoOrNull(feed.nextMs),
    incident_id: incident?.id ?? null,
    on_it: by === null ? null : { name: by.name, since: iso(by.sinceMs) },
    told_at: isoOrNull(incident?.told?.atMs ?? null),
    promise: feed.promise,
    learned_week: feed.learnedWeek,
  };
}

/** By verdict, then missed promises and those at risk, then the most overdue, then the longest trouble, then names. */
function compareBehind(a: BehindFeed, b: BehindFeed, nowMs: number): number {
  const overdueMs = ({ feed: { dueMs, learnedWeek }, company }: BehindFeed) => {
    const apiNowMs = nowMs + company.offsetMs;
    return dueMs === null ? -Infinity : countedMs(restsOf(learnedWeek, apiNowMs), dueMs, apiNowMs);
  };
  const beganMs = ({ feed, company }: BehindFeed) => (feed.beganMs ?? Infinity) - company.offsetMs;
  return (
    compareVerdicts(a.feed.verdict, b.feed.verdict) ||
    promiseRank(a.feed.promise) - promiseRank(b.feed.promise) ||
    overdueMs(b) - overdueMs(a) ||
    beganMs(a) - beganMs(b) ||
    compareText(a.company.name, b.company.name) ||
    compareText(a.company.slug, b.company.slug) ||
    compareText(a.feed.partner, b.feed.partner) ||
    compareText(a.feed.key, b.feed.key) ||
    compareText(a.feed.id, b.feed.id)
  );
}
