import { listed } from "@/lib/domain/text/listed";
import { isPluralName, spokenName } from "./spoken-name";
import type { Confidence, Verdict } from "@/lib/domain/sync";
import { newerDataSentence, type Silence } from "./trouble-words";
import type { Judgement, Reason } from "@/lib/domain/verdict";
import { absoluteTime, atMoment, datedMoment } from "./format";
import { zoneName } from "@/lib/domain/time/zone-name";

/**
 * What customer success may tell a customer, word for word: plain language, no names of fields, no verdict
 * words, no cause that the data does not give. Nothing overdue is called up to date. What is known comes
 * first, what happens next comes last. Instants are epoch milliseconds on the API's clock.
 */

/** One endpoint, in the customer's words a feed. */
export type CustomerFeed = {
  endpointKey: string;
  judgement: Judgement;
  /** The word that counts: the judgement's own, or the snapshot's when our picture is blind. */
  word: Verdict;
};

/** How far what is said can be trusted. */
export type CustomerPicture = {
  confidence: Confidence;
  /** The snapshot's time; null before the first. */
  asOfMs: number | null;
  /** Why this browser hears nothing from Plumbline; null while it does. */
  silence: Silence | null;
};

export type CustomerWords = {
  paragraph: string;
  /** What it was written from, and what it leaves out; not for the customer. */
  writtenFrom: string;
};

/** How a customer hears a feed. */
type State = "behind" | "due" | "current" | "unknown" | "webhook" | "paused";

/** More names than this are a list, not a sentence. */
const MAX_NAMES = 3;
const MINUTE_MS = 60_000;

/**
 * One paragraph about some feeds of one partner.
 * @param feeds at least one, worst first
 * @param when `timeZone`: the zone that the customer reads times in, an IANA name
 */
export function customerWords(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  picture: CustomerPicture,
  when: { nowMs: number; timeZone: string },
): CustomerWords {
  return {
    paragraph: sentencesOf(partnerName, feeds, picture, createClock(when))
      .filter((sentence) => sentence !== "")
      .join(" "),
    writtenFrom: writtenFrom(feeds, picture, when),
  };
}

function sentencesOf(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  picture: CustomerPicture,
  clock: Clock,
): string[] {
  const { asOfMs, confidence } = picture;
  // What Plumbline has seen since is not known here, so nobody can say that it could not check.
  const isCutOff = picture.silence !== null;
  if (asOfMs === null)
    return isCutOff
      ? [`We don’t have any information about ${partnerName} yet.`]
      : [`We haven’t been able to check ${partnerName} yet.`, STILL_CHECKING];
  if (confidence === "blind") return blindSentences(partnerName, feeds, asOfMs, isCutOff, clock);
  // In the order in which they are read: the first time that is told names the zone.
  return [
    ...seenSentences(partnerName, feeds, clock),
    confidence === "delayed" ? `This is as of ${clock.at(asOfMs)}.` : "",
    ...nextSentences(feeds, clock),
  ];
}

const STILL_CHECKING = "We’re still checking.";

function writtenFrom(
  feeds: readonly CustomerFeed[],
  { confidence, asOfMs, silence }: CustomerPicture,
  { timeZone }: { timeZone: string },
): string {
  const cutOff = silence === null ? "" : `${newerDataSentence(silence)} `;
  if (asOfMs === null) return `${cutOff}There’s no data to base this on yet.`;
  const isLimited =
    confidence !== "blind" && feeds.some(({ judgement }) => judgement.overlays.rateLimited);
  const cause = isLimited
    ? "Rate limiting is the only known cause."
    : "The data doesn’t show a cause, so none is given.";
  return `${cutOff}Based on data as of ${absoluteTime(asOfMs, timeZone)}. ${cause}`;
}

// Times

type Clock = {
  nowMs: number;
  /** "14:45 CET", "Wed 18 Nov, 14:45"; the zone is named the first time, and when it changes. */
  at(ms: number): string;
  /** "at 14:45", "on Wed 18 Nov at 14:45 CET" */
  on(ms: number): string;
};

function createClock({ nowMs, timeZone }: { nowMs: number; timeZone: string }): Clock {
  let namedZone = "";
  const withZone = (text: string, ms: number) => {
    const zone = zoneName(ms, timeZone);
    if (zone === namedZone) return text;
    namedZone = zone;
    return `${text} ${zone}`;
  };
  return {
    nowMs,
    at: (ms) => withZone(datedMoment(ms, nowMs, timeZone), ms),
    on: (ms) => withZone(atMoment(ms, nowMs, timeZone), ms),
  };
}

// While nobody looks

function blindSentences(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  asOfMs: number,
  isCutOff: boolean,
  clock: Clock,
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

// What is seen

function seenSentences(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  clock: Clock,
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

function sentencesOfOne(partnerName: string, feed: CustomerFeed, clock: Clock): string[] {
  const name = feedName(partnerName, feed);
  const { landingMs } = feed.judgement.terms;
  // A function, because the clock names its zone in the first time that is really told.
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

/** How many are behind, or else how many are known not to be. */
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

/** The one that the customer will notice first: from when its data is, and what its runs did. */
function furthestSentences(
  feed: CustomerFeed,
  others: readonly CustomerFeed[],
  clock: Clock,
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

/** @param lead names the feed, to be followed by a clause; empty where it is the only one */
function dataSentence(feed: CustomerFeed, lead: string, clock: Clock): string {
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

/** What the record says of attempts that did not bring data; nothing about why. */
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

/** The one cause that the data gives. */
function limitSentence(partnerName: string, feeds: readonly CustomerFeed[]): string {
  const limited = feeds.filter(({ judgement }) => judgement.overlays.rateLimited);
  if (limited.length === 0) return "";
  const of = feeds.length === 1 ? "" : ` of ${named(limited)}`;
  return `${partnerName} limits our requests; the last ${limited.length === 1 ? "sync" : "syncs"}${of} hit that limit.`;
}

/** Feeds whose time has come. Where all are due, the first sentence has said it. */
function dueSentences(feeds: readonly CustomerFeed[]): string[] {
  const due = inState(feeds, "due");
  if (due.length === 0) return [];
  return [
    due.length === feeds.length ? "" : `New data for ${named(due)} is due now.`,
    overdueTail(due),
  ];
}

/** By how much feeds that are due are past their time; empty below a minute. */
function overdueTail(due: readonly CustomerFeed[]): string {
  const [most] = mostOverdueFirst(due);
  if (most === undefined || (most.judgement.terms.latenessMs ?? 0) < MINUTE_MS) return "";
  const upTo = due.length === 1 ? "" : "up to ";
  return `It’s ${upTo}${spanOf(most)} overdue, which is within the usual allowance.`;
}

function unknownSentences(feeds: readonly CustomerFeed[], clock: Clock): string[] {
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

/** The reason that several feeds share; empty when they have different ones. */
function becauseOfAll(feeds: readonly CustomerFeed[]): string {
  const isOfAll = (code: Reason["code"]) =>
    feeds.every(({ judgement: { reasons } }) => reasons.some((reason) => reason.code === code));
  if (isOfAll("not_reported")) return ": the source no longer lists them";
  return isOfAll("never_synced") ? ": no sync has run yet" : "";
}

/** Why nothing is known of a feed; `isPlural`: it is called by a name that takes "are". */
function because(feed: CustomerFeed, clock: Clock, isPlural = false): string {
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

/** What the sentences before have not counted. */
function restSentence(feeds: readonly CustomerFeed[]): string {
  const isAll = (some: readonly CustomerFeed[]) => some.length === feeds.length;
  const current = inState(feeds, "current");
  const pushed = inState(feeds, "webhook");
  const off = inState(feeds, "paused").length;
  const clauses: string[] = [];
  // Without anything behind, the first sentence has said how many are up to date.
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

// What happens next

/** Of those behind when there are any, else of all that run on a schedule. */
function nextSentences(feeds: readonly CustomerFeed[], clock: Clock): string[] {
  const behind = inState(feeds, "behind");
  const awaited =
    behind.length > 0
      ? behind
      : feeds.filter((feed) => stateOf(feed) !== "webhook" && stateOf(feed) !== "paused");
  if (awaited.length === 0)
    return inState(feeds, "webhook").length > 0
      ? []
      : [`Nothing is scheduled until ${feeds.length === 1 ? "it’s" : "they’re"} switched back on.`];
  const running = awaited.filter(
    ({ judgement: { overlays } }) => overlays.syncing && !overlays.stuck,
  );
  if (running.length > 0) return [runningSentence(running, feeds.length === 1)];

  const noun = behind.length > 0 ? "attempt" : "sync";
  const missed = awaited.filter((feed) => missedMs(feed, clock) !== null);
  const [soon, silent] = [true, false].map((isWithin) =>
    missed.filter((feed) => isWithinGrace(feed, clock) === isWithin),
  );
  const times = awaited.flatMap((feed) => upcomingMs(feed, clock) ?? []);
  const isOnly = awaited.length === 1;
  const told = [
    missedSentence(soon ?? [], noun, isOnly, true, clock),
    missedSentence(silent ?? [], noun, isOnly, false, clock),
    scheduledSentence(times, noun, missed.length > 0, isOnly, clock),
  ].filter(Boolean);
  return told.length > 0 ? told : [`No time is set for the next ${noun}; we’re monitoring it.`];
}

function runningSentence(running: readonly CustomerFeed[], isOnly: boolean): string {
  const tail = "you’ll see new data";
  if (isOnly) return `A sync is running now; once it finishes ${tail}.`;
  return running.length === 1
    ? `A sync of ${named(running)} is running now; once it finishes ${tail}.`
    : `Syncs of ${named(running)} are running now; as they finish ${tail}.`;
}

/** The time of a sync that was to have begun, and that nothing shows to have; null for none. */
function missedMs({ judgement: { terms, reasons } }: CustomerFeed, clock: Clock): number | null {
  const { nextMs, landingMs, runStartedMs, graceMs } = terms;
  if (nextMs === null || graceMs === null || nextMs > clock.nowMs) return null;
  if (reasons[0].code === "not_reported") return null;
  const isBefore = (ms: number | null) => ms === null || ms < nextMs;
  return isBefore(landingMs) && isBefore(runStartedMs) ? nextMs : null;
}

function isWithinGrace({ judgement: { terms } }: CustomerFeed, clock: Clock): boolean {
  return clock.nowMs - (terms.nextMs ?? 0) <= (terms.graceMs ?? 0);
}

function upcomingMs({ judgement: { terms, reasons } }: CustomerFeed, clock: Clock): number | null {
  // Without an allowance there is no schedule to keep either.
  if (terms.nextMs === null || terms.graceMs === null || reasons[0].code === "not_reported")
    return null;
  return terms.nextMs > clock.nowMs ? terms.nextMs : null;
}

function missedSentence(
  missed: readonly CustomerFeed[],
  noun: string,
  isOnly: boolean,
  isSoon: boolean,
  clock: Clock,
): string {
  const times = missed.flatMap((feed) => missedMs(feed, clock) ?? []).toSorted((a, b) => a - b);
  const [first] = times;
  const last = times.at(-1);
  if (first === undefined || last === undefined) return "";
  const isOne = missed.length === 1;
  const of = isOnly ? "" : ` of ${named(missed)}`;
  const due = isOne
    ? `The next ${noun}${of} was due ${clock.on(first)}`
    : `The next ${noun}s${of} were due by ${clock.at(last)}`;
  return isSoon
    ? `${due} and should start soon.`
    : `${due}, but we haven’t seen ${isOne ? "it" : "them"} start.`;
}

function scheduledSentence(
  times: readonly number[],
  noun: string,
  hasMissed: boolean,
  isOnly: boolean,
  clock: Clock,
): string {
  const [first, ...later] = times.toSorted((a, b) => a - b);
  if (first === undefined) return "";
  const last = later.at(-1) ?? first;
  const from = clock.at(first);
  const until = clock.at(last);
  const isOneTime = last - first < MINUTE_MS && from.startsWith(until);
  if (hasMissed)
    return isOneTime && later.length === 0
      ? `Another is scheduled for ${from}.`
      : `Others are scheduled ${isOneTime ? `for ${from}` : `between ${from} and ${until}`}.`;
  return isOnly || isOneTime
    ? `The next ${noun} is scheduled for ${from}.`
    : `The next ${noun}s are scheduled between ${from} and ${until}.`;
}

// Words

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

function stateOf({ word, judgement }: CustomerFeed): State {
  const state = STATE_OF_WORD[word];
  // A word that was frozen a moment before the data became overdue.
  return state === "current" && (judgement.terms.latenessMs ?? -1) >= 0 ? "due" : state;
}

function inState(feeds: readonly CustomerFeed[], state: State): CustomerFeed[] {
  return feeds.filter((feed) => stateOf(feed) === state);
}

function mostOverdueFirst(feeds: readonly CustomerFeed[]): CustomerFeed[] {
  const latenessOf = ({ judgement }: CustomerFeed) => judgement.terms.latenessMs ?? -Infinity;
  return feeds.toSorted((a, b) =>
    latenessOf(b) === latenessOf(a) ? 0 : latenessOf(b) - latenessOf(a),
  );
}

function spanOf({ judgement }: CustomerFeed): string {
  return longDuration(judgement.terms.latenessMs ?? 0);
}

function feedName(partnerName: string, { endpointKey }: CustomerFeed): string {
  return `${partnerName} feed “${spokenName(endpointKey)}”`;
}

/** "Drawings", "Drawings and RFIs"; "four feeds" where there are too many to name. */
function named(feeds: readonly CustomerFeed[]): string {
  return feeds.length > MAX_NAMES
    ? `${inWords(feeds.length)} feeds`
    : listed(feeds.map(({ endpointKey }) => spokenName(endpointKey)));
}

const NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split(" ");

function inWords(value: number): string {
  return NUMBERS[value] ?? String(value);
}

/** "both", "all three" */
function all(total: number): string {
  return total === 2 ? "both" : `all ${inWords(total)}`;
}

const are = (count: number) => (count === 1 ? "is" : "are");
const were = (count: number) => (count === 1 ? "was" : "were");
const be = (name: string) => (isPluralName(name) ? "are" : "is");

function capital(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20);
  return text === "" ? "" : first.toUpperCase() + text.slice(first.length);
}

const UNITS: readonly [string, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", MINUTE_MS],
];

/** A span as it is spoken, rounded down, at most two units: "1 hour 10 minutes", "2 days". */
function longDuration(ms: number): string {
  const at = UNITS.findIndex(([, unitMs]) => ms >= unitMs);
  if (at === -1) return "less than a minute";
  let restMs = ms;
  const parts: string[] = [];
  for (const [name, unitMs] of UNITS.slice(at, at + 2)) {
    const units = Math.floor(restMs / unitMs);
    restMs -= units * unitMs;
    if (units > 0) parts.push(`${units} ${name}${units === 1 ? "" : "s"}`);
  }
  return parts.join(" ");
}
