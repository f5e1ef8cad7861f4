import { isTrouble } from "@/lib/domain/incidents/incident";
import type { Verdict } from "@/lib/domain/sync";
import {
  todayCompany,
  type CompanyFacts,
  type Feed,
  type TodayCompany,
  type TroubledFeed,
} from "@/lib/domain/today/company";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { partnersAt, type PartnerAtCompany } from "./partner-at-company";

export const NOW_MS = Date.parse("2026-11-24T14:20:00Z");

/** Minutes before `NOW_MS`; negative: after it. */
export const minutesAgo = (minutes: number) => NOW_MS - minutes * MINUTE_MS;

type FeedFacts = Partial<Omit<Feed, "verdict">>;
export type FeedGiven = FeedFacts & {
  verdict: Verdict;
  /** Minutes since its trouble started. */
  began?: number;
  isQuiet?: boolean;
  /** Id of its open incident. */
  incident?: number;
};

const NO_HANDS = {
  ownerId: null,
  acknowledgedById: null,
  companyOwnerId: null,
  standInId: null,
};

/** A company with some feeds, which are Procore's unless given. */
export function companyWith(
  slug: string,
  given: readonly FeedGiven[],
  more: Partial<CompanyFacts> = {},
): TodayCompany {
  const feeds = given.map((one, at): Feed => ({
    id: `${slug}-${at}`,
    key: `key-${at}`,
    searchText: `key-${at}`,
    partner: "Procore",
    landedMs: minutesAgo(90),
    nextMs: null,
    dueMs: null,
    dueByDataMs: null,
    lastRun: null,
    isListed: true,
    promise: null,
    learnedWeek: null,
    ...feedOf(one),
  }));
  const troubles = feeds.flatMap((feed, at): TroubledFeed[] => {
    const { verdict } = feed;
    const { began = 20, isQuiet = false, incident } = given[at] ?? {};
    if (!isTrouble(verdict)) return [];
    return [
      {
        ...feed,
        verdict,
        beganMs: minutesAgo(began),
        isQuiet,
        incident:
          incident === undefined
            ? null
            : { id: incident, acknowledged: null, told: null, hands: NO_HANDS },
      },
    ];
  });
  return todayCompany({
    slug,
    name: slug.toUpperCase(),
    confidence: "live",
    reason: null,
    asOfMs: minutesAgo(1),
    offsetMs: 0,
    owner: null,
    standIn: null,
    hands: { companyOwnerId: null, standInId: null },
    feeds,
    troubles,
    ...more,
  });
}

function feedOf(given: FeedGiven): FeedFacts & Pick<FeedGiven, "verdict"> {
  const feed = { ...given };
  delete feed.began;
  delete feed.isQuiet;
  delete feed.incident;
  return feed;
}

/** Procore at a company with these feeds of it. */
export function procoreAt(
  slug: string,
  feeds: readonly FeedGiven[],
  more: Partial<CompanyFacts> = {},
): PartnerAtCompany {
  const found = partnersAt(companyWith(slug, feeds, more)).get("Procore");
  if (found === undefined) throw new Error("no feed of Procore");
  return found;
}
