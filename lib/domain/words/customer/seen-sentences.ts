import {
  type CustomerFeed,
  MAX_NAMES,
  stateOf,
  isOverdueBesideQuiet,
  inState,
  mostOverdueFirst,
  spanOf,
  feedName,
  named,
  inWords,
  ofFeeds,
  are,
  be,
  anyOf,
  atMost,
  longDuration,
} from "./feeds";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { ReadingClock } from "./reading-clock";
import { listed } from "@/lib/domain/text/listed";
import { quietTimes } from "@/lib/domain/learned-week/quiet-text";
import type { Reason } from "@/lib/domain/verdict";
import { articleOf, isPluralName, singularName, spokenName } from "@/lib/domain/words/spoken-name";
import { capital } from "@/lib/domain/text/capital";

/** A sync within this time is about to start. */
const SOON_MS = 5 * MINUTE_MS;
/** Of feeds that are quiet at different times. */
export const SOME_TIMES = "at certain times of the week";

/**
 * Current state of feeds: those behind and what is known of them, and those that can't be judged.
 * What isn't wrong is only counted where nothing is behind.
 * @param feeds at least one, worst first
 * @param total number of the partner's feeds, if `feeds` are only those in trouble
 */
export function seenSentences(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  clock: ReadingClock,
  total = feeds.length,
): string[] {
  const [only] = feeds;
  if (feeds.length === 1 && only !== undefined) return sentencesOfOne(partnerName, only, clock);
  const behind = mostOverdueFirst(inState(feeds, "behind"));
  const resting = inState(feeds, "resting");
  const [furthest, ...others] = behind;
  return [
    leadSentence(partnerName, feeds, clock, total),
    ...(furthest === undefined ? [] : dataSentences(furthest, others, clock)),
    ...attemptsSentences(behind),
    limitSentence(partnerName, feeds),
    ...(furthest === undefined ? dueSentences(feeds, clock) : []),
    quietSentence(furthest === undefined ? feeds : behind, clock, feeds.length),
    furthest === undefined && resting.length < total ? restingSentence(resting, clock) : "",
    ...unknownSentences(feeds, clock),
    ...(furthest === undefined ? [restSentence(partnerName, feeds)] : []),
  ];
}

function sentencesOfOne(partnerName: string, feed: CustomerFeed, clock: ReadingClock): string[] {
  const name = feedName(partnerName, feed);
  const { terms, overlays } = feed.judgement;
  const { landingMs } = terms;
  // A function, because the clock names its zone the first time it is used.
  const asOf = () =>
    landingMs === null || overlays.clockSuspect
      ? ""
      : `What you see is from ${clock.at(landingMs)}.`;
  switch (stateOf(feed)) {
    case "behind":
      return [
        `Your ${name} is behind.`,
        capital(`${dataClause(feed, "what you see is", clock)}.`),
        attemptSentence(feed, true),
        quietSentence([feed], clock),
        limitSentence(partnerName, [feed]),
      ];
    case "due":
      return [
        `New data for your ${name} is ${dueWhen([feed], clock)}.`,
        asOf(),
        quietSentence([feed], clock),
      ];
    case "current":
      return [`Your ${name} is up to date.`, asOf()];
    case "resting":
      return [restingSentence([feed], clock, `your ${name}`, false), asOf()];
    case "webhook":
      return [
        `Your ${name} updates in real time.`,
        landingMs === null ? "We haven’t seen any changes yet." : asOf(),
      ];
    case "paused":
      return [`Your ${name} is turned off in ${partnerName}, so no new data is expected.`];
    case "unknown":
      return [
        `We can’t say right now whether your ${name} is up to date${because(feed, clock)}.`,
        limitSentence(partnerName, [feed]),
      ];
  }
}

/** "on Sat and Sun": of all of them, or otherwise that there are such times; empty without feeds. */
function whenQuiet(feeds: readonly CustomerFeed[], { timeZone }: ReadingClock): string {
  const [first = "", ...others] = feeds.map(({ judgement: { reasons } }) => {
    const reason = reasons.find(({ code }) => code === "learned_quiet");
    return reason?.code === "learned_quiet" ? quietTimes(reason, timeZone) : "";
  });
  return others.every((times) => times === first) ? first : SOME_TIMES;
}

/** That data isn't overdue only says that none is expected yet, where quiet times aren't counted. */
function restingSentence(
  resting: readonly CustomerFeed[],
  clock: ReadingClock,
  whose = named(resting),
  areMany = areSeveral(resting),
): string {
  const when = whenQuiet(resting, clock);
  return when === "" ? "" : notExpectedSentence(whose, areMany, when);
}

function areSeveral(feeds: readonly CustomerFeed[]): boolean {
  const [first] = feeds;
  return feeds.length > 1 || (first !== undefined && isPluralName(spokenName(first.endpointKey)));
}

/** @param when "on Sat and Sun" */
export function notExpectedSentence(whose: string, areMany: boolean, when: string): string {
  const [history, they] = areMany ? ["their", "they’re"] : ["its", "it’s"];
  return `No new data is expected yet for ${whose}: judging by ${history} history, ${they} quiet ${when}.`;
}

/** That some of the time isn't counted, where feeds are overdue. @param total number of feeds spoken of */
function quietSentence(
  feeds: readonly CustomerFeed[],
  clock: ReadingClock,
  total = feeds.length,
): string {
  const quiet = feeds.filter(isOverdueBesideQuiet);
  const when = whenQuiet(quiet, clock);
  if (when === "") return "";
  if (total === 1) return `From its history, we expect no new data ${when}.`;
  const history = areSeveral(quiet) ? "their" : "its";
  return `From ${history} history, we expect no new data for ${named(quiet)} ${when}.`;
}

/** The number behind, or otherwise the number known to be on time. */
export function leadSentence(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  clock: ReadingClock,
  total: number,
): string {
  const behind = inState(feeds, "behind").length;
  const current = inState(feeds, "current").length;
  const due = inState(feeds, "due").length;
  const unknown = inState(feeds, "unknown").length;
  const of = (count: number) => ofFeeds(count, total, partnerName);
  const every = of(total);
  if (behind > 0) {
    const names = behind > MAX_NAMES ? "" : named(inState(feeds, "behind"));
    if (names === "") return `${capital(of(behind))} ${are(behind)} behind.`;
    return behind === 1
      ? `${capital(of(behind))}, ${names}, is behind.`
      : `${capital(of(behind))} are behind: ${names}.`;
  }
  if (current > 0) {
    const noneBehind =
      current === total || due > 0
        ? ""
        : `, and none is ${unknown > 0 ? "known to be " : ""}behind`;
    return `${capital(of(current))} ${are(current)} up to date${noneBehind}.`;
  }
  const resting = inState(feeds, "resting");
  if (resting.length === total)
    return restingSentence(resting, clock, anyOf(`your ${partnerName} feeds`, total));
  if (due > 0) return due === total ? `New data is ${dueWhen(feeds, clock)} for ${every}.` : "";
  if (unknown === total)
    return total > MAX_NAMES
      ? `We can’t say right now whether your ${inWords(total)} ${partnerName} feeds are up to date${becauseOfAll(feeds)}.`
      : "";
  if (inState(feeds, "paused").length === total)
    return `${capital(every)} are turned off in ${partnerName}, so no new data is expected.`;
  if (inState(feeds, "webhook").length === total) return `${capital(every)} update in real time.`;
  return `None of your ${inWords(total)} ${partnerName} feeds is known to be behind.`;
}

/** From when their data is: all of it where that is one time, else that of the feed furthest behind. */
function dataSentences(
  furthest: CustomerFeed,
  others: readonly CustomerFeed[],
  clock: ReadingClock,
): string[] {
  const name = spokenName(furthest.endpointKey);
  if (others.length === 0) {
    const isPlural = isPluralName(name);
    const lead = isPlural ? `the ${name} you see are` : "what you see there is";
    return [`${capital(dataClause(furthest, lead, clock))}.`];
  }
  if (areOfOneTime([furthest, ...others], clock))
    return [`What you see there is from ${clock.at(furthest.judgement.terms.landingMs ?? 0)}.`];
  const without = [furthest, ...others].filter(
    ({ judgement }) => judgement.terms.landingMs === null,
  );
  const noneSeen =
    without.length === 0 ? "" : `We haven’t seen any data for ${named(without)} yet.`;
  const isFurthest = others.every((other) => spanOf(other) !== spanOf(furthest));
  const lead = isFurthest ? `${name} ${be(name)} furthest behind: ` : `For ${name}, `;
  const see = isFurthest ? "what you see there is" : "what you see is";
  const overdue = others.filter(({ judgement }) => (judgement.terms.latenessMs ?? 0) > 0);
  return [
    furthest.judgement.terms.landingMs === null
      ? ""
      : `${lead}${dataClause(furthest, see, clock)}.`,
    overdueSentence(overdue, others.length),
    noneSeen,
  ];
}

/** Whether the data of all of them is as of the same minute. */
function areOfOneTime(feeds: readonly CustomerFeed[], clock: ReadingClock): boolean {
  const minutes = feeds.map(({ judgement: { terms } }) =>
    terms.landingMs === null || terms.ageMs === null || terms.landingMs > clock.nowMs
      ? null
      : Math.floor(terms.landingMs / MINUTE_MS),
  );
  return minutes[0] !== null && new Set(minutes).size === 1;
}

/** @param see "what you see is" */
function dataClause(feed: CustomerFeed, see: string, clock: ReadingClock): string {
  const { landingMs, ageMs } = feed.judgement.terms;
  if (landingMs === null) return "we haven’t seen any data yet";
  if (ageMs === null) return "its data is dated in the future, so we can’t say how old it is";
  return `${see} from ${clock.at(landingMs)}; changes since then haven’t come through yet`;
}

/** "Timecards are 44 minutes overdue and Photos 21 minutes." */
function overdueSentence(overdue: readonly CustomerFeed[], others: number): string {
  const [first, ...rest] = overdue;
  if (first === undefined) return "";
  const [longest, shortest] = [spanOf(first), spanOf(overdue.at(-1) ?? first)];
  if (overdue.length >= MAX_NAMES) {
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

/** What attempts that brought no data did; nothing about why. Failures of several feeds are reported together. */
function attemptsSentences(behind: readonly CustomerFeed[]): string[] {
  const stuck = behind.filter(({ judgement }) => isStuck(judgement));
  const failed = behind.filter(
    ({ judgement }) => !isStuck(judgement) && judgement.terms.failureStreak > 0,
  );
  const whose = failed.length === behind.length ? "Their last syncs" : lastSyncsOf(failed);
  const eachOf = (feeds: readonly CustomerFeed[]) =>
    feeds.map((feed) => attemptSentence(feed, false));
  return [
    ...(failed.length < 2 ? eachOf(failed) : [`${whose} didn’t complete.`]),
    ...(stuck.length > MAX_NAMES
      ? [`Syncs of ${named(stuck)} are taking longer than usual.`]
      : eachOf(stuck)),
  ];
}

const lastSyncsOf = (feeds: readonly CustomerFeed[]) => `The last syncs of ${named(feeds)}`;

function isStuck({ overlays, terms }: CustomerFeed["judgement"]): boolean {
  return overlays.stuck && terms.runningForMs !== null;
}

function attemptSentence({ endpointKey, judgement }: CustomerFeed, isOnly: boolean): string {
  const { overlays, terms } = judgement;
  const name = spokenName(endpointKey);
  const of = isOnly ? "" : ` of ${name}`;
  if (overlays.stuck && terms.runningForMs !== null) {
    // Only the verdict's reason has a duration from several runs; it may still be above the present run's.
    const reason = judgement.reasons.find(({ code }) => code === "stuck");
    const typicalMs = reason?.code === "stuck" ? reason.typicalMs : null;
    const normally =
      typicalMs === null || typicalMs >= terms.runningForMs
        ? ""
        : ` that normally takes ${atMost(typicalMs)}`;
    const sync = isOnly ? "A sync" : `${articleOf(name)} ${singularName(name)} sync`;
    return `${sync}${normally} has been running for ${longDuration(terms.runningForMs, 1)}.`;
  }
  const the = isOnly ? "its" : "the";
  if (terms.failureStreak >= 2) {
    const least = terms.isStreakMinimum ? "at least " : "";
    return capital(`${least}${the} last ${inWords(terms.failureStreak)} syncs${of} failed.`);
  }
  return terms.failureStreak === 1 ? capital(`${the} last sync${of} didn’t complete.`) : "";
}

/** The only cause that the data can show. */
function limitSentence(partnerName: string, feeds: readonly CustomerFeed[]): string {
  const limited = feeds.filter(({ judgement }) => judgement.overlays.rateLimited);
  if (limited.length === 0) return "";
  const of = feeds.length === 1 ? "" : ` of ${named(limited)}`;
  return `${partnerName} limits how many requests we can make, and the last ${limited.length === 1 ? "sync" : "syncs"}${of} reached that limit.`;
}

/** Feeds whose time has come, while none is behind. Where all are due, the first sentence has said it. */
function dueSentences(feeds: readonly CustomerFeed[], clock: ReadingClock): string[] {
  const due = inState(feeds, "due");
  if (due.length === 0) return [];
  const when = dueWhen(due, clock);
  const mostMs = Math.max(...due.map(({ judgement }) => judgement.terms.latenessMs ?? 0));
  return [
    due.length === feeds.length ? "" : `${capital(named(due))} ${are(due.length)} ${when}.`,
    due.length > 1 && when === DUE_NOW && mostMs >= MINUTE_MS
      ? `They’re up to ${longDuration(mostMs)} overdue.`
      : "",
  ];
}

const DUE_NOW = "due now";

/** Claims that data comes soon only where a sync runs or starts within minutes, and none has just failed. */
function dueWhen(due: readonly CustomerFeed[], clock: ReadingClock): string {
  const comesSoon = due.every(({ judgement: { overlays, terms } }) => {
    const startsSoon = terms.nextMs !== null && terms.nextMs - clock.nowMs <= SOON_MS;
    return !overlays.singleFailure && (overlays.syncing || startsSoon);
  });
  return comesSoon ? "due any minute" : DUE_NOW;
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
  if (codes.has("nothing_landed")) return ": the source doesn’t say when data last arrived";
  if (codes.has("not_reported")) return `: the source no longer lists ${isPlural ? "them" : "it"}`;
  if (codes.has("landing_in_future"))
    return `: ${isPlural ? "their" : "its"} data is dated in the future`;
  if (!codes.has("no_cadence")) return "";
  const last =
    terms.landingMs === null ? "" : `the last data is from ${clock.at(terms.landingMs)}, and `;
  return `: ${last}we don’t know how often to expect more`;
}

/** Feeds not counted in the sentences before, while none is behind. */
function restSentence(partnerName: string, feeds: readonly CustomerFeed[]): string {
  const isAll = (some: readonly CustomerFeed[]) => some.length === feeds.length;
  const pushed = inState(feeds, "webhook");
  const off = inState(feeds, "paused").length;
  const clauses: string[] = [];
  const [first] = pushed;
  if (pushed.length === 1 && first !== undefined) {
    const name = spokenName(first.endpointKey);
    clauses.push(`${name} ${isPluralName(name) ? "update" : "updates"} in real time`);
  } else if (pushed.length > 0 && !isAll(pushed)) {
    clauses.push(`${inWords(pushed.length)} update in real time`);
  }
  if (off > 0 && off < feeds.length)
    clauses.push(`${inWords(off)} ${are(off)} turned off in ${partnerName}`);
  return clauses.length === 0 ? "" : `${capital(listed(clauses))}.`;
}
