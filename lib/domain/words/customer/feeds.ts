import type { ShownPromise } from "@/lib/domain/deadlines/row-promise";
import type { Verdict } from "@/lib/domain/sync";
import { listed } from "@/lib/domain/text/listed";
import type { Judgement } from "@/lib/domain/verdict";
import { isPluralName, spokenName } from "@/lib/domain/words/spoken-name";
import { MINUTE_MS } from "@/lib/domain/time/units";

/** The current promise of a feed, as far as customers are told. `due_at`: ISO 8601 on the API's clock. */
export type CustomerPromise = ShownPromise & {
  /** From `due_at` to the first data seen; null: in time, or none seen yet. */
  late_seconds: number | null;
  /** Earlier data may lie hidden in a time that we couldn't check. */
  late_at_most: boolean;
};

/** One endpoint; customers call it a feed. */
export type CustomerFeed = {
  endpointKey: string;
  judgement: Judgement;
  /** The displayed verdict: the judgement's own, or the snapshot's when blind. */
  word: Verdict;
  /** Its current promise; null: none, undefined: not told here. */
  promise?: CustomerPromise | null | undefined;
};

/** A partner of a customer, with all its feeds there, worst first. */
export type CustomerPartner = { partnerName: string; feeds: readonly CustomerFeed[] };

/** State of a feed as described to customers; `resting`: not overdue, but quiet times of its learned week aren't counted. */
export type State = "behind" | "due" | "current" | "resting" | "unknown" | "webhook" | "paused";

/** Up to this many feeds are named in a sentence. */
export const MAX_NAMES = 4;

const STATE_OF_WORD: Readonly<Record<Verdict, State>> = {
  failing: "behind",
  stale: "behind",
  late: "behind",
  unknown: "unknown",
  due: "due",
  fresh: "current",
  webhook: "webhook",
  paused: "paused",
};

/** State of one feed as described to customers. */
export function stateOf(feed: CustomerFeed): State {
  const state = STATE_OF_WORD[feed.word];
  if (state !== "current") return state;
  // The verdict was frozen just before the data became overdue.
  if ((feed.judgement.terms.latenessMs ?? -1) >= 0) return "due";
  return hasQuiet(feed) ? "resting" : "current";
}

/** Whether it is behind or due although quiet times of its learned week aren't counted. */
export function isOverdueBesideQuiet(feed: CustomerFeed): boolean {
  const state = stateOf(feed);
  return (state === "behind" || state === "due") && hasQuiet(feed);
}

const hasQuiet = ({ judgement: { reasons } }: CustomerFeed) =>
  reasons.some(({ code }) => code === "learned_quiet");

/** The feeds in a state, in input order. */
export function inState(feeds: readonly CustomerFeed[], state: State): CustomerFeed[] {
  return feeds.filter((feed) => stateOf(feed) === state);
}

/** Feeds with unknown lateness come last. */
export function mostOverdueFirst(feeds: readonly CustomerFeed[]): CustomerFeed[] {
  const latenessOf = ({ judgement }: CustomerFeed) => judgement.terms.latenessMs ?? -Infinity;
  return feeds.toSorted((a, b) =>
    latenessOf(b) === latenessOf(a) ? 0 : latenessOf(b) - latenessOf(a),
  );
}

/** How overdue a feed is, spelled out. */
export function spanOf({ judgement }: CustomerFeed): string {
  return longDuration(judgement.terms.latenessMs ?? 0);
}

/** Procore feed “Drawings” */
export function feedName(partnerName: string, { endpointKey }: CustomerFeed): string {
  return `${partnerName} feed “${spokenName(endpointKey)}”`;
}

/** "Drawings", "Drawings and RFIs"; "four feeds" if there are too many to name. */
export function named(feeds: readonly CustomerFeed[]): string {
  return feeds.length > MAX_NAMES
    ? `${inWords(feeds.length)} feeds`
    : listed(feeds.map(({ endpointKey }) => spokenName(endpointKey)));
}

const NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split(" ");

/** "three"; digits above twelve. */
export function inWords(value: number): string {
  return NUMBERS[value] ?? String(value);
}

/** "both", "all three" */
export function all(total: number): string {
  return total === 2 ? "both" : `all ${inWords(total)}`;
}

/** "either of them", "any of them": all of them, where something isn't so. @param whose "them" */
export function anyOf(whose: string, total: number): string {
  return `${total === 2 ? "either" : "any"} of ${whose}`;
}

/** "both of your feeds", "two of your six Procore feeds". @param partnerName null: of all partners */
export function ofFeeds(count: number, total: number, partnerName: string | null = null): string {
  const feeds = partnerName === null ? "feeds" : `${partnerName} feeds`;
  return count === total
    ? `${all(total)} of your ${feeds}`
    : `${inWords(count)} of your ${inWords(total)} ${feeds}`;
}

/** "two Procore feeds", "one Aconex feed": partners without any are left out. */
export function feedsWith(counts: readonly { partnerName: string; count: number }[]): string[] {
  return counts.flatMap(({ partnerName, count }) =>
    count === 0 ? [] : [`${inWords(count)} ${partnerName} ${count === 1 ? "feed" : "feeds"}`],
  );
}

/** The feeds behind, counted by partner: "two Procore feeds". */
export function behindWith(partners: readonly CustomerPartner[]): string[] {
  return feedsWith(
    partners.map(({ partnerName, feeds }) => ({
      partnerName,
      count: inState(feeds, "behind").length,
    })),
  );
}

/** The verb for a count. */
export const are = (count: number) => (count === 1 ? "is" : "are");
export const were = (count: number) => (count === 1 ? "was" : "were");
/** The verb for a feed's name: "RFIs are". */
export const be = (name: string) => (isPluralName(name) ? "are" : "is");

const UNITS: readonly [string, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", MINUTE_MS],
];

/** A duration spelled out, rounded down, at most `most` units: "1 hour 10 minutes", "2 days". */
export function longDuration(ms: number, most = 2): string {
  const at = UNITS.findIndex(([, unitMs]) => ms >= unitMs);
  if (at === -1) return "less than a minute";
  let restMs = ms;
  const parts: string[] = [];
  for (const [name, unitMs] of UNITS.slice(at, at + most)) {
    const units = Math.floor(restMs / unitMs);
    restMs -= units * unitMs;
    if (units > 0) parts.push(`${units} ${name}${units === 1 ? "" : "s"}`);
  }
  return parts.join(" ");
}

/** A usual duration, rounded up: "under a minute", "up to 12 minutes". */
export function atMost(ms: number): string {
  if (ms < MINUTE_MS) return "under a minute";
  const minutes = Math.ceil(ms / MINUTE_MS) * MINUTE_MS;
  return minutes < 2 * 60 * MINUTE_MS
    ? `up to ${longDuration(minutes)}`
    : `up to ${longDuration(Math.ceil(ms / (60 * MINUTE_MS)) * 60 * MINUTE_MS)}`;
}
