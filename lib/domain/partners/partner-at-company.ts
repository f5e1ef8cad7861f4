import { groupBy } from "@/lib/domain/collections/group-by";
import { companyName, type CompanyName } from "@/lib/domain/companies/company-name";
import { restedMs, restsOf } from "@/lib/domain/learned-week/rest";
import type { Confidence, LearnedWeekFacts, Verdict } from "@/lib/domain/sync";
import { compareText } from "@/lib/domain/text/compare-text";
import type { Feed, TodayCompany, TodayIncident, TroubledFeed } from "@/lib/domain/today/company";
import { compareVerdicts } from "@/lib/domain/verdict";
import { partnerKey, shownName } from "./partner-name";

/** In the order of lists. */
export const STANDINGS = [
  "behind",
  "unseen",
  "cannot_judge",
  "quiet",
  "on_time",
  "paused",
] as const;

/**
 * How a partner stands at a company; exactly one holds.
 * - `behind`: some feed is failing, stale or late outside of planned quiet times
 * - `quiet`: only feeds in a planned quiet time are failing, stale or late
 * - `on_time`: no feed is, and at least one is fresh or due
 * - `cannot_judge`: nothing else is known; some feed is unknown or a webhook
 * - `paused`: all feeds are paused
 * - `unseen`: we can't see the company now
 */
export type Standing = (typeof STANDINGS)[number];

/** A partner at one company. Instants are epoch milliseconds, on the clock of the company's API unless noted. */
export type PartnerAtCompany = CompanyName & {
  confidence: Confidence;
  /** The API's clock minus ours, milliseconds. */
  offsetMs: number;
  /** The company's last complete snapshot, on our clock; null: none. */
  asOfMs: number | null;
  owner: { id: string; name: string } | null;
  /** The partner's name as the company's API writes it; of several forms, that of most feeds. */
  partnerName: string;
  /** Worst first; those in trouble in a planned quiet time last. */
  feeds: readonly Feed[];
  /** Those that are behind, worst first. While the company isn't seen: that were, when it was last seen. */
  hit: readonly TroubledFeed[];
  /** Number of feeds in trouble in a planned quiet time. */
  quiet: number;
  standing: Standing;
  /** The worst that counts; null: not seen. */
  verdict: Verdict | null;
  /** Whether it counts as having the partner: some feed is neither paused nor removed. */
  hasIt: boolean;
  /** When the first trouble of those behind started; null: nothing is behind, or it isn't seen. */
  sinceMs: number | null;
  /** When data of the most overdue one of those behind was due; null: none is overdue. */
  overdueSinceMs: number | null;
  /** The learned week of that one: time in it isn't overdue. Null: it has none. */
  overdueWeek: LearnedWeekFacts | null;
  /** `overdueSinceMs`, moved ahead by the time since then that isn't overdue, as of the snapshot. */
  countedSinceMs: number | null;
  /** The earliest next sync of those behind; null: none is scheduled. */
  nextMs: number | null;
  /** The earliest next sync of any feed that isn't paused; null: none is scheduled, or it isn't seen. */
  nextOfAnyMs: number | null;
  /** The open incident of those behind, or of the partner while the company isn't seen; the first one of several. */
  incident: TodayIncident | null;
};

/**
 * The partners of a company, by `partnerKey`. Names that are equal after normalization are one partner.
 */
export function partnersAt(company: TodayCompany): ReadonlyMap<string, PartnerAtCompany> {
  const names = groupBy(company.partners.keys(), partnerKey);
  return new Map(Array.from(names, ([key, forms]) => [key, partnerAt(company, forms)] as const));
}

function partnerAt(company: TodayCompany, forms: readonly string[]): PartnerAtCompany {
  const { confidence, offsetMs, asOfMs, owner } = company;
  const troubles = company.troubles.filter(({ partner }) => forms.includes(partner));
  const hit = troubles.filter(({ isQuiet }) => !isQuiet).toSorted(compareFeeds);
  const isUnseen = confidence === "blind";
  const quietIds = new Set(troubles.flatMap(({ id, isQuiet }) => (isQuiet ? [id] : [])));
  const feeds = forms
    .flatMap((form) => company.partners.get(form)?.feeds ?? [])
    .toSorted(
      (a, b) => Number(quietIds.has(a.id)) - Number(quietIds.has(b.id)) || compareFeeds(a, b),
    );
  const words = feeds.flatMap(({ id, verdict }) => (quietIds.has(id) ? [] : [verdict]));
  const standing = isUnseen ? "unseen" : standingOf(hit.length, words, quietIds.size);
  const behind = isUnseen ? [] : hit;
  const most = mostOverdue(behind, asOfMs === null ? null : asOfMs + offsetMs);
  return {
    ...companyName(company),
    confidence,
    offsetMs,
    asOfMs,
    owner,
    partnerName: shownName(feeds.map(({ partner }) => partner)),
    feeds,
    hit,
    quiet: quietIds.size,
    standing,
    verdict: isUnseen ? null : verdictOf(standing, words, feeds),
    hasIt: feeds.some(({ verdict, isListed }) => verdict !== "paused" && isListed),
    sinceMs: earliest(behind.map(({ beganMs }) => beganMs)),
    overdueSinceMs: most?.dueMs ?? null,
    overdueWeek: most?.week ?? null,
    countedSinceMs: most?.countedMs ?? null,
    nextMs: earliest(behind.map(({ nextMs }) => nextMs)),
    nextOfAnyMs: isUnseen
      ? null
      : earliest(feeds.map(({ nextMs, verdict }) => (verdict === "paused" ? null : nextMs))),
    incident: firstIncident(hit),
  };
}

type Overdue = { dueMs: number; countedMs: number; week: LearnedWeekFacts | null };

/** @param apiNowMs of the snapshot; null: unknown, so all time counts */
function mostOverdue(behind: readonly TroubledFeed[], apiNowMs: number | null): Overdue | null {
  let most: Overdue | null = null;
  for (const { dueByDataMs, dueMs: dueByAnyMs, learnedWeek: week } of behind) {
    const dueMs = dueByDataMs ?? dueByAnyMs;
    if (dueMs === null) continue;
    const countedMs =
      apiNowMs === null ? dueMs : dueMs + restedMs(restsOf(week, apiNowMs), dueMs, apiNowMs);
    if (most === null || countedMs < most.countedMs) most = { dueMs, countedMs, week };
  }
  return most;
}

function standingOf(behind: number, words: readonly Verdict[], quiet: number): Standing {
  if (behind > 0) return "behind";
  if (quiet > 0) return "quiet";
  if (words.some((word) => word === "fresh" || word === "due")) return "on_time";
  if (words.some((word) => word === "unknown" || word === "webhook")) return "cannot_judge";
  return "paused";
}

/** Feeds in a planned quiet time decide only where nothing else is behind. */
function verdictOf(
  standing: Standing,
  words: readonly Verdict[],
  feeds: readonly Feed[],
): Verdict | null {
  const counted = standing === "quiet" ? feeds.map(({ verdict }) => verdict) : words;
  const judged = counted.filter((word) => word !== "unknown");
  // An unknown feed beside one that is on time doesn't make the whole unknown; the list of feeds shows it.
  const [worst] = (standing === "on_time" ? judged : counted).toSorted(compareVerdicts);
  return worst ?? null;
}

function firstIncident(hit: readonly TroubledFeed[]): TodayIncident | null {
  const incidents = hit.flatMap(({ incident }) => incident ?? []);
  return incidents.reduce<TodayIncident | null>(
    (first, one) => (first === null || one.id < first.id ? one : first),
    null,
  );
}

/** @returns null: none is known */
export function earliest(instants: readonly (number | null)[]): number | null {
  let first: number | null = null;
  for (const ms of instants) if (ms !== null && (first === null || ms < first)) first = ms;
  return first;
}

function compareFeeds(a: Feed, b: Feed): number {
  return (
    compareVerdicts(a.verdict, b.verdict) ||
    (a.dueMs ?? Number.MAX_VALUE) - (b.dueMs ?? Number.MAX_VALUE) ||
    compareText(a.key, b.key) ||
    compareText(a.id, b.id)
  );
}
