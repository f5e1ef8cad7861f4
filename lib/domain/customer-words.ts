import type { Confidence, Verdict } from "./sync";
import type { Judgement, Reason } from "./verdict";
import { absoluteTime, moment, zoneName } from "./wording";

/**
 * What customer success may tell a customer, word for word. Plain language: no names of fields, no
 * verdict words, no cause that the data does not give. What is known comes first, what happens next
 * comes last. Instants are epoch milliseconds on the API's clock.
 */

/** One endpoint, in the customer's words a feed. */
export type CustomerFeed = {
  endpointKey: string;
  judgement: Judgement;
  /** The word that counts: the judgement's own, or the snapshot's when our picture is blind. */
  word: Verdict;
};

export type CustomerWords = {
  paragraph: string;
  /** What it was written from, and what it leaves out; not for the customer. */
  writtenFrom: string;
};

/** Verdicts that a customer hears as "behind". */
const BEHIND: ReadonlySet<Verdict> = new Set(["failing", "stale", "late"]);
/** More names than this are a list, not a sentence. */
const MAX_NAMES = 3;

/**
 * One paragraph about some feeds of one partner.
 * @param feeds at least one, worst first
 * @param picture how far our own picture can be trusted, and the snapshot's time; null before the first
 * @param when `timeZone`: the zone that the customer reads times in, an IANA name
 */
export function customerWords(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  picture: { confidence: Confidence; asOfMs: number | null },
  when: { nowMs: number; timeZone: string },
): CustomerWords {
  const clock = createClock(when);
  const { asOfMs, confidence } = picture;
  const sentences =
    asOfMs === null
      ? [`We have not been able to check ${partnerName} yet.`, STILL_CHECKING]
      : confidence === "blind"
        ? blindWords(partnerName, feeds, asOfMs, clock)
        : seenWords(partnerName, feeds, clock);
  return {
    paragraph: sentences.filter((sentence) => sentence !== "").join(" "),
    writtenFrom: writtenFrom(feeds, picture, when),
  };
}

const STILL_CHECKING = "Checking goes on by itself, and the next answer will show it.";

type Clock = {
  nowMs: number;
  /** "14:45", with the zone the first time; the day is named unless it is today. */
  at(ms: number): string;
};

function createClock({ nowMs, timeZone }: { nowMs: number; timeZone: string }): Clock {
  let hasNamedZone = false;
  return {
    nowMs,
    at(ms) {
      const text = moment(ms, nowMs, timeZone);
      if (hasNamedZone) return text;
      hasNamedZone = true;
      return `${text} ${zoneName(ms, timeZone)}`;
    },
  };
}

function writtenFrom(
  feeds: readonly CustomerFeed[],
  { confidence, asOfMs }: { confidence: Confidence; asOfMs: number | null },
  { timeZone }: { timeZone: string },
): string {
  if (asOfMs === null) return "Nothing has been read yet, so there is nothing to write from.";
  const isLimited =
    confidence !== "blind" && feeds.some(({ judgement }) => judgement.overlays.rateLimited);
  const cause = isLimited
    ? "It names no cause but the limit on requests, because the data gives no other."
    : "It does not name a cause, because the data does not give one.";
  return `Written from the data as of ${absoluteTime(asOfMs, timeZone)}. ${cause}`;
}

function blindWords(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  asOfMs: number,
  clock: Clock,
): string[] {
  const behind = feeds.filter(({ word }) => BEHIND.has(word)).length;
  const onTime = feeds.filter(({ word }) => isOnTime(word)).length;
  const counts = [
    behind > 0
      ? `${inWords(behind)} of ${inWords(feeds.length)} ${are(behind, "were")} behind`
      : "",
    onTime > 0 ? `${inWords(onTime)} ${are(onTime, "were")} up to date` : "",
  ].filter(Boolean);
  return [
    `We have not been able to check ${partnerName} since ${clock.at(asOfMs)}.`,
    counts.length === 0 ? "" : `At that time ${counts.join(" and ")}.`,
    "What has happened since then is not known.",
    STILL_CHECKING,
  ];
}

function seenWords(partnerName: string, feeds: readonly CustomerFeed[], clock: Clock): string[] {
  const behind = feeds
    .filter(({ word }) => BEHIND.has(word))
    .toSorted((a, b) => latenessOf(b) - latenessOf(a));
  const unknown = feeds.filter(({ word }) => word === "unknown");
  const [furthest, ...others] = behind;
  return [
    leadSentence(partnerName, feeds, behind.length, clock),
    ...(furthest === undefined ? [] : furthestSentences(furthest, feeds.length, clock)),
    othersSentence(others),
    attemptsSentence(others),
    limitSentence(partnerName, feeds),
    ...(feeds.length === 1 ? [] : unknownSentences(unknown, clock)),
    restSentence(feeds, behind.length, unknown.length),
    nextSentence(feeds, behind, clock),
  ];
}

function leadSentence(
  partnerName: string,
  feeds: readonly CustomerFeed[],
  behind: number,
  clock: Clock,
): string {
  const total = feeds.length;
  const [only] = feeds;
  if (total === 1 && only !== undefined) return leadOfOne(partnerName, only, clock);
  if (behind === total) return `All ${inWords(total)} of your ${partnerName} feeds are behind.`;
  if (behind > 0)
    return `${capital(inWords(behind))} of your ${inWords(total)} ${partnerName} feeds ${are(behind)} behind.`;
  const words = new Set(feeds.map(({ word }) => (isOnTime(word) ? "on_time" : word)));
  if (words.has("on_time")) {
    const scheduled = feeds.filter(({ word }) => isOnTime(word)).length;
    return scheduled === total
      ? `All ${inWords(total)} of your ${partnerName} feeds are up to date.`
      : `${capital(inWords(scheduled))} of your ${inWords(total)} ${partnerName} feeds ${are(scheduled)} up to date, and none is ${words.has("unknown") ? "known to be " : ""}behind.`;
  }
  if (words.size === 1 && words.has("paused"))
    return `All ${inWords(total)} of your ${partnerName} feeds are switched off at the source, so no new data is expected.`;
  if (words.size === 1 && words.has("webhook"))
    return `All ${inWords(total)} of your ${partnerName} feeds arrive as things happen.`;
  return `None of your ${inWords(total)} ${partnerName} feeds is known to be behind.`;
}

function leadOfOne(partnerName: string, feed: CustomerFeed, clock: Clock): string {
  const name = `${partnerName} feed “${plainName(feed)}”`;
  const { landingMs } = feed.judgement.terms;
  // A function, because the clock names its zone in the first time that is really told.
  const asOf = () => (landingMs === null ? "" : ` What you see is from ${clock.at(landingMs)}`);
  switch (feed.word) {
    case "failing":
    case "stale":
    case "late":
      return `Your ${name} is behind.`;
    case "due":
      return `Your ${name} is up to date.${asOf()}, and new data is due now.`;
    case "fresh":
      return `Your ${name} is up to date.${asOf()}.`;
    case "webhook":
      return `Your ${name} arrives as things happen.${landingMs === null ? "" : `${asOf()}.`}`;
    case "paused":
      return `Your ${name} is switched off at the source, so no new data is expected.`;
    case "unknown": {
      const why = whyUnknown(feed.judgement, clock);
      return `We cannot say right now whether your ${name} is up to date${why === "" ? "" : `: ${why}`}.`;
    }
  }
  return feed.word satisfies never;
}

/** The one that the customer will notice first: from when its data is, and what its runs did. */
function furthestSentences(feed: CustomerFeed, total: number, clock: Clock): string[] {
  const { terms } = feed.judgement;
  const name = capital(plainName(feed));
  const data =
    terms.landingMs === null || terms.ageMs === null
      ? `${total === 1 ? "No" : `For ${plainName(feed)} no`} data has arrived that we know of.`
      : `${total === 1 ? "What you see" : `${name} is the furthest: what you see there`} is from ${clock.at(terms.landingMs)}, so changes made since then are not in yet.`;
  return [data, attemptsSentence([feed], total === 1 ? "Its" : undefined)];
}

function othersSentence(others: readonly CustomerFeed[]): string {
  const overdue = others.flatMap((feed) => {
    const { latenessMs } = feed.judgement.terms;
    return latenessMs !== null && latenessMs > 0 ? [{ feed, latenessMs }] : [];
  });
  const [first] = overdue;
  const last = overdue.at(-1);
  if (first === undefined || last === undefined) return "";
  if (overdue.length === 1)
    return `${capital(plainName(first.feed))} is ${longDuration(first.latenessMs)} overdue.`;
  const names = overdue.map(({ feed }) => plainName(feed));
  if (overdue.length <= MAX_NAMES) {
    const spans = overdue.map(({ latenessMs }) => longDuration(latenessMs));
    return `${capital(listed(names))} are ${listed(spans)} overdue.`;
  }
  const range =
    longDuration(last.latenessMs) === longDuration(first.latenessMs)
      ? longDuration(first.latenessMs)
      : `between ${longDuration(last.latenessMs)} and ${longDuration(first.latenessMs)}`;
  return `The other ${inWords(overdue.length)} are ${range} overdue.`;
}

/** What the record says of attempts that did not bring data; nothing about why. */
function attemptsSentence(feeds: readonly CustomerFeed[], subject?: string): string {
  return feeds
    .slice(0, MAX_NAMES)
    .flatMap((feed) => {
      const { overlays, terms } = feed.judgement;
      const of = subject === undefined ? ` of ${plainName(feed)}` : "";
      const the = subject ?? "The";
      if (overlays.stuck && terms.runningForMs !== null)
        return [
          `${subject === undefined ? `A sync of ${plainName(feed)}` : "A sync"} has been running for ${longDuration(terms.runningForMs)}, longer than it should.`,
        ];
      if (terms.failureStreak >= 2)
        return [`${the} last ${inWords(terms.failureStreak)} syncs${of} did not complete.`];
      if (terms.failureStreak === 1) return [`${the} last sync${of} did not complete.`];
      return [];
    })
    .join(" ");
}

/** The one cause that the data gives. */
function limitSentence(partnerName: string, feeds: readonly CustomerFeed[]): string {
  const limited = feeds.filter(({ judgement }) => judgement.overlays.rateLimited);
  if (limited.length === 0) return "";
  const which =
    feeds.length === 1
      ? ""
      : limited.length <= MAX_NAMES
        ? ` for ${listed(limited.map(plainName))}`
        : ` for ${inWords(limited.length)} feeds`;
  return `${partnerName} limits how often it may be asked, and the last sync${which} met that limit.`;
}

function unknownSentences(unknown: readonly CustomerFeed[], clock: Clock): string[] {
  if (unknown.length > MAX_NAMES)
    return [`For ${inWords(unknown.length)} feeds we cannot say whether they are up to date.`];
  return unknown.map((feed) => {
    const why = whyUnknown(feed.judgement, clock);
    return `For ${plainName(feed)} we cannot say whether it is up to date${why === "" ? "" : `: ${why}`}.`;
  });
}

function whyUnknown({ reasons, terms }: Judgement, clock: Clock): string {
  const codes = new Set<Reason["code"]>(reasons.map(({ code }) => code));
  if (codes.has("never_synced")) return "it has not synced yet";
  if (codes.has("nothing_landed")) return "no data has arrived since its last sync";
  if (codes.has("not_reported")) return "it is no longer listed";
  if (codes.has("no_cadence")) {
    const last =
      terms.landingMs === null ? "" : `its last data is from ${clock.at(terms.landingMs)}, and `;
    return `${last}how often it should arrive is not known`;
  }
  if (codes.has("landing_in_future")) return "its data carries a time that has not come yet";
  return "";
}

function restSentence(feeds: readonly CustomerFeed[], behind: number, unknown: number): string {
  if (feeds.length === 1) return "";
  const onTime = feeds.filter(({ word }) => isOnTime(word)).length;
  const pushed = feeds.filter(({ word }) => word === "webhook");
  const off = feeds.filter(({ word }) => word === "paused").length;
  const clauses: string[] = [];
  // Without anything behind, the first sentence has said how many are up to date.
  if (onTime > 0 && behind > 0)
    clauses.push(
      `${inWords(onTime)} ${behind + unknown > 0 ? "more " : ""}${are(onTime)} up to date`,
    );
  if (pushed.length > 0 && pushed.length < feeds.length)
    clauses.push(
      pushed.length === 1
        ? `${pushed.map(plainName).join("")} arrives as things happen`
        : `${inWords(pushed.length)} arrive as things happen`,
    );
  if (off > 0 && off < feeds.length)
    clauses.push(`${inWords(off)} ${are(off)} switched off at the source`);
  return clauses.length === 0 ? "" : `${capital(listed(clauses))}.`;
}

/** What happens next: of those behind when there are any, else of all that run on a schedule. */
function nextSentence(
  feeds: readonly CustomerFeed[],
  behind: readonly CustomerFeed[],
  clock: Clock,
): string {
  const awaited = behind.length > 0 ? behind : feeds.filter(({ word }) => !UNSCHEDULED.has(word));
  const running = awaited.filter(
    ({ judgement }) => judgement.overlays.syncing && !judgement.overlays.stuck,
  );
  if (running.length > 0) {
    if (feeds.length === 1) return "A sync is running now; if it completes, the new data is in.";
    return running.length === 1
      ? `A sync of ${listed(running.map(plainName))} is running now; if it completes, its new data is in.`
      : `Syncs of ${running.length <= MAX_NAMES ? listed(running.map(plainName)) : `${inWords(running.length)} feeds`} are running now; as they complete, their new data comes in.`;
  }
  if (awaited.length === 0) {
    return feeds.some(({ word }) => word === "webhook")
      ? "New data comes as soon as something happens at the source."
      : "Nothing is planned until it is switched on again at the source.";
  }
  const times = awaited
    .flatMap(({ judgement: { terms } }) =>
      terms.nextMs !== null && terms.nextMs > clock.nowMs ? [terms.nextMs] : [],
    )
    .toSorted((a, b) => a - b);
  const [first] = times;
  const last = times.at(-1);
  const noun = behind.length > 0 ? "attempt" : "sync";
  if (first === undefined || last === undefined)
    return `When the next ${noun} runs is not known; we keep watching.`;
  if (awaited.length === 1) return `The next ${noun} is planned for ${clock.at(first)}.`;
  const from = clock.at(first);
  const until = clock.at(last);
  return from.startsWith(until) || first === last
    ? `The next ${noun} is planned for ${from}.`
    : `The next ${noun}s are planned between ${from} and ${until}.`;
}

const UNSCHEDULED: ReadonlySet<Verdict> = new Set(["webhook", "paused"]);

function isOnTime(word: Verdict): boolean {
  return word === "fresh" || word === "due";
}

function latenessOf({ judgement }: CustomerFeed): number {
  return judgement.terms.latenessMs ?? -Infinity;
}

/** A key as a person would say it: "daily_logs" becomes "daily logs". */
function plainName({ endpointKey }: CustomerFeed): string {
  return endpointKey.replaceAll(/[_-]+/g, " ").trim() || endpointKey;
}

const NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split(" ");

function inWords(value: number): string {
  return NUMBERS[value] ?? String(value);
}

function are(howMany: number, plural = "are"): string {
  if (howMany !== 1) return plural;
  return plural === "were" ? "was" : "is";
}

function capital(text: string): string {
  const first = String.fromCodePoint(text.codePointAt(0) ?? 0x20);
  return text === "" ? "" : first.toUpperCase() + text.slice(first.length);
}

function listed(parts: readonly string[]): string {
  if (parts.length < 2) return parts.join("");
  return `${parts.slice(0, -1).join(", ")} and ${parts.at(-1) ?? ""}`;
}

const UNITS: readonly [string, number][] = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
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
