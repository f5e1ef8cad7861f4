import { DELAYED_POLLS } from "@/lib/domain/confidence";
import { NEVER_SEEN, neverSeen, type Blindness } from "@/lib/domain/delivery/blindness";
import { type PlannedRule } from "@/lib/domain/delivery/rule";
import { sourceReasonSentence } from "@/lib/domain/words/source-sentences";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { Database, Writer } from "@/lib/server/store/database";
import {
  enqueue,
  markSending,
  readSendable,
  readThreadHead,
  readNotifiedIncidents,
  readNotifiedDestinations,
  readVisibilityMessages,
  recordAttempt,
  type DeliveryRow,
  type NewDelivery,
} from "@/lib/server/store/delivery/outbox";
import {
  readPlannedChannels,
  readOwnRules,
  readRules,
  type RuleRow,
} from "@/lib/server/store/delivery/rules";
import { readObserved, type DeliveryFacts } from "@/lib/server/store/delivery/delivery-facts";
import { NO_BUDGET } from "@/lib/server/store/most-rows";
import { readPause } from "@/lib/server/store/pauses/pauses";
import type { CompanyState } from "@/lib/server/store/sync/records";
import { createLeadership, type Leadership } from "@/lib/server/store/leader";
import { readGrantees, type Grantee } from "@/lib/server/store/people/grantee";
import { readFeeds, readMessageContext } from "./message-context";
import { planBriefs } from "./plan-briefs";
import type { Sent, ThreadHead } from "./sent";
import { followsOf, planMessages, written, type Destination } from "./plan-messages";

/** A company's visibility, according to the poller. */
export type Visibility = {
  /** Age of its snapshot, by a clock that can't be set, milliseconds; null: no snapshot. */
  ageMs: number | null;
  rhythmSeconds: number;
  /** How far the API clock is ahead of ours, milliseconds. */
  offsetMs: number;
  /** Why it can't be read, to follow a colon; null: the reason is unknown, or it can. */
  because: string | null;
  /** An administrator paused its connection, so that it isn't seen is no news. */
  isPaused: boolean;
};

export type OutboxOptions = {
  database: Database;
  clock: Clock;
  /** Returns 0 to 1, exclusive. */
  random: () => number;
  log: Log;
  /** The connected companies. */
  companies: () => readonly { slug: string; name: string; timeZone?: string }[];
  /** Null: never seen. */
  sight: (company: string) => Visibility | null;
  mayRead: (holder: Grantee, company: string) => boolean;
  /** Whether a person may have personal alerts. */
  mayHaveAlerts: (holder: Grantee) => boolean;
  /** Sends once; never rejects. */
  send: (row: DeliveryRow, thread: ThreadHead) => Promise<Sent>;
  appUrl: string;
  timeZone: string;
  /** Called and awaited at each step. */
  onStep?: (step: OutboxStep) => void | Promise<void>;
};

/** Steps of a message, in order: each is reported once done, `planned` before the row is written. */
export const OUTBOX_STEPS = ["planned", "written", "marked", "answered", "recorded"] as const;
export type OutboxStep = (typeof OUTBOX_STEPS)[number];

const TICK_MS = 1_000;
const LOCK_RETRY_MS = 2_000;
/** Longest interval between full plans; a new observation is planned at once. */
const PLAN_MS = 15_000;
const MOST_AT_ONCE = 100;
/** How long past events are still considered, so that an outbox resuming after a stop reports them. */
const PAST_MS = 3 * 24 * 3_600_000;
/** How long a message is retried. */
const GIVE_UP_MS = 24 * 3_600_000;
const LEAST_ATTEMPTS = 8;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 15 * 60_000;
const LONGEST_WISH_MS = 3_600_000;
/** By then, a sender has a response or is dead. */
const SENDING_MS = 30_000;
/** Largest difference between the timestamps of a gap and of the observation before it. */
const SAME_BLINDNESS_MS = 120_000;

/**
 * Notifies people of incidents, in one process among all that share a database. Due messages are derived from
 * the record and from the messages written before (`planCompany`), so a leader that dies leaves no state
 * behind: the next one finds the same messages due, under the same ids. A message is sent at least once, until
 * its destination has taken it, for up to 24 hours; messages of one incident are sent in order.
 */
export function createOutbox(options: OutboxOptions): Leadership & {
  /** Plans and sends what is due now, and awaits it; for the leader. */
  work(writer: Writer, ledSinceMs: number): Promise<void>;
} {
  const { database, clock, random, log, companies, sight, mayRead, mayHaveAlerts, send } = options;
  const { onStep = () => {} } = options;
  /** Sending in progress by destination, one message at a time. */
  const busy = new Map<string, Promise<void>>();
  let plannedMs = -Infinity;
  let isPauseLogged = false;
  /** Destinations notified of something that may not be over; their rules may be gone. */
  let notifiedDestinations: Awaited<ReturnType<typeof readNotifiedDestinations>> = [];
  /** The observation that each company was last planned with. */
  const plannedUpTo = new Map<string, number | undefined>();

  async function lead(signal: AbortSignal, writer: Writer): Promise<void> {
    const ledSinceMs = clock.monotonicMs();
    plannedMs = -Infinity;
    let isLogged = false;
    while (!signal.aborted) {
      try {
        // After a resume, the due messages are derived from the record.
        if (!(await isPaused())) {
          const isDue = clock.monotonicMs() - plannedMs >= PLAN_MS;
          await plan(writer, ledSinceMs, isDue);
          if (isDue) plannedMs = clock.monotonicMs();
          await dispatch(writer, signal);
        }
        isLogged = false;
      } catch (err) {
        if (!isLogged && !signal.aborted) log.warn({ err }, "messages cannot be planned");
        isLogged = true;
      }
      await clock.sleep(TICK_MS, signal).catch(() => {});
    }
    await Promise.allSettled(busy.values());
  }

  /** Whether messages wait for an administrator to resume them. */
  async function isPaused(): Promise<boolean> {
    const pause = await readPause(database.orm, "deliveries");
    if (pause !== null && !isPauseLogged) {
      const { since, reason } = pause;
      log.warn({ event: "paused", what: "deliveries", since, reason }, "messages are paused");
    }
    isPauseLogged = pause !== null;
    return isPauseLogged;
  }

  /** @param isDue whether to plan unchanged companies too, because time has passed */
  async function plan(writer: Writer, ledSinceMs: number, isDue: boolean): Promise<void> {
    const { orm } = database;
    const observed = await readObserved(orm);
    const changed = companies().filter(
      ({ slug }) => isDue || observed.get(slug) !== plannedUpTo.get(slug),
    );
    if (changed.length === 0) return;
    const destinations = await readDestinations(isDue);
    for (const company of destinations.length === 0 ? [] : changed) {
      const nowMs = clock.nowMs();
      const reached = destinations.filter(({ mayReceive }) => mayReceive(company.slug));
      if (reached.length === 0) continue;
      const seen = sight(company.slug);
      const about = {
        company,
        appUrl: options.appUrl,
        timeZone: options.timeZone,
        because: seen?.because ?? null,
        sinceMs: nowMs - PAST_MS,
      };
      const context = await readMessageContext(orm, about, NO_BUDGET);
      const { record } = context;
      const [notified, visibilityMessages] = await Promise.all([
        readNotifiedIncidents(
          orm,
          company.slug,
          record.incidents.map(({ row }) => row.id),
        ),
        readVisibilityMessages(orm, company.slug, nowMs - 30 * PAST_MS),
      ]);
      const drafts = reached.flatMap((destination) => {
        const isLedLong = (ms: number) => clock.monotonicMs() - ledSinceMs > ms;
        const own = visibilityMessages.filter((one) => one.destination === destination.destination);
        return planMessages(destination, context, {
          blindnesses: blindnessesOf(record, own, { seen, nowMs, isLedLong }),
          nowMs: nowMs + (seen?.offsetMs ?? 0),
          openings: notified.openings.get(destination.destination) ?? new Map<number, number>(),
          isKnown: (id) => notified.ids.has(id),
        });
      });
      if (drafts.length === 0) continue;
      const partners = drafts.flatMap(({ partner }) => partner ?? []);
      const feeds = await readFeeds(orm, company.slug, partners, record.observedMs);
      await write(
        writer,
        drafts.map((draft) => written(draft, feeds)),
      );
    }
    for (const { slug } of changed) plannedUpTo.set(slug, observed.get(slug));
    if (isDue) await write(writer, await planBriefs(options, destinations));
  }

  async function write(writer: Writer, rows: readonly NewDelivery[]): Promise<void> {
    if (rows.length === 0) return;
    await onStep("planned");
    await writer.orm.transaction((tx) => enqueue(tx, rows, clock.nowMs()));
    await onStep("written");
  }

  /**
   * Channels and people with the rules that apply to them; also those without rules that were notified before.
   */
  async function readDestinations(
    isDue: boolean,
  ): Promise<(Destination & { mayReceive: (company: string) => boolean })[]> {
    const { orm } = database;
    const [rules, ownRules, channels] = await Promise.all([
      readRules(orm),
      readOwnRules(orm),
      readPlannedChannels(orm),
    ]);
    if (isDue) notifiedDestinations = await readNotifiedDestinations(orm);
    const destinations = new Map<
      string,
      Destination & { mayReceive: (company: string) => boolean }
    >();
    for (const [id, { name: toName, kind, ...channel }] of channels) {
      const own = rules.filter(({ channelIds }) => channelIds.includes(id));
      const destination = `channel:${id}`;
      const wasNotified = notifiedDestinations.some((one) => one.destination === destination);
      if (own.length === 0 && !wasNotified) continue;
      destinations.set(destination, {
        destination,
        to: "channel",
        channelId: id,
        personId: null,
        toName,
        rules: own.map((rule) => plannedRule(rule, null)),
        timeZone: channel.timeZone ?? options.timeZone,
        follows: followsOf(kind),
        followsFromMs: channel.followsFrom.getTime(),
        mayReceive: () => true,
      });
    }
    const ownDestination = (to: "inbox" | "mail", holder: Grantee, own: readonly PlannedRule[]) => {
      const { id: personId, name: toName } = holder;
      const destination = `${to}:${personId}`;
      const mayReceive = (company: string) => mayRead(holder, company);
      destinations.set(destination, {
        destination,
        to,
        channelId: null,
        personId,
        toName,
        rules: own,
        timeZone: options.timeZone,
        follows: "worse",
        followsFromMs: -Infinity,
        mayReceive,
      });
    };
    for (const rule of ownRules) {
      const { own, holder } = rule;
      if (own === null || !mayHaveAlerts(holder)) continue;
      for (const to of ["inbox", "mail"] as const)
        if (own[to])
          ownDestination(to, holder, [plannedRule(rule, own.only_mine ? holder.id : null)]);
    }
    // Recipients who unsubscribed or lost access still learn how it ended.
    const left = notifiedDestinations.filter(({ destination }) => !destinations.has(destination));
    const holders = await readGrantees(
      orm,
      left.flatMap(({ personId }) => personId ?? []),
    );
    for (const { to, personId } of left) {
      const holder = holders.find(({ id }) => id === personId);
      if (to !== "channel" && holder !== undefined) ownDestination(to, holder, []);
    }
    return [...destinations.values()];
  }

  /** Starts sending what may be sent, per destination. */
  async function dispatch(writer: Writer, signal: AbortSignal | null): Promise<void> {
    const rows = await readSendable(database.orm, clock.nowMs(), MOST_AT_ONCE);
    const byDestination = new Map<string, DeliveryRow[]>();
    for (const row of rows)
      byDestination.set(row.destination, [...(byDestination.get(row.destination) ?? []), row]);
    for (const [destination, due] of byDestination) {
      if (busy.has(destination)) continue;
      const sending = sendAll(due, writer, signal)
        .catch((err: unknown) => {
          if (signal?.aborted !== true) log.warn({ err, destination }, "a message is held up");
        })
        .finally(() => busy.delete(destination));
      busy.set(destination, sending);
    }
  }

  async function sendAll(
    rows: readonly DeliveryRow[],
    writer: Writer,
    signal: AbortSignal | null,
  ): Promise<void> {
    for (const row of rows) {
      if (signal?.aborted === true) return;
      await sendOne(row, writer);
    }
  }

  async function sendOne(row: DeliveryRow, writer: Writer): Promise<void> {
    const nextMs = clock.nowMs() + SENDING_MS;
    if (!(await markSending(writer, row.seq, { nextMs }))) return;
    await onStep("marked");
    const head = await readThreadHead(database.orm, row);
    const thread =
      head === null
        ? { firstId: row.id, reference: null }
        : { firstId: head.id, reference: head.reference };
    const sent = await send(row, thread);
    await onStep("answered");
    const nowMs = clock.nowMs();
    // Requires enough attempts as well, so that a clock jump doesn't expire a message.
    const isOld = nowMs - row.createdAt.getTime() >= GIVE_UP_MS && row.attempts >= LEAST_ATTEMPTS;
    const isOver = sent.isFinal || isOld;
    const accepted = sent.outcome === "accepted";
    const state = accepted
      ? "sent"
      : isOver
        ? "failed"
        : sent.outcome === "unknown"
          ? "unknown"
          : "queued";
    await recordAttempt(writer, row, {
      state,
      said: sent.said,
      reference: sent.reference,
      nextMs: accepted || isOver ? null : nowMs + retryMs(row.attempts, sent, random()),
      nowMs,
    });
    await onStep("recorded");
    if (state === "failed")
      log.warn(
        { event: "message_failed", id: row.id, to: row.to },
        "a message could not be sent; giving up",
      );
  }

  const leadership = createLeadership({
    database,
    of: "deliveries",
    clock,
    random,
    log,
    retryMs: LOCK_RETRY_MS,
    lead,
  });
  return {
    ...leadership,
    async work(writer, ledSinceMs) {
      if (await isPaused()) return;
      await plan(writer, ledSinceMs, true);
      await dispatch(writer, null);
      await Promise.all(busy.values());
    },
  };
}

/** A company's visibility. @param state of its last snapshot, with its age; null: none */
export function sightOf(
  state: Pick<CompanyState, "rhythmSeconds" | "apiClockOffsetMs" | "reason" | "rateLimit"> | null,
  ageMs: number | null,
  nowMs: number,
  { reportTimeZone: timeZone }: { reportTimeZone: string },
): Visibility | null {
  if (state === null) return null;
  const { reason, rateLimit, rhythmSeconds, apiClockOffsetMs: offsetMs } = state;
  const resetMs = rateLimit?.resetAtMs ?? null;
  const sentence =
    reason === null || reason === "starting"
      ? null
      : sourceReasonSentence(reason, { resetMs, nowMs, timeZone });
  return {
    ageMs,
    rhythmSeconds,
    offsetMs,
    because: sentence === null ? null : inSentence(sentence),
    isPaused: reason === "disconnected",
  };
}

/** Turns a sentence into a clause, such as "the source isn’t responding". */
function inSentence(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1).replace(/\.$/, "");
}

/** @param attempts before this one */
function retryMs(attempts: number, { retryAfterMs }: Sent, random: number): number {
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 20), LONGEST_RETRY_MS);
  const wishMs = Math.min(retryAfterMs ?? 0, LONGEST_WISH_MS);
  return Math.max(waitMs * (0.8 + 0.4 * random), wishMs);
}

function plannedRule({ name, rule, since }: RuleRow, onlyFor: string | null): PlannedRule {
  return { ...rule, name, sinceMs: since.getTime(), onlyFor };
}

/**
 * Blind periods to notify a destination of: an ongoing one, or one that it was notified of but not of its end.
 * @param messages the destination's messages about visibility
 */
function blindnessesOf(
  { observedMs, firstObservedMs, triedFromMs, gaps }: DeliveryFacts,
  messages: readonly { key: string; dueMs: number }[],
  {
    seen,
    nowMs,
    isLedLong,
  }: { seen: Visibility | null; nowMs: number; isLedLong: (ms: number) => boolean },
): Blindness[] {
  const over = new Set(
    messages.flatMap(({ key }) =>
      key.startsWith(SEEN_AGAIN) ? [key.slice(SEEN_AGAIN.length)] : [],
    ),
  );
  const open = messages.flatMap(({ key, dueMs }) => {
    const from = key.startsWith(BLIND) ? key.slice(BLIND.length) : null;
    return from === null || over.has(from) ? [] : [{ from, reportedFromMs: dueMs }];
  });
  const blindAfterMs = DELAYED_POLLS * (seen?.rhythmSeconds ?? Infinity) * 1_000;
  const apiNowMs = nowMs + (seen?.offsetMs ?? 0);
  if (observedMs === null) {
    const wasReported = open.some(({ from }) => from === NEVER_SEEN);
    // A company that is read but can't be recorded isn't blind.
    if (wasReported || seen?.ageMs !== null || seen.isPaused || !isLedLong(blindAfterMs)) return [];
    const never = neverSeen({ triedFromMs, firstSeenMs: null, blindAfterMs, nowMs: apiNowMs });
    return never === null ? [] : [never];
  }
  const ageMs = Math.max(apiNowMs - observedMs, seen?.ageMs ?? 0);
  const isSame = (aMs: number, bMs: number) => Math.abs(aMs - bMs) <= SAME_BLINDNESS_MS;
  const isBlind = ageMs > blindAfterMs;
  const again = open.flatMap(({ from, reportedFromMs }): Blindness[] => {
    const blindness = { reportedFromMs, wasReported: true };
    if (from === NEVER_SEEN)
      return [{ ...blindness, fromMs: null, untilMs: firstObservedMs ?? observedMs }];
    const fromMs = Number(from);
    if (observedMs <= fromMs || (isBlind && isSame(fromMs, observedMs))) return [];
    const gap = gaps.find((one) => isSame(one.fromMs, fromMs) && one.untilMs > fromMs);
    return [{ ...blindness, fromMs, untilMs: gap?.untilMs ?? observedMs }];
  });
  // Don't report blindness until this leader has had time to poll.
  const isNew =
    isBlind &&
    seen?.isPaused !== true &&
    isLedLong(blindAfterMs) &&
    !open.some(({ from }) => isSame(Number(from), observedMs));
  // In case our clock was set back, so that it isn't in the future.
  const reportedFromMs = Math.min(observedMs + blindAfterMs, apiNowMs);
  return isNew
    ? [...again, { fromMs: observedMs, reportedFromMs, untilMs: null, wasReported: false }]
    : again;
}

const BLIND = "blind:";
const SEEN_AGAIN = "seen_again:";
