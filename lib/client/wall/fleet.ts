import type { SyncStatusView } from "@/lib/contracts/dashboard";
import type { WallIncidentsView } from "@/lib/contracts/wall";
import { momentOf } from "@/lib/domain/judge";
import type { Counts } from "@/lib/domain/order";
import { concerns } from "@/lib/domain/quiet/concerns";
import { VERDICTS, type Confidence } from "@/lib/domain/sync";
import { instantMs } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import {
  judgeFeeds,
  tallyFeeds,
  todayCompany,
  troubledFeeds,
  type Feed,
  type JudgedFeed,
  type TodayCompany,
  type TodayIncident,
} from "@/lib/domain/today/company";
import { shownToday, type ShownToday } from "@/lib/domain/today/shown";
import { NO_FILTERS, foldToday } from "@/lib/domain/today/today";
import { tally } from "@/lib/domain/verdict";

/** A company as far as a screen knows it. */
type Known = {
  company: {
    slug: string;
    name: string;
    view: SyncStatusView | null;
    /** Null or absent: unknown. */
    incidents?: WallIncidentsView | null;
  };
  state: Confidence | "starting";
  /** Of its last complete check, epoch milliseconds on our clock; null: none. */
  asOfMs: number | null;
};

/** What is wrong at the companies of a wall at a moment, by the rules of the first page. */
export type Fleet = {
  today: ShownToday;
  /** Feeds by verdict, of the companies that are seen; of all known ones, if none is. */
  counts: Counts;
  /** Slugs of the companies whose incidents are unknown to this screen. */
  unanswered: ReadonlySet<string>;
  /** No company is seen: all of it is as of the last checks. */
  isFrozen: boolean;
};

/** @param nowMs the server's clock, epoch milliseconds */
export type FoldFleet = (companies: readonly Known[], nowMs: number) => Fleet;

type Made = {
  view: SyncStatusView | null;
  incidents: WallIncidentsView | null;
  state: Known["state"];
  confidence: Confidence;
  company: TodayCompany;
  counts: Counts;
  /** While only time passes, it stays the same within these; epoch milliseconds on our clock. */
  fromMs: number;
  untilMs: number;
};

/**
 * A fold that keeps its results, because a wall is drawn every second: rows are judged only if their snapshot or
 * incidents changed or the time of one's verdict has come.
 */
export function createFleetFold(): FoldFleet {
  let made = new Map<string, Made>();
  let last: { parts: readonly Made[]; fleet: Fleet; fromMs: number; untilMs: number } | null = null;
  return (companies, nowMs) => {
    const isFrozen = !companies.some(({ state }) => state === "live" || state === "delayed");
    const parts = companies.map((known) => {
      const before = made.get(known.company.slug);
      return before !== undefined && isStill(before, known, { isFrozen, nowMs })
        ? before
        : madeOf(known, { isFrozen, nowMs });
    });
    const isSame =
      last !== null &&
      last.fleet.isFrozen === isFrozen &&
      last.fromMs <= nowMs &&
      nowMs < last.untilMs &&
      last.parts.length === parts.length &&
      last.parts.every((part, at) => part === parts[at]);
    if (isSame && last !== null) return last.fleet;
    made = new Map(parts.map((part) => [part.company.slug, part]));
    const { today, untilMs } = foldToday(
      parts.map(({ company }) => company),
      NO_FILTERS,
      nowMs,
    );
    const fleet = {
      today: shownToday(today),
      counts: sumOf(parts),
      unanswered: new Set(
        parts.flatMap(({ incidents, company }) => (incidents === null ? [company.slug] : [])),
      ),
      isFrozen,
    };
    last = { parts, fleet, fromMs: nowMs, untilMs };
    return fleet;
  };
}

type At = { isFrozen: boolean; nowMs: number };

function isStill(before: Made, known: Known, { isFrozen, nowMs }: At): boolean {
  const { company } = known;
  return (
    before.view === company.view &&
    before.incidents === (company.incidents ?? null) &&
    before.state === known.state &&
    before.confidence === confidenceOf(known, isFrozen) &&
    before.company.name === company.name &&
    before.fromMs <= nowMs &&
    nowMs < before.untilMs
  );
}

/** If no company is seen, their last known states are shown, which would otherwise be left out. */
function confidenceOf({ state, asOfMs }: Known, isFrozen: boolean): Confidence {
  if (state === "starting" || asOfMs === null) return "blind";
  return isFrozen ? "delayed" : state;
}

function madeOf(known: Known, { isFrozen, nowMs }: At): Made {
  const { slug, name, view, incidents = null } = known.company;
  const confidence = confidenceOf(known, isFrozen);
  const isRead = view !== null && known.asOfMs !== null;
  const moment = view === null ? { atMs: nowMs, isFrozen: true } : momentOf(view, nowMs);
  const judged = isRead ? judgeFeeds(view.rows, moment) : { feeds: [], untilMs: Infinity };
  const offsetMs = view?.source.api_clock_offset_ms ?? 0;
  const feeds = judged.feeds.map(({ feed }) => feed);
  const company = todayCompany({
    slug,
    name,
    confidence,
    reason: view?.source.reason ?? null,
    asOfMs: known.asOfMs,
    offsetMs,
    owner: null,
    standIn: null,
    hands: NO_HANDS,
    feeds,
    troubles: troublesOf(judged.feeds, incidents, moment.atMs),
  });
  return {
    view,
    incidents,
    state: known.state,
    confidence,
    company,
    counts: tallyFeeds(feeds).counts,
    fromMs: nowMs,
    untilMs: judged.untilMs - offsetMs,
  };
}

const NO_HANDS = { companyOwnerId: null, standInId: null };

function troublesOf(
  judged: readonly JudgedFeed[],
  incidents: WallIncidentsView | null,
  apiNowMs: number,
) {
  if (incidents === null)
    return troubledFeeds(judged, { memberOf: partnerAsIncident(), isQuiet: () => false }, apiNowMs);
  const members = new Map(
    incidents.open.flatMap((one) => {
      const incident = {
        ...incidentOf(one.id, one.acknowledged),
        ...(one.fleet_id !== undefined && { fleetId: one.fleet_id }),
      };
      return one.members.map(
        ({ endpoint_id: id, began_at: beganAt }) =>
          [
            keyOf({ id, partner: one.partner_name }),
            { incident, beganMs: instantMs(beganAt) },
          ] as const,
      );
    }),
  );
  return troubledFeeds(
    judged,
    { memberOf: (feed) => members.get(keyOf(feed)), isQuiet: plannedQuiet(incidents) },
    apiNowMs,
  );
}

/** Whether a planned quiet time of a company is in effect for a feed; false while that is unknown. */
export function plannedQuiet(
  incidents: WallIncidentsView | null | undefined,
): (feed: Pick<Feed, "id" | "partner">) => boolean {
  const quiet = (incidents?.quiet ?? []).map(({ partner, endpoint_id: endpointId }) => ({
    partner,
    endpointId,
  }));
  return (feed) => quiet.some((one) => concerns(one, feed));
}

const keyOf = ({ id, partner }: Pick<Feed, "id" | "partner">) => JSON.stringify([partner, id]);

/** While incidents are unknown, a partner's feeds in trouble count as one, as they will once they are known. */
function partnerAsIncident() {
  const byPartner = new Map<string, TodayIncident>();
  return ({ partner }: Feed) => {
    const incident = byPartner.get(partner) ?? incidentOf(-1 - byPartner.size, null);
    byPartner.set(partner, incident);
    return { incident, beganMs: null };
  };
}

/** People are told apart by their names only, which a screen may not even have. */
function incidentOf(id: number, acknowledged: { by: string | null } | null): TodayIncident {
  const name = acknowledged?.by ?? "";
  return {
    id,
    acknowledged: acknowledged === null ? null : { id: name, name, sinceMs: 0 },
    told: null,
    hands: { ...NO_HANDS, ownerId: null, acknowledgedById: null },
  };
}

function sumOf(parts: readonly Made[]): Counts {
  const counts = tally([]);
  for (const { confidence, counts: own } of parts)
    if (confidence !== "blind") for (const word of VERDICTS) counts[word] += own[word];
  return counts;
}

/** Next syncs of a partner's feeds that are behind, within one minute. */
export type Attempt = {
  key: string;
  /** The first of them, epoch milliseconds on the API's clock, and by how much that is ahead of ours. */
  apiMs: number;
  offsetMs: number;
  partner: string;
  /** Names of their companies. */
  companies: readonly string[];
};

/** The soonest ones after a moment; none while no company is seen. @param nowMs epoch milliseconds on our clock */
export function nextAttempts({ today, isFrozen }: Fleet, nowMs: number, most: number): Attempt[] {
  if (isFrozen) return [];
  const groups = new Map<string, Omit<Attempt, "companies"> & { names: Map<string, string> }>();
  for (const { partner_name: partner, members } of today.lines)
    for (const { company, next_sync_at: next } of members) {
      const apiMs = instantMs(next);
      const offsetMs = today.api_clock_offsets[company.slug] ?? 0;
      if (apiMs === null || apiMs - offsetMs <= nowMs) continue;
      const key = JSON.stringify([Math.floor((apiMs - offsetMs) / MINUTE_MS), partner]);
      const group = groups.get(key) ?? { key, apiMs, offsetMs, partner, names: new Map() };
      if (ourMs({ apiMs, offsetMs }) < ourMs(group)) Object.assign(group, { apiMs, offsetMs });
      group.names.set(company.slug, company.name);
      groups.set(key, group);
    }
  return [...groups.values()]
    .toSorted((a, b) => ourMs(a) - ourMs(b))
    .slice(0, most)
    .map(({ names, ...attempt }) => ({ ...attempt, companies: [...names.values()] }));
}

const ourMs = ({ apiMs, offsetMs }: Pick<Attempt, "apiMs" | "offsetMs">) => apiMs - offsetMs;
