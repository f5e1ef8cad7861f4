import type { CompanyName } from "@/lib/domain/companies/company-name";
import { isPressing } from "@/lib/domain/deadlines/row-promise";
import { groupBy } from "@/lib/domain/collections/group-by";
import { isTrouble, type Told, type Trouble } from "@/lib/domain/incidents/incident";
import { isMine, type Hands } from "@/lib/domain/incidents/mine";
import { troubleBeganMs } from "@/lib/domain/incidents/trouble-began";
import { judge, type Moment, type SnapshotRow } from "@/lib/domain/judge";
import { shiftedMs } from "@/lib/domain/learned-week/rest";
import type { Counts } from "@/lib/domain/order";
import type { Confidence, LearnedWeekFacts, SourceReason, Verdict } from "@/lib/domain/sync";
import { foldText } from "@/lib/domain/text/fold-text";
import { instantMs } from "@/lib/domain/time/instant";
import type { SpokenPromise } from "@/lib/domain/words/deadlines/promise-text";
import { tally, type Judgement } from "@/lib/domain/verdict";
import { nextTurnMs } from "./next-turn";

/** One endpoint as of a moment. Instants are epoch milliseconds on the API's clock. */
export type Feed = {
  id: string;
  key: string;
  /** The key, in the form that searches compare. */
  searchText: string;
  partner: string;
  verdict: Verdict;
  landedMs: number | null;
  nextMs: number | null;
  /** When data was due, if it is overdue; otherwise null. */
  dueMs: number | null;
  /** The same by its data and cadence alone, whatever the next sync. */
  dueByDataMs: number | null;
  /** `last_sync_status` as received. */
  lastRun: string | null;
  /** Whether the latest complete snapshot has it. */
  isListed: boolean;
  /** Its current promise; null: none. */
  promise: FeedPromise | null;
  /** The learned week that it was judged by; null: none. */
  learnedWeek: LearnedWeekFacts | null;
};

/** The current promise of a feed. */
export type FeedPromise = SpokenPromise & { id: string; date: string };

/** A feed, with its judgement if it is in trouble. */
export type JudgedFeed = { feed: Feed; judgement: Judgement | null };

/**
 * Judges the rows of a snapshot.
 * @returns the feeds in input order; `untilMs`: until when they stay the same, epoch milliseconds on the API's clock,
 *   Infinity if verdicts are frozen
 */
export function judgeFeeds(
  rows: readonly (SnapshotRow & { promise?: FeedPromise | null | undefined })[],
  moment: Moment,
): { feeds: JudgedFeed[]; untilMs: number } {
  let untilMs = Infinity;
  const feeds = rows.map((row): JudgedFeed => {
    const judgement = judge(row, moment);
    if (!moment.isFrozen)
      untilMs = Math.min(untilMs, nextTurnMs(row, row.known, judgement, moment.atMs));
    const { word, terms } = judgement;
    const feed: Feed = {
      id: row.id,
      key: row.endpoint_key,
      searchText: foldText(row.endpoint_key),
      partner: row.partner_name,
      verdict: word,
      landedMs: instantMs(row.last_updated_at),
      nextMs: terms.nextMs,
      dueMs: dueMs(terms.latenessMs, terms, moment),
      dueByDataMs: dueMs(terms.lateByLandingMs, terms, moment),
      lastRun: row.last_sync_status,
      isListed: row.known.reported,
      promise: row.promise ?? null,
      learnedWeek: row.known.learned_week ?? null,
    };
    return { feed, judgement: isTrouble(word) ? judgement : null };
  });
  return { feeds, untilMs };
}

/** @param lateMs negative: not due yet */
function dueMs(
  lateMs: number | null,
  { rests }: Pick<Judgement["terms"], "rests">,
  { atMs }: Moment,
): number | null {
  return lateMs !== null && lateMs >= 0 ? shiftedMs(rests, atMs, -lateMs) : null;
}

/** An open incident as far as this page shows it. What people did is on our clock; at a past instant, on the API's. */
export type TodayIncident = {
  id: number;
  /** Who acknowledged it, and when, epoch milliseconds; null: it isn't acknowledged. */
  acknowledged: { id: string; name: string; sinceMs: number } | null;
  /** The last note that the customer was told; null: there is none. */
  told: Told | null;
  hands: Hands;
  /** The open fleet incident that it is in; null: none. Undefined: not known here. */
  fleetId?: string | null;
};

/** A feed that is failing, stale or late. */
export type TroubledFeed = Feed & {
  verdict: Trouble;
  /** When its trouble started, epoch milliseconds on the API's clock; null: of a past moment, whose record doesn't say. */
  beganMs: number | null;
  /** Whether a planned quiet time is active. */
  isQuiet: boolean;
  /** The incident that it is a member of; null: none yet. */
  incident: TodayIncident | null;
};

/** What is known of a feed's trouble besides its verdict. */
type TroubleFacts = {
  /** The open incident that a feed is a member of; undefined: none. */
  memberOf: (feed: Feed) => { incident: TodayIncident; beganMs: number | null } | undefined;
  /** When the trouble of a feed that isn't a member yet was noticed, if it is on record. */
  suspectedMs?: (feed: Feed) => number | undefined;
  isQuiet: (endpoint: { id: string; partner: string }) => boolean;
};

/**
 * The feeds that are in trouble, in input order.
 * @param apiNowMs when they were judged, epoch milliseconds on the API's clock, like all instants of `facts`
 */
export function troubledFeeds(
  judged: readonly JudgedFeed[],
  { memberOf, suspectedMs, isQuiet }: TroubleFacts,
  apiNowMs: number,
): TroubledFeed[] {
  return judged.flatMap(({ feed, judgement }): TroubledFeed[] => {
    const { verdict } = feed;
    if (judgement === null || !isTrouble(verdict)) return [];
    const member = memberOf(feed);
    const beganMs = troubleBeganMs(judgement, null, apiNowMs) ?? apiNowMs;
    return [
      {
        ...feed,
        verdict,
        beganMs: member?.beganMs ?? Math.min(beganMs, suspectedMs?.(feed) ?? Infinity),
        isQuiet: isQuiet(feed),
        incident: member?.incident ?? null,
      },
    ];
  });
}

/** What is known of a company. */
export type CompanyFacts = CompanyName & {
  confidence: Confidence;
  /** Why the last attempt to read it failed; null: it didn't. */
  reason: SourceReason | null;
  /** The last complete snapshot, epoch milliseconds on our clock; null: none. */
  asOfMs: number | null;
  /** Of a past instant: where its history begins, epoch milliseconds on the API's clock; null: it has none. */
  recordedFromMs?: number | null;
  /** The API's clock minus ours, milliseconds. */
  offsetMs: number;
  /** Null: the administrators. */
  owner: { id: string; name: string } | null;
  /** Who stands in for the owner or the administrators now; null: no one does. */
  standIn: { id: string; name: string } | null;
  /** Owner and stand-in now. */
  hands: Pick<Hands, "companyOwnerId" | "standInId">;
  feeds: readonly Feed[];
  /** Those of the feeds that are in trouble. */
  troubles: readonly TroubledFeed[];
};

/** Numbers of some feeds of a company. */
export type FeedTally = {
  counts: Counts;
  /** Their next syncs, epoch milliseconds on the API's clock. */
  nextMs: readonly number[];
};

/** The feeds of one partner at a company. */
export type PartnerFeeds = FeedTally & {
  feeds: readonly Feed[];
  /** The partner's name, in the form that searches compare. */
  searchText: string;
};

/** A company, prepared for many views of it. */
export type TodayCompany = CompanyFacts & {
  partners: ReadonlyMap<string, PartnerFeeds>;
  /** Name and slug, in the form that searches compare. */
  searchText: string;
  /** Feeds whose promise was missed or at risk at the last check. */
  pressing: readonly Feed[];
};

/** Prepares a company: its feeds by partner, with their counts. */
export function todayCompany(facts: CompanyFacts): TodayCompany {
  const partners = Array.from(
    groupBy(facts.feeds, ({ partner }) => partner),
    ([partner, feeds]) =>
      [partner, { ...tallyFeeds(feeds), feeds, searchText: foldText(partner) }] as const,
  );
  return {
    ...facts,
    partners: new Map(partners),
    searchText: foldText(`${facts.name} ${facts.slug}`),
    pressing: facts.feeds.filter(({ promise }) => promise !== null && isPressing(promise.state)),
  };
}

/** Counts feeds by verdict, and collects their next syncs, except those of paused and webhook feeds. */
export function tallyFeeds(feeds: readonly Feed[]): FeedTally {
  return {
    counts: tally(feeds.map(({ verdict }) => verdict)),
    nextMs: feeds.flatMap(({ nextMs, verdict }) =>
      nextMs === null || verdict === "paused" || verdict === "webhook" ? [] : [nextMs],
    ),
  };
}

/** Whether a company is a person's own: they own it, or stand in for its owner. */
export function isOwnCompany(personId: string, { hands }: Pick<CompanyFacts, "hands">): boolean {
  return isMine(personId, { ...hands, ownerId: null, acknowledgedById: null });
}
