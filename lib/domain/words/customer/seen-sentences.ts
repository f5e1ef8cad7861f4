import {
  type CustomerFeed,
  MAX_NAMES,
  stateOf,
  inState,
  mostOverdueFirst,
  spanOf,
  feedName,
  named,
  inWords,
  all,
  are,
  be,
  capital,
  longDuration,
} from "./feeds";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { ReadingClock } from "./reading-clock";
import { listed } from "@/lib/domain/text/listed";
import type { Reason } from "@/lib/domain/verdict";
import { isPluralName, spokenName } from "@/lib/domain/words/spoken-name";

/** Current state of feeds: the number behind, then each of those. @param feeds at least one, worst first */
export function seenSentences(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  clock: ReadingClock,
): string[] {
  const [only] = feeds;
  if (feeds.length === 1 && only !== undefined) return sentencesOfOne(partnerName, only, clock);
  const behind = mostOverdueFirst(inState(feeds, "behind"));
  const [furthest, ...others] = behind;
  return [
    leadSentence(partnerName, feeds),
    ...(furthest === undefined ? [] : furthestSentences(furthest, others, clock)),
    ...othersSentences(others),
    limitSentence(partnerName, feeds),
    ...dueSentences(feeds),
    ...unknownSentences(feeds, clock),
    restSentence(feeds),
  ];
}

function sentencesOfOne(partnerName: string, feed: CustomerFeed, clock: ReadingClock): string[] {
  const name = feedName(partnerName, feed);
  const { landingMs } = feed.judgement.terms;
  // A function, because the clock names its zone the first time it is used.
  const asOf = () => (landingMs === null ? "" : `What you see is from ${clock.at(landingMs)}.`);
  switch (stateOf(feed)) {
    case "behind":
      return [
        `Your ${name} is behind.`,
        dataSentence(feed, "", clock),
        attemptsSentence(feed, true),
        limitSentence(partnerName, [feed]),
      ];
    case "due":
      return [`New data for your ${name} is due now.`, overdueTail([feed]), asOf()];
    case "current":
      return [`Your ${name} is up to date.`, asOf()];
    case "webhook":
      return [
        `Your ${name} updates as changes are made.`,
        landingMs === null ? "We haven’t seen any changes yet." : asOf(),
      ];
    case "paused":
      return [`Your ${name} is switched off at the source, so no new data is expected.`];
    case "unknown":
      return [`We can’t say right now whether your ${name} is up to date${because(feed, clock)}.`];
  }
}

/** The number behind, or otherwise the number known to be on time. */
function leadSentence(partnerName: string, feeds: readonly CustomerFeed[]): string {
  const total = feeds.length;
  const behind = inState(feeds, "behind").length;
  const current = inState(feeds, "current").length;
  const due = inState(feeds, "due").length;
  const unknown = inState(feeds, "unknown").length;
  const every = `${all(total)} of your ${partnerName} feeds`;
  const of = (count: number) =>
    count === total ? every : `${inWords(count)} of your ${inWords(total)} ${partnerName} feeds`;
  if (behind > 0) return `${capital(of(behind))} ${are(behind)} behind.`;
  if (current > 0) {
    const noneBehind =
      current === total || due > 0
        ? ""
        : `, and none is ${unknown > 0 ? "known to be " : ""}behind`;
    return `${capital(of(current))} ${are(current)} up to date${noneBehind}.`;
  }
  if (due > 0) return due === total ? `New data is due now for ${every}.` : "";
  if (unknown === total)
    return total > MAX_NAMES
      ? `We can’t say right now whether your ${inWords(total)} ${partnerName} feeds are up to date${becauseOfAll(feeds)}.`
      : "";
  if (inState(feeds, "paused").length === total)
    return `${capital(every)} are switched off at the source, so no new data is expected.`;
  if (inState(feeds, "webhook").length === total)
    return `${capital(every)} update as changes are made.`;
  return `None of your ${inWords(total)} ${partnerName} feeds is known to be behind.`;
}

/** The feed that is furthest behind: when its data is from, and what its runs did. */
function furthestSentences(
  feed: CustomerFeed,
  others: readonly CustomerFeed[],
  clock: ReadingClock,
): string[] {
  const name = spokenName(feed.endpointKey);
  const isFurthest = others.every((other) => spanOf(other) !== spanOf(feed));
  const lead = !isFurthest
    ? `For ${name}, `
    : others.length === 0
      ? `That’s ${name}: `
      : `${name} ${be(name)} furthest behind: `;
  return [dataSentence(feed, lead, clock), attemptsSentence(feed, false)];
}

/** @param lead names the feed, followed by a clause; empty if it is the only one */
function dataSentence(feed: CustomerFeed, lead: string, clock: ReadingClock): string {
  const { landingMs, ageMs } = feed.judgement.terms;
  const clause =
    landingMs === null
      ? "we haven’t seen any data yet"
      : ageMs === null
        ? "its data is dated in the future, so we can’t say how old it is"
        : `what you see${lead.endsWith(": ") ? " there" : ""} is from ${clock.at(landingMs)}, so changes made since then aren’t in yet`;
  return `${lead === "" ? capital(clause) : lead + clause}.`;
}

function othersSentences(others: readonly CustomerFeed[]): string[] {
  const overdue = others.filter(({ judgement }) => (judgement.terms.latenessMs ?? 0) > 0);
  const without = others.filter(({ judgement }) => judgement.terms.landingMs === null);
  return [
    overdueSentence(overdue, others.length),
    without.length === 0 ? "" : `We haven’t seen any data for ${named(without)} yet.`,
    ...others.slice(0, MAX_NAMES).map((feed) => attemptsSentence(feed, false)),
  ];
}

/** "Timecards are 44 minutes overdue and Photos 21 minutes." */
function overdueSentence(overdue: readonly CustomerFeed[], others: number): string {
  const [first, ...rest] = overdue;
  if (first === undefined) return "";
  const [longest, shortest] = [spanOf(first), spanOf(overdue.at(-1) ?? first)];
  if (overdue.length > MAX_NAMES) {
    const who =
      overdue.length === others
        ? `The other ${inWords(others)}`
        : `${capital(inWords(overdue.length))} others`;
    const span = longest === shortest ? longest : `between ${shortest} and ${longest}`;
    return `${who} are ${span} overdue.`;
  }
  if (rest.length > 0 && longest === shortest) return `${named(overdue)} are ${longest} overdue.`;
  const name = spokenName(first.endpointKey);
  const lead = `${name} ${be(name)} ${longest} overdue`;
  return `${listed([lead, ...rest.map((feed) => `${spokenName(feed.endpointKey)} ${spanOf(feed)}`)])}.`;
}

/** Recorded attempts that brought no data, without a reason. */
function attemptsSentence(feed: CustomerFeed, isOnly: boolean): string {
  const { overlays, terms } = feed.judgement;
  const of = isOnly ? "" : ` of ${spokenName(feed.endpointKey)}`;
  if (overlays.stuck && terms.runningForMs !== null)
    return `A sync${of} has been running for ${longDuration(terms.runningForMs)}, which is longer than expected.`;
  const the = isOnly ? "Its" : "The";
  if (terms.failureStreak >= 2)
    return `${the} last ${inWords(terms.failureStreak)} syncs${of} didn’t complete.`;
  return terms.failureStreak === 1 ? `${the} last sync${of} didn’t complete.` : "";
}

/** The only cause that the data can show. */
function limitSentence(partnerName: string, feeds: readonly CustomerFeed[]): string {
  const limited = feeds.filter(({ judgement }) => judgement.overlays.rateLimited);
  if (limited.length === 0) return "";
  const of = feeds.length === 1 ? "" : ` of ${named(limited)}`;
  return `${partnerName} limits our requests; the last ${limited.length === 1 ? "sync" : "syncs"}${of} hit that limit.`;
}

/** Feeds that are due. If all are, the first sentence has said so. */
function dueSentences(feeds: readonly CustomerFeed[]): string[] {
  const due = inState(feeds, "due");
  if (due.length === 0) return [];
  return [
    due.length === feeds.length ? "" : `New data for ${named(due)} is due now.`,
    overdueTail(due),
  ];
}

/** How overdue the due feeds are; empty below a minute. */
function overdueTail(due: readonly CustomerFeed[]): string {
  const [most] = mostOverdueFirst(due);
  if (most === undefined || (most.judgement.terms.latenessMs ?? 0) < MINUTE_MS) return "";
  const upTo = due.length === 1 ? "" : "up to ";
  return `It’s ${upTo}${spanOf(most)} overdue, which is within the usual allowance.`;
}

function unknownSentences(feeds: readonly CustomerFeed[], clock: ReadingClock): string[] {
  const unknown = inState(feeds, "unknown");
  if (unknown.length <= MAX_NAMES)
    return unknown.map(
      (feed) =>
        `We can’t say whether ${spokenName(feed.endpointKey)} ${be(spokenName(feed.endpointKey))} up to date${because(feed, clock, isPluralName(spokenName(feed.endpointKey)))}.`,
    );
  return unknown.length === feeds.length
    ? []
    : [
        `We can’t say whether ${inWords(unknown.length)} feeds are up to date${becauseOfAll(unknown)}.`,
      ];
}

/** The reason that all the feeds share; empty if they differ. */
function becauseOfAll(feeds: readonly CustomerFeed[]): string {
  const isOfAll = (code: Reason["code"]) =>
    feeds.every(({ judgement: { reasons } }) => reasons.some((reason) => reason.code === code));
  if (isOfAll("not_reported")) return ": the source no longer lists them";
  return isOfAll("never_synced") ? ": no sync has run yet" : "";
}

/** Why the state of a feed is unknown; `isPlural`: its name takes "are". */
function because(feed: CustomerFeed, clock: ReadingClock, isPlural = false): string {
  const { reasons, terms } = feed.judgement;
  const codes = new Set<Reason["code"]>(reasons.map(({ code }) => code));
  if (codes.has("never_synced")) return ": no sync has run yet";
  if (codes.has("nothing_landed")) return ": no data has arrived since the last sync";
  if (codes.has("not_reported")) return `: the source no longer lists ${isPlural ? "them" : "it"}`;
  if (codes.has("landing_in_future"))
    return `: ${isPlural ? "their" : "its"} data is dated in the future`;
  if (!codes.has("no_cadence")) return "";
  const last =
    terms.landingMs === null ? "" : `the last data is from ${clock.at(terms.landingMs)}, and `;
  return `: ${last}we don’t know how often to expect more`;
}

/** Feeds not counted in the sentences before. */
function restSentence(feeds: readonly CustomerFeed[]): string {
  const isAll = (some: readonly CustomerFeed[]) => some.length === feeds.length;
  const current = inState(feeds, "current");
  const pushed = inState(feeds, "webhook");
  const off = inState(feeds, "paused").length;
  const clauses: string[] = [];
  // If nothing is behind, the first sentence has counted those up to date.
  if (current.length > 0 && inState(feeds, "behind").length > 0)
    clauses.push(`${inWords(current.length)} more ${are(current.length)} up to date`);
  const [first] = pushed;
  if (pushed.length === 1 && first !== undefined) {
    const name = spokenName(first.endpointKey);
    clauses.push(`${name} ${isPluralName(name) ? "update" : "updates"} as changes are made`);
  } else if (pushed.length > 0 && !isAll(pushed)) {
    clauses.push(`${inWords(pushed.length)} update as changes are made`);
  }
  if (off > 0 && off < feeds.length)
    clauses.push(`${inWords(off)} ${are(off)} switched off at the source`);
  return clauses.length === 0 ? "" : `${capital(listed(clauses))}.`;
}
