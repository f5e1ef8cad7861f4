import { type CustomerFeed, type State, inState, feedName, inWords, all, were } from "./feeds";
import type { ReadingClock } from "./reading-clock";
import { listed } from "@/lib/domain/text/listed";

/** Shown while the company is blind. */
export const STILL_CHECKING = "We’re still checking.";

/**
 * The last known state, while the source can't be checked.
 * @param asOfMs when that was
 * @param isCutOff whether this browser has lost its connection to Plumbline
 */
export function blindSentences(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  asOfMs: number,
  isCutOff: boolean,
  clock: ReadingClock,
): string[] {
  const [only] = feeds;
  const subject =
    feeds.length === 1 && only !== undefined ? `your ${feedName(partnerName, only)}` : partnerName;
  return [
    isCutOff
      ? `Our latest information about ${subject} is from ${clock.at(asOfMs)}.`
      : `We haven’t been able to check ${subject} since ${clock.at(asOfMs)}.`,
    thenSentence(feeds),
    "We don’t know what has changed since.",
    isCutOff ? "" : STILL_CHECKING,
  ];
}

const THEN: readonly (readonly [State, string])[] = [
  ["behind", "behind"],
  ["current", "up to date"],
  ["due", "due for an update"],
];

function thenSentence(feeds: readonly CustomerFeed[]): string {
  const total = feeds.length;
  const counts = THEN.flatMap(([state, words]) => {
    const count = inState(feeds, state).length;
    return count === 0 ? [] : [{ count, words }];
  });
  const [first, ...others] = counts;
  if (first === undefined) return "";
  if (total === 1) return `It was ${first.words} then.`;
  if (first.count === total)
    return `At that point, ${all(total)} of your feeds were ${first.words}.`;
  const lead = `${inWords(first.count)} of your ${inWords(total)} feeds ${were(first.count)} ${first.words}`;
  const rest = others.map(({ count, words }) => `${inWords(count)} ${were(count)} ${words}`);
  return `At that point, ${listed([lead, ...rest])}.`;
}
