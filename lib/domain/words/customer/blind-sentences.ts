import {
  type CustomerFeed,
  type CustomerPartner,
  type State,
  MAX_NAMES,
  behindWith,
  feedName,
  inState,
  inWords,
  named,
  ofFeeds,
  were,
} from "./feeds";
import type { ReadingClock } from "./reading-clock";
import { listed } from "@/lib/domain/text/listed";
import { articleOf } from "@/lib/domain/words/spoken-name";

/** Shown while the company is blind. */
export const STILL_CHECKING = "We’re still checking.";

/**
 * When the last known state was, whether this browser has lost its connection to Plumbline, and whether checks are known
 * to continue.
 */
export type LastSeen = { asOfMs: number; isCutOff: boolean; isChecking: boolean };

/**
 * The last known state of a partner's feeds, while the source can't be checked.
 * @param total number of the partner's feeds, if `feeds` are only those in trouble
 */
export function blindSentences(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  last: LastSeen,
  clock: ReadingClock,
  total = feeds.length,
): string[] {
  const [only] = feeds;
  const subject =
    feeds.length === 1 && only !== undefined ? `your ${feedName(partnerName, only)}` : partnerName;
  const behind = inState(feeds, "behind");
  const names = behind.length > MAX_NAMES ? "" : named(behind);
  return around(subject, last, clock, () =>
    feeds.length === 1 && total === 1 ? thenOfOne(feeds) : thenOfMany(feeds, total, names),
  );
}

/** Same for all partners of a customer. */
export function blindCompanySentences(
  partners: readonly CustomerPartner[],
  last: LastSeen,
  clock: ReadingClock,
): string[] {
  const feeds = partners.flatMap((partner) => partner.feeds);
  const behind = partners.filter((partner) => inState(partner.feeds, "behind").length > 0);
  const names = listed(behindWith(behind));
  const [first] = behind;
  const ofOne =
    first === undefined
      ? ""
      : `${articleOf(first.partnerName).toLowerCase()} ${first.partnerName} feed`;
  return around("your feeds", last, clock, () =>
    thenOfMany(feeds, feeds.length, inState(feeds, "behind").length === 1 ? ofOne : names),
  );
}

function around(
  subject: string,
  { asOfMs, isCutOff, isChecking }: LastSeen,
  clock: ReadingClock,
  then: () => string,
): string[] {
  return [
    isCutOff
      ? `Our latest information about ${subject} is from ${clock.at(asOfMs)}.`
      : `We haven’t been able to check ${subject} since ${clock.at(asOfMs)}.`,
    then(),
    "We don’t know what has changed since.",
    isChecking ? STILL_CHECKING : "",
  ];
}

const THEN: readonly (readonly [State, string])[] = [
  ["behind", "behind"],
  ["current", "up to date"],
  ["due", "due for an update"],
  ["resting", "not yet due for an update"],
];

function thenOfOne(feeds: readonly CustomerFeed[]): string {
  const [, words] = THEN.find(([state]) => inState(feeds, state).length > 0) ?? [];
  return words === undefined ? "" : `It was ${words} then.`;
}

/** Those behind; if none was, how many were up to date and due. @param names of those behind; empty for too many */
function thenOfMany(feeds: readonly CustomerFeed[], total: number, names: string): string {
  const of = (count: number) => ofFeeds(count, total);
  const behind = inState(feeds, "behind").length;
  if (behind > 0) {
    const lead = `At that point, ${of(behind)}`;
    if (names === "") return `${lead} ${were(behind)} behind.`;
    return behind === 1 ? `${lead}, ${names}, was behind.` : `${lead} were behind: ${names}.`;
  }
  const [first, ...others] = THEN.flatMap(([state, words]) => {
    const count = inState(feeds, state).length;
    return count === 0 ? [] : [{ count, words }];
  });
  if (first === undefined) return "";
  const rest = others.map(({ count, words }) => `${inWords(count)} ${were(count)} ${words}`);
  return `At that point, ${listed([`${of(first.count)} ${were(first.count)} ${first.words}`, ...rest])}.`;
}
