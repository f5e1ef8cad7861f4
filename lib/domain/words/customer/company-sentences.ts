import {
  type CustomerFeed,
  type CustomerPartner,
  MAX_NAMES,
  anyOf,
  are,
  feedsWith,
  inState,
  inWords,
  ofFeeds,
  isOverdueBesideQuiet,
} from "./feeds";
import { nextSentences } from "./next-sentences";
import { promiseSentences } from "./promise-sentences";
import type { ReadingClock } from "./reading-clock";
import { leadSentence, notExpectedSentence, seenSentences, SOME_TIMES } from "./seen-sentences";
import { listed } from "@/lib/domain/text/listed";
import { capital } from "@/lib/domain/text/capital";

/**
 * Current state of all feeds of a customer: each partner with feeds behind, most of them first, and
 * how many feeds can't be judged. Partners whose feeds are all right aren't mentioned.
 * @param partners at least one; their feeds worst first
 */
export function companySentences(
  partners: readonly CustomerPartner[],
  clock: ReadingClock,
): string[] {
  const [only] = partners;
  if (partners.length === 1 && only !== undefined) return partnerSentences(only, clock);
  const feeds = partners.flatMap((partner) => partner.feeds);
  const behind = inState(feeds, "behind").length;
  if (behind === 0)
    return [
      currentSentence(feeds),
      dueSentence(feeds),
      quietSentence(feeds),
      restingSentence(feeds),
      unknownSentence(partners),
      ...promiseSentences(feeds, clock),
    ];
  const isBehind = (partner: CustomerPartner) => inState(partner.feeds, "behind").length > 0;
  const troubled = partners
    .filter(isBehind)
    .toSorted((a, b) => inState(b.feeds, "behind").length - inState(a.feeds, "behind").length);
  const names =
    troubled.length > MAX_NAMES
      ? `${inWords(troubled.length)} partners`
      : listed(troubled.map(({ partnerName }) => partnerName));
  return [
    troubled.length === 1
      ? ""
      : `${capital(ofFeeds(behind, feeds.length))} ${are(behind)} behind, across ${names}.`,
    ...troubled.slice(0, MAX_NAMES).flatMap((partner) => partnerSentences(partner, clock)),
    ...troubled
      .slice(MAX_NAMES)
      .map((partner) =>
        partner.feeds.length === 1
          ? (seenSentences(partner.partnerName, partner.feeds, clock)[0] ?? "")
          : leadSentence(partner.partnerName, partner.feeds, clock, partner.feeds.length),
      ),
    unknownSentence([
      ...partners.filter((partner) => !isBehind(partner)),
      ...troubled.slice(MAX_NAMES),
    ]),
  ];
}

function partnerSentences({ partnerName, feeds }: CustomerPartner, clock: ReadingClock): string[] {
  return [
    ...seenSentences(partnerName, feeds, clock),
    ...promiseSentences(feeds, clock),
    ...nextSentences(feeds, clock),
  ];
}

function currentSentence(feeds: readonly CustomerFeed[]): string {
  const total = feeds.length;
  const current = inState(feeds, "current").length;
  const isSure = inState(feeds, "unknown").length === 0;
  if (current === total) return `${capital(ofFeeds(total, total))} are up to date.`;
  const none = `is ${isSure ? "" : "known to be "}behind`;
  return current === 0
    ? `None of your ${inWords(total)} feeds ${none}.`
    : `${capital(ofFeeds(current, total))} ${are(current)} up to date, and none ${none}.`;
}

/** That some of the time isn't counted: feeds of several partners may have the same name. */
function quietSentence(feeds: readonly CustomerFeed[]): string {
  const quiet = feeds.filter(isOverdueBesideQuiet);
  if (quiet.length === 0) return "";
  const [whose, what] = quiet.length === 1 ? ["its", "feed"] : ["their", "feeds"];
  return `From ${whose} history, we expect no new data for ${inWords(quiet.length)} ${what} ${SOME_TIMES}.`;
}

/** Feeds that aren't overdue only because quiet times aren't counted. */
function restingSentence(feeds: readonly CustomerFeed[]): string {
  const resting = inState(feeds, "resting").length;
  if (resting === 0) return "";
  const some = `${inWords(resting)} ${resting === 1 ? "feed" : "feeds"}`;
  const whose = resting === feeds.length ? anyOf("them", resting) : some;
  return notExpectedSentence(whose, resting > 1, SOME_TIMES);
}

function dueSentence(feeds: readonly CustomerFeed[]): string {
  const due = inState(feeds, "due").length;
  return due === 0 ? "" : `${capital(inWords(due))} ${are(due)} due for an update.`;
}

/** Feeds that can't be judged, by partner: only what isn't in sentences about their partner. */
function unknownSentence(partners: readonly CustomerPartner[]): string {
  const unknown = partners.map(({ partnerName, feeds }) => ({
    partnerName,
    count: inState(feeds, "unknown").length,
  }));
  const many = unknown.reduce((sum, { count }) => sum + count, 0);
  return many === 0
    ? ""
    : `We can’t say right now whether ${listed(feedsWith(unknown))} ${are(many)} up to date.`;
}
