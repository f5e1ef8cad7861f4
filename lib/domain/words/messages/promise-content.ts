import { withContent, type Message } from "@/lib/domain/delivery/message";
import {
  MAX_ITEMS,
  type MessageContent,
  type MessageState,
} from "@/lib/domain/delivery/message-content";
import type { PlannedPromise, PromisedFeed } from "@/lib/domain/delivery/plan-promises";
import { plainName } from "@/lib/domain/text/plain-name";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { createReadingClock } from "@/lib/domain/words/customer/reading-clock";
import { fullMoment } from "@/lib/domain/words/dates";
import { promiseText } from "@/lib/domain/words/deadlines/promise-text";
import { allOf, count, counted, duration } from "@/lib/domain/words/format";
import { OPEN_PLUMBLINE } from "./company-content";
import { capital } from "@/lib/domain/text/capital";

/**
 * What people read about a day of a promise: by when, which feeds, and what is known of each.
 * @param given.company its name, safe in sentences
 * @param given.atMs as of when, on the API's clock; times of another day are dated
 * @param given.writtenMs on the API's clock
 * @param given.timeZone the destination's, an IANA name
 */
export function promiseContent(
  planned: PlannedPromise,
  given: {
    company: string;
    atMs: number;
    writtenMs: number;
    timeZone: string;
    foot: MessageContent["foot"];
  },
): MessageContent {
  const { day, feeds } = planned;
  const { company, atMs, writtenMs, timeZone, foot } = given;
  const clock = createReadingClock({ nowMs: atMs, timeZone });
  const [first] = feeds;
  const isOnePartner = feeds.every(({ partner }) => partner === first?.partner);
  const subject =
    first === undefined || !isOnePartner ? company : `${plainName(first.partner)} at ${company}`;
  const badge = badgeOf(planned);
  const by = clock.at(day.dueMs);
  const allowance =
    day.limitMs > day.dueMs ? [`Data received until ${clock.at(day.limitMs)} counts.`] : [];
  const more = feeds.slice(MAX_ITEMS);
  return {
    title: `${badge}: ${subject}, by ${by}`,
    state: badge === CHANGED ? "neutral" : STATE[planned.tells],
    badge,
    news: [],
    lead: [...leadOf(planned, atMs), ...allowance],
    items: feeds.slice(0, MAX_ITEMS).map((feed) => ({
      name: nameOf(feed, isOnePartner),
      state: FEED_STATE[feed.state],
      how: FEED_TEXT[feed.state],
      facts: factsOf(feed, { dueMs: day.dueMs, nowMs: atMs, timeZone }),
    })),
    more: more.length === 0 ? null : `and ${count(more.length)} more: ${countsText(more)}`,
    fields: [],
    paragraph: null,
    written: fullMoment(writtenMs, timeZone),
    open: OPEN_PLUMBLINE,
    foot,
  };
}

const BADGE: Readonly<Record<PlannedPromise["tells"], string>> = {
  at_risk: "Promise at risk",
  missed: "Promise missed",
  met: "Promise kept",
  ended: "Promise not counted",
};

const CHANGED = "Promise changed";

/** One that is neither met nor missed is called by what became of its feeds. */
function badgeOf({ tells, feeds }: PlannedPromise): string {
  const states = new Set(feeds.map(({ state }) => state));
  if (tells === "at_risk" && !states.has("at_risk")) return CHANGED;
  if (tells !== "ended" || states.size === 0) return BADGE[tells];
  if (states.has("not_observed"))
    return states.has("met") ? "Promise not fully checked" : "Promise not checked";
  return states.size === 1 && states.has("excused") ? "Promise excused" : BADGE.ended;
}

function leadOf({ tells, feeds, day }: PlannedPromise, atMs: number): string[] {
  switch (tells) {
    case "at_risk": {
      const late = feeds.filter(({ state }) => state === "at_risk").length;
      const due = dueText(day.dueMs, atMs);
      if (late > 0) return [due, `${counted(late, "feed")} may be late.`];
      const isInTime = feeds.every(({ state }) => state === "open" || state === "met");
      return isInTime ? [due, "It isn’t at risk any more."] : [due];
    }
    case "missed": {
      const missed = feeds.filter(({ state }) => state === "missed").length;
      return [`${counted(missed, "feed")} received no new data in time.`];
    }
    case "met":
    case "ended":
      return feeds.some(({ state }) => state === "met")
        ? [metText(feeds)]
        : ["It counts as neither kept nor missed."];
  }
}

/** "Due in 38 m." */
function dueText(dueMs: number, nowMs: number): string {
  return dueMs > nowMs
    ? `Due in ${duration(dueMs - nowMs)}.`
    : `Was due ${duration(nowMs - dueMs)} ago.`;
}

/**
 * A warning as it is when it is sent, which may be long after it was written. Other messages don't change.
 * @param nowMs on the API's clock
 */
export function asSent(message: Message, nowMs: number): Message {
  const { content, promise } = message;
  if (message.type !== "promise.at_risk" || content === undefined || promise === undefined)
    return message;
  const [, ...lead] = content.lead;
  const due = dueText(Date.parse(promise.due_at), nowMs);
  return withContent(message, { ...content, lead: [due, ...lead] });
}

/** "2 feeds received data in time, 1 couldn’t be checked." */
function metText(feeds: readonly PromisedFeed[]): string {
  const amount = (is: PromisedFeed["state"]) => feeds.filter(({ state }) => state === is).length;
  const met = amount("met");
  if (met === feeds.length) {
    const which = met === 1 ? "The feed that was" : `${capital(allOf(met))} feeds that were`;
    return `${which} at risk received data in time.`;
  }
  const others = [
    { said: "couldn’t be checked", of: amount("not_observed") },
    { said: "excused", of: amount("excused") },
    { said: "not counted", of: amount("not_judged") },
  ].flatMap(({ said, of }) => (of === 0 ? [] : `${count(of)} ${said}`));
  return `${[`${counted(met, "feed")} received data in time`, ...others].join(", ")}.`;
}

function nameOf({ endpointKey, partner }: PromisedFeed, isOnePartner: boolean): string {
  const name = plainName(endpointKey);
  return isOnePartner ? name : `${plainName(partner)} ${name}`;
}

/** "Next attempt 06:55 usually takes 12 m." Of the moment that the message is about. */
function factsOf(
  { state, attemptMs, usualMs }: PromisedFeed,
  { dueMs, nowMs, timeZone }: { dueMs: number; nowMs: number; timeZone: string },
): string {
  if (state === "not_observed") return "We couldn’t check whether data arrived in time.";
  if (state === "not_judged") return "The promise no longer applied when it was due.";
  if (state !== "at_risk") return "";
  const promise = {
    due_at: iso(dueMs),
    state,
    attempt_at: isoOrNull(attemptMs),
    usually_seconds: usualMs === null ? null : usualMs / 1_000,
    late_seconds: null,
    late_at_most: false,
  };
  const { because } = promiseText(promise, nowMs, { timeZone, isFrozen: false });
  return because === "" ? "" : `${capital(because)}.`;
}

/** "2 missed, 1 kept" */
function countsText(feeds: readonly PromisedFeed[]): string {
  const amounts = new Map<string, number>();
  for (const { state } of feeds) {
    const text = FEED_TEXT[state].toLowerCase();
    amounts.set(text, (amounts.get(text) ?? 0) + 1);
  }
  return [...amounts].map(([text, amount]) => `${count(amount)} ${text}`).join(", ");
}

const FEED_TEXT: Readonly<Record<PromisedFeed["state"], string>> = {
  at_risk: "At risk",
  open: "Not at risk",
  unknown: "Can’t tell yet",
  missed: "Missed",
  not_observed: "Not checked",
  not_judged: "Not counted",
  excused: "Excused",
  met: "Kept",
};

const STATE: Readonly<Record<PlannedPromise["tells"], MessageState>> = {
  at_risk: "late",
  missed: "stale",
  met: "recovered",
  ended: "ended",
};
const FEED_STATE: Readonly<Record<PromisedFeed["state"], MessageState>> = {
  at_risk: "late",
  open: "neutral",
  unknown: "cannot_tell",
  missed: "stale",
  not_observed: "cannot_tell",
  not_judged: "ended",
  excused: "ended",
  met: "recovered",
};
