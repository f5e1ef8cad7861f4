import { companyName, type CompanyName } from "@/lib/domain/companies/company-name";
import type { PromiseState } from "@/lib/domain/deadlines/deadline";
import {
  compareLateData,
  isPressing,
  promiseRank,
  shownState,
} from "@/lib/domain/deadlines/row-promise";
import type { Trouble } from "@/lib/domain/incidents/incident";
import { isMine } from "@/lib/domain/incidents/mine";
import { judgedOf, totalOf, type Counts } from "@/lib/domain/order";
import type { SourceReason } from "@/lib/domain/sync";
import { compareText } from "@/lib/domain/text/compare-text";
import { includesAll } from "@/lib/domain/text/fold-text";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { tally } from "@/lib/domain/verdict";
import {
  isOwnCompany,
  tallyFeeds,
  type Feed,
  type FeedPromise,
  type FeedTally,
  type TodayCompany,
  type TroubledFeed,
} from "./company";
import { todayLines, type BehindFeed, type LinePromise, type TodayLine } from "./lines";

/** Which feeds count; null applies no filter. */
export type TodayFilters = {
  verdicts: readonly Trouble[] | null;
  /** A person, and the companies in which they may handle incidents. See `isMine`. */
  mine: { personId: string; companies: ReadonlySet<string> } | null;
  /** Only feeds whose incident isn't acknowledged, or that have none. */
  isUnattended: boolean;
  /** Owner of the company. */
  ownerId: string | null;
  partner: string | null;
  /** From `needlesOf`: each must occur in the names of the company, the partner or the feed. */
  needles: readonly string[];
};

export const NO_FILTERS: TodayFilters = {
  verdicts: null,
  mine: null,
  isUnattended: false,
  ownerId: null,
  partner: null,
  needles: [],
};

/** What is wrong at some companies, and which of them are well. Instants are ISO 8601. */
export type Today = {
  /** The oldest snapshot of those seen, or of all that are seen if nothing passes the filters, on our clock; null: none is. */
  as_of: string | null;
  counts: TodayCounts;
  promises: TodayPromises;
  /** Worst first. */
  lines: TodayLine[];
  /** Seen, nothing behind, and at least one feed on time; by name. */
  well: WellCompany[];
  /** Seen, with nothing but unknown, paused and webhook feeds, or without any; by name. */
  cannot_judge: UnjudgedCompany[];
  /** Not seen now; by name. */
  unseen: UnseenCompany[];
  /** The API's clock minus ours, milliseconds, of companies where it is a second or more; by slug. */
  api_clock_offsets: Record<string, number>;
  /** Of a past instant: where the history of any of the companies that the person may see begins; null: there is none. */
  recorded_from?: string | null | undefined;
};

/**
 * Numbers of feeds, except those of companies. All but `unseen_companies` are of companies that are seen. If nothing
 * passes the filters, `delayed` and `unseen_companies` are of all companies: only those seen are known to have nothing
 * that passes.
 */
export type TodayCounts = {
  endpoints: number;
  /** On time or behind: neither unknown nor paused nor a webhook. */
  judged: number;
  behind: number;
  companies_behind: number;
  /** Behind, without an acknowledged incident. */
  unattended: number;
  cannot_judge: number;
  /** Number of companies. */
  delayed: number;
  /** In trouble during a planned quiet time; not behind. */
  quiet: number;
  unseen_companies: number;
  /** The next future sync of a feed that is behind; null: none is scheduled. */
  next_attempt_at: string | null;
};

/** Promises of companies that are seen, missed or at risk; one that several feeds have counts once. */
export type TodayPromises = {
  missed: number;
  at_risk: number;
  /** The first of them: missed, then due the soonest; null: there is none. */
  first: (LinePromise & { partner_name: string; endpoint_id: string }) | null;
};

export type WellCompany = {
  company: CompanyName;
  /** Fresh or due, of all that are neither paused nor webhooks. */
  on_time: number;
  counted: number;
  /** The next future sync of any of its feeds; null: none is scheduled. */
  next_sync_at: string | null;
  last_check_at: string | null;
  owner: { id: string; name: string } | null;
  /** Who stands in for the owner, or for the administrators; null: no one does. */
  stand_in: { id: string; name: string } | null;
};

export type UnjudgedCompany = {
  company: CompanyName;
  /** All of its feeds, or those that match a filter. */
  endpoints: number;
};

export type UnseenCompany = {
  company: CompanyName;
  /** The last complete check, on our clock; null: never. */
  since: string | null;
  reason: SourceReason | null;
  /** Feeds that were behind then, of how many. */
  behind_then: number;
  endpoints: number;
};

/** A view, and until when it stays the same if nothing but time passes: our clock, epoch milliseconds. */
export type TodayUntil = { today: Today; untilMs: number };

/**
 * Folds companies into one view. Verdict and `isUnattended` filter only what is behind: whether a company is well, can
 * be judged or is seen doesn't depend on them.
 * @param nowMs our clock, epoch milliseconds
 */
export function foldToday(
  companies: readonly TodayCompany[],
  filters: TodayFilters,
  nowMs: number,
): TodayUntil {
  const fold = {
    untilMs: Infinity,
    endpoints: 0,
    judged: 0,
    cannotJudge: 0,
    quiet: 0,
    passing: [] as TodayCompany[],
    shown: [] as BehindFeed[],
    well: [] as WellCompany[],
    cannotJudgeCompanies: [] as UnjudgedCompany[],
    unseen: [] as UnseenCompany[],
    offsets: [] as [string, number][],
    pressing: [] as Pressing[],
  };
  for (const company of companies.toSorted(byName)) {
    const scope = scopeOf(company, filters);
    if (scope === null) continue;
    fold.passing.push(company);
    const { slug, asOfMs, offsetMs } = company;
    const { counts } = scope.tally;
    const total = totalOf(counts);
    const behind = scope.troubles.filter(({ isQuiet }) => !isQuiet);
    if (Math.abs(offsetMs) >= 1000) fold.offsets.push([slug, offsetMs]);
    if (company.confidence === "blind") {
      fold.unseen.push({
        company: companyName(company),
        since: isoOrNull(asOfMs),
        reason: company.reason,
        behind_then: behind.length,
        endpoints: total,
      });
      continue;
    }
    fold.endpoints += total;
    fold.judged += judgedOf(counts);
    fold.cannotJudge += counts.unknown;
    fold.quiet += scope.troubles.length - behind.length;
    for (const one of pressingOf(company, scope.pressing, nowMs)) {
      fold.pressing.push(one);
      if (one.state === "at_risk") fold.untilMs = Math.min(fold.untilMs, one.dueMs - offsetMs);
    }
    for (const feed of behind) if (isShown(feed, filters)) fold.shown.push({ feed, company });
    if (behind.length > 0) continue;
    if (counts.fresh + counts.due > 0) {
      const nextMs = soonestAfter(scope.tally.nextMs, nowMs + offsetMs);
      fold.untilMs = Math.min(fold.untilMs, nextMs - offsetMs);
      fold.well.push(wellOf(company, counts, nextMs));
    }
    if (judgedOf(counts) === 0)
      fold.cannotJudgeCompanies.push({ company: companyName(company), endpoints: total });
  }
  const { shown, passing } = fold;
  const judgedBy = passing.length > 0 ? passing : companies;
  const seen = judgedBy.filter(({ confidence }) => confidence !== "blind");
  const asOfMs = Math.min(...seen.map((company) => company.asOfMs ?? Infinity));
  const next = nextAttempt(shown, nowMs);
  const today: Today = {
    as_of: Number.isFinite(asOfMs) ? iso(asOfMs) : null,
    counts: {
      endpoints: fold.endpoints,
      judged: fold.judged - fold.quiet,
      behind: shown.length,
      companies_behind: new Set(shown.map(({ company }) => company.slug)).size,
      unattended: shown.filter(({ feed }) => isUnattended(feed)).length,
      cannot_judge: fold.cannotJudge,
      delayed: seen.filter(({ confidence }) => confidence === "delayed").length,
      quiet: fold.quiet,
      unseen_companies: judgedBy.length - seen.length,
      next_attempt_at: next === null ? null : iso(next.apiMs),
    },
    promises: promisesOf(fold.pressing),
    lines: todayLines(shown, nowMs),
    well: fold.well,
    cannot_judge: fold.cannotJudgeCompanies,
    unseen: fold.unseen,
    api_clock_offsets: Object.fromEntries(fold.offsets),
  };
  return { today, untilMs: Math.min(fold.untilMs, next?.atMs ?? Infinity) };
}

function byName(a: TodayCompany, b: TodayCompany): number {
  return compareText(a.searchText, b.searchText) || compareText(a.slug, b.slug);
}

/** Feeds of a company that pass all filters that don't depend on their trouble. */
type Scope = {
  tally: FeedTally;
  troubles: readonly TroubledFeed[];
  /** Feeds whose promise was missed or at risk. */
  pressing: readonly Feed[];
};

/** @returns null: nothing of the company passes */
function scopeOf(company: TodayCompany, filters: TodayFilters): Scope | null {
  const { mine, ownerId, partner, needles } = filters;
  if (ownerId !== null && company.owner?.id !== ownerId) return null;
  const { searchText, feeds, partners } = company;
  const missing = needles.filter((needle) => !searchText.includes(needle));
  const wanted =
    partner === null ? [...partners] : [...partners].filter(([name]) => name === partner);
  /** Of each partner, the needles that neither its name nor the company's has, so the feed's must. */
  const missingBy = new Map(
    wanted.map(([name, one]) => [
      name,
      missing.filter((needle) => !one.searchText.includes(needle)),
    ]),
  );
  const isFound = (feed: Feed) => {
    const left = missingBy.get(feed.partner);
    return left !== undefined && hasAll(feed, left);
  };
  const isAll = partner === null && missing.length === 0;
  if (mine !== null && !isWhollyMine(company, mine)) {
    const troubles = company.troubles.filter(
      (feed) => isFound(feed) && isMineByIncident(feed, company, mine),
    );
    const ids = new Set(troubles.map(({ id }) => id));
    const pressing = company.pressing.filter(({ id }) => ids.has(id));
    return troubles.length === 0 ? null : { tally: tallyFeeds(troubles), troubles, pressing };
  }
  if (feeds.length === 0) {
    // Without a snapshot, it may have any partner.
    const mayMatch = partner === null || company.asOfMs === null;
    return missing.length === 0 && mayMatch
      ? { tally: NO_FEEDS, troubles: [], pressing: [] }
      : null;
  }
  const tallies = wanted.map(([name, one]) => {
    const left = missingBy.get(name) ?? [];
    return left.length === 0 ? one : tallyFeeds(one.feeds.filter((feed) => hasAll(feed, left)));
  });
  const sum = sumOf(tallies);
  if (totalOf(sum.counts) === 0) return null;
  return isAll
    ? { tally: sum, troubles: company.troubles, pressing: company.pressing }
    : {
        tally: sum,
        troubles: company.troubles.filter(isFound),
        pressing: company.pressing.filter(isFound),
      };
}

/** `dueMs`: epoch milliseconds on the API's clock, `atMs` on ours. */
type Pressing = {
  company: TodayCompany;
  feed: Feed;
  promise: FeedPromise;
  state: PromiseState;
  dueMs: number;
  atMs: number;
};

/** Those whose promise is still missed or at risk as time passes. */
function pressingOf(company: TodayCompany, feeds: readonly Feed[], nowMs: number): Pressing[] {
  return feeds.flatMap((feed) => {
    const { promise } = feed;
    if (promise === null) return [];
    const state = shownState(promise, nowMs + company.offsetMs);
    const dueMs = Date.parse(promise.due_at);
    return isPressing(state)
      ? [{ company, feed, promise, state, dueMs, atMs: dueMs - company.offsetMs }]
      : [];
  });
}

function promisesOf(pressing: readonly Pressing[]): TodayPromises {
  const sorted = pressing.toSorted(
    (a, b) =>
      promiseRank(a) - promiseRank(b) ||
      a.atMs - b.atMs ||
      compareLateData(a.promise, b.promise) ||
      compareText(a.feed.id, b.feed.id),
  );
  // A promise counts at its worst feed, which comes first.
  const byPromise = new Map<string, Pressing>();
  for (const one of sorted) {
    const key = `${one.company.slug} ${one.promise.id}`;
    if (!byPromise.has(key)) byPromise.set(key, one);
  }
  const all = [...byPromise.values()];
  const [first] = all;
  return {
    missed: all.filter(({ state }) => state === "missed").length,
    at_risk: all.filter(({ state }) => state === "at_risk").length,
    first:
      first === undefined
        ? null
        : {
            company: companyName(first.company),
            partner_name: first.feed.partner,
            endpoint_id: first.feed.id,
            endpoint_key: first.feed.key,
            promise: first.promise,
          },
  };
}

function hasAll({ searchText }: Feed, needles: readonly string[]): boolean {
  return includesAll(searchText, needles);
}

const NO_FEEDS: FeedTally = tallyFeeds([]);

function sumOf(tallies: readonly FeedTally[]): FeedTally {
  const [only, ...others] = tallies;
  if (only === undefined) return NO_FEEDS;
  if (others.length === 0) return only;
  const counts: Counts = tally([]);
  for (const one of tallies)
    for (const word of Object.keys(counts) as (keyof Counts)[]) counts[word] += one.counts[word];
  return { counts, nextMs: tallies.flatMap(({ nextMs }) => nextMs) };
}

type Mine = NonNullable<TodayFilters["mine"]>;

function isWhollyMine(company: TodayCompany, { personId, companies }: Mine): boolean {
  return companies.has(company.slug) && isOwnCompany(personId, company);
}

function isMineByIncident(
  { incident }: TroubledFeed,
  { slug }: TodayCompany,
  { personId, companies }: Mine,
): boolean {
  return incident !== null && companies.has(slug) && isMine(personId, incident.hands);
}

function isShown(feed: TroubledFeed, filters: TodayFilters): boolean {
  if (filters.isUnattended && !isUnattended(feed)) return false;
  return filters.verdicts === null || filters.verdicts.includes(feed.verdict);
}

/** Owning isn't acknowledging: without an acknowledgement, a feed is unattended. */
function isUnattended({ incident }: TroubledFeed): boolean {
  return incident === null || incident.acknowledged === null;
}

/** @returns the soonest future sync, on the API's clock and on ours, epoch milliseconds; null: none */
function nextAttempt(
  shown: readonly BehindFeed[],
  nowMs: number,
): { apiMs: number; atMs: number } | null {
  let soonest: { apiMs: number; atMs: number } | null = null;
  for (const { feed, company } of shown) {
    if (feed.nextMs === null) continue;
    const atMs = feed.nextMs - company.offsetMs;
    if (atMs > nowMs && (soonest === null || atMs < soonest.atMs))
      soonest = { apiMs: feed.nextMs, atMs };
  }
  return soonest;
}

/** @returns Infinity: none of them is later */
function soonestAfter(instants: readonly number[], afterMs: number): number {
  let soonestMs = Infinity;
  for (const ms of instants) if (ms > afterMs && ms < soonestMs) soonestMs = ms;
  return soonestMs;
}

function wellOf(company: TodayCompany, counts: Counts, nextMs: number): WellCompany {
  const { asOfMs, owner, standIn } = company;
  return {
    company: companyName(company),
    on_time: counts.fresh + counts.due,
    counted: judgedOf(counts) + counts.unknown,
    next_sync_at: nextMs === Infinity ? null : iso(nextMs),
    last_check_at: isoOrNull(asOfMs),
    owner,
    stand_in: standIn,
  };
}
