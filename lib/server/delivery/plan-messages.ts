import { type Blindness } from "@/lib/domain/delivery/blindness";
import type { ChannelKind } from "@/lib/domain/delivery/channel";
import {
  isOutOfOrder,
  planCompany,
  withoutMissedReminders,
  type Followed,
  type Follows,
  type Planned,
} from "@/lib/domain/delivery/plan";
import type { Carried } from "@/lib/domain/delivery/plan-group";
import { withContent } from "@/lib/domain/delivery/message";
import {
  keyOfPromise,
  planPromises,
  type WrittenWarning,
} from "@/lib/domain/delivery/plan-promises";
import { rulesOnClock, type OtherClock, type PlannedRule } from "@/lib/domain/delivery/rule";
import { sharedShiftMs } from "@/lib/domain/fleet-incidents/shared-axis";
import type { NewDelivery } from "@/lib/server/store/delivery/outbox";
import type { CompanyFeeds } from "@/lib/domain/words/messages/company-feeds";
import { compose, composePromise, messageId, type MessageContext } from "./compose";
import { OPEN_WIDER, WIDER_FOOT, widerText } from "./words";

/** A destination and its rules. */
export type Destination = Pick<
  NewDelivery,
  "destination" | "to" | "channelId" | "personId" | "toName"
> & {
  rules: readonly PlannedRule[];
  /** Of times in its messages, an IANA name. */
  timeZone: string;
  follows: Follows;
  /** Changes before this instant aren't sent, epoch milliseconds. */
  followsFromMs: number;
};

/** How a kind of channel follows incidents. */
export function followsOf(kind: ChannelKind): Follows {
  if (kind === "webhook") return "every";
  return kind === "slack_app" ? "edits" : "worse";
}

/** A due message, written on demand: most of a rehearsal is only counted. */
export type Draft = Omit<NewDelivery, "id" | "message" | "type"> & {
  /** Its partner; null: it isn't about one. */
  partner: string | null;
  write: (feeds: CompanyFeeds | null) => Pick<NewDelivery, "id" | "message">;
};

/** Writes a draft. @param feeds of the partners of all drafts; null: it is about the past */
export function written(draft: Draft, feeds: CompanyFeeds | null): NewDelivery {
  const { write, partner: _, ...row } = draft;
  const { id, message } = write(feeds);
  return { ...row, id, message, type: message.type };
}

/** The part of a destination that is written with its messages. */
export function addressOf({
  destination,
  to,
  channelId,
  personId,
  toName,
}: Destination): Pick<NewDelivery, "destination" | "to" | "channelId" | "personId" | "toName"> {
  return { destination, to, channelId, personId, toName };
}

/** A message of a company as a draft. @param given.all its other due messages: a summary covers several */
export function draftOf(
  one: Planned,
  destination: Destination,
  context: MessageContext,
  { all, nowMs }: { all: readonly Planned[]; nowMs: number },
): Draft {
  const { rules, timeZone } = destination;
  const { slug } = context.company;
  const idOf = (key: string) => messageId(destination.destination, slug, key);
  const incidentId = "timeline" in one ? one.timeline.incidentId : null;
  return {
    ...addressOf(destination),
    key: one.key,
    company: slug,
    about: null,
    incidentId,
    // `sight:` is stored.
    thread: `${slug}/${incidentId ?? one.key.replace(/^(blind|seen_again):/, "sight:")}`,
    partner: "timeline" in one ? one.timeline.partner : null,
    write: (feeds) => {
      const id = idOf(one.key);
      const to = { name: destination.toName, isOwn: destination.to !== "channel" };
      const writing = { id, all, rules, to, timeZone, writtenMs: nowMs, feeds };
      return { id, message: compose(one, writing, context) };
    },
    includedIn: one.includedIn === null ? null : idOf(one.includedIn),
    dueMs: one.dueMs,
  };
}

/**
 * An edit of the message about an incident that was opened before messages about several reported it, for channels that
 * can edit. Nothing is posted in its thread but its ending.
 * @param one the edit, under a key of its own
 * @param given.wider title of the message that reports it from now on, and the page about it; null: the incident ended
 */
export function editOf(
  one: Planned,
  destination: Destination,
  context: MessageContext,
  { wider, nowMs }: { wider: { title: string; url: string } | null; nowMs: number },
): Draft {
  const draft = draftOf(one, destination, context, { all: [one], nowMs });
  return {
    ...draft,
    write: (feeds) => {
      const { id, message } = draft.write(feeds);
      if (message.content === undefined) return { id, message };
      const { lead, foot, ...content } = message.content;
      const said = wider === null ? [] : [widerText(wider.title)];
      const where =
        wider === null ? [] : [{ text: WIDER_FOOT, link: { label: OPEN_WIDER, url: wider.url } }];
      const edited = { ...content, news: [], lead: [...lead, ...said], foot: [...where, ...foot] };
      return { id, message: withContent(message, edited) };
    },
  };
}

/** Due messages, and when another becomes due if nothing changes: see `planCompany` and `planPromises`. */
type PlannedDrafts = { drafts: Draft[]; nextMs: number };

/**
 * Due messages of one company for a destination, for sending and for rehearsals.
 * @param given.openings when the destination was notified of incidents' openings, by id
 * @param given.opening see `planCompany`; a rehearsal includes what follows
 * @param given.carried see `planCompany`, like `waitMs`
 * @param given.isKnown whether a message was already written; omitted: none was
 * @param given.followed what was written about incidents, by id; omitted: nothing
 */
export function planMessages(
  destination: Destination,
  context: MessageContext,
  given: {
    blindnesses: readonly Blindness[];
    nowMs: number;
    waitMs: number;
    longerWaits: ReadonlyMap<number, number>;
    openings: ReadonlyMap<number, number>;
    opening: ReadonlySet<number>;
    carried: ReadonlyMap<number | string, Carried>;
    isKnown?: (id: string) => boolean;
    followed?: ReadonlyMap<number, Followed> | undefined;
  },
): PlannedDrafts {
  const { company, record } = context;
  const { nowMs, followed = NOT_FOLLOWED } = given;
  const apiClock = clockOf(record, nowMs);
  const { aheadMs } = apiClock;
  const { due: planned, nextMs } = planCompany({
    ...destination,
    rules: rulesOnClock(destination.rules, apiClock),
    followsFromMs: destination.followsFromMs + aheadMs,
    company: company.slug,
    care: record.care,
    timelines: record.incidents.map(({ timeline }) => timeline),
    blindnesses: given.blindnesses,
    gaps: record.gaps,
    untilMs: record.observedMs ?? -Infinity,
    nowMs,
    waitMs: given.waitMs,
    longerWaits: given.longerWaits,
    openings: given.openings,
    opening: given.isKnown === undefined ? NONE_OPENING : given.opening,
    followed,
    carried: given.carried,
  });
  // A rehearsal includes everything that would have been sent.
  const due =
    given.isKnown === undefined
      ? planned
      : withoutMissedReminders(planned, { nowMs, aheadMs, followed });
  const isKnown = ({ key }: Planned) =>
    given.isKnown?.(messageId(destination.destination, company.slug, key)) === true;
  const over = new Set(
    planned.flatMap((one) => (one.tells === "ended" && isKnown(one) ? [one.timeline] : [])),
  );
  // A change that is recorded late doesn't follow the ending.
  const fresh = due.filter(
    (one) =>
      !isKnown(one) &&
      !(one.tells === "changed" && over.has(one.timeline)) &&
      !isOutOfOrder(one, followed),
  );
  const within = new Set(fresh.flatMap(({ includedIn }) => includedIn ?? []));
  const drafts = fresh
    .filter(({ tells, key }) => tells !== "summary" || within.has(key))
    .map((one) => draftOf(one, destination, context, { all: planned, nowMs }));
  return { drafts, nextMs };
}

/** The clock of a company's API. @param nowMs on that clock, as far as ours is right */
export function clockOf(
  { offsetMs, observedMs }: Pick<MessageContext["record"], "offsetMs" | "observedMs">,
  nowMs: number,
): OtherClock {
  return { aheadMs: sharedShiftMs(offsetMs), nowMs: Math.max(nowMs, observedMs ?? -Infinity) };
}

const NONE_OPENING: ReadonlySet<number> = new Set();

const NOT_FOLLOWED: ReadonlyMap<number, Followed> = new Map();

/**
 * Due messages about a company's promises for a destination, for sending and for rehearsals.
 * @param given.written see `planPromises`, like `isBlind`
 * @param given.isKnown whether a message was already written; omitted: none was
 */
export function planPromiseMessages(
  destination: Destination,
  context: MessageContext,
  given: {
    isBlind: boolean;
    nowMs: number;
    waitMs: number;
    written: ReadonlyMap<string, WrittenWarning> | null;
    isKnown?: ((id: string) => boolean) | undefined;
  },
): PlannedDrafts {
  const { company, record } = context;
  const { slug } = company;
  const idOf = (key: string) => messageId(destination.destination, slug, key);
  const { due, nextMs } = planPromises({
    ...given,
    company: slug,
    care: record.care,
    days: context.promises,
    rules: rulesOnClock(destination.rules, clockOf(record, given.nowMs)),
    follows: destination.follows,
    gaps: record.gaps,
    untilMs: record.observedMs ?? -Infinity,
  });
  const drafts = due
    .filter(({ key }) => given.isKnown?.(idOf(key)) !== true)
    .map((planned) => ({
      ...addressOf(destination),
      key: planned.key,
      company: slug,
      about: null,
      incidentId: null,
      thread: `${slug}/${keyOfPromise(planned.day)}`,
      partner: null,
      write: () => {
        const id = idOf(planned.key);
        const { rules, timeZone, toName, to } = destination;
        const recipient = { name: toName, isOwn: to !== "channel" };
        const writing = { id, rules, to: recipient, timeZone, writtenMs: given.nowMs };
        // A rehearsal shows what would have been said then.
        const atMs = given.written === null ? planned.dueMs : given.nowMs;
        return { id, message: composePromise(planned, { ...writing, atMs }, context) };
      },
      includedIn: null,
      dueMs: planned.dueMs,
    }));
  return { drafts, nextMs };
}
