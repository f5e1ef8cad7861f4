import pLimit from "p-limit";
import { groupBy } from "@/lib/domain/collections/group-by";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { asSent } from "@/lib/domain/words/messages/promise-content";
import type { Log } from "@/lib/server/log";
import type { Writer } from "@/lib/server/store/database";
import {
  markSending,
  readSendable,
  readThreadHead,
  recordAttempt,
  type DeliveryRow,
} from "@/lib/server/store/delivery/outbox";
import { readPause } from "@/lib/server/store/pauses/pauses";
import { createLeadership, type Leadership } from "@/lib/server/store/leader";
import { createPlanner, type PlannerOptions } from "./planner";
import type { Sent, ThreadHead } from "./sent";

export type OutboxOptions = Omit<PlannerOptions, "onStep"> & {
  /** Returns 0 to 1, exclusive. */
  random: () => number;
  log: Log;
  /** Sends once; never rejects. */
  send: (row: DeliveryRow, thread: ThreadHead) => Promise<Sent>;
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
const MAX_BATCH = 100;
/** All mails go through one server, which limits the connections of a client. */
export const MAX_MAILS_AT_ONCE = 10;
/** How long a message is retried. */
const GIVE_UP_MS = DAY_MS;
/** At least so many attempts fit into that time: a receiver can ask for an hour between two. */
const MIN_ATTEMPTS = 24;
const FIRST_RETRY_MS = 5_000;
const LONGEST_RETRY_MS = 15 * MINUTE_MS;
const LONGEST_WISH_MS = HOUR_MS;
/** By then, a sender has a response or is dead. */
const SENDING_MS = 30_000;

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
  const { database, clock, random, log, send } = options;
  const { onStep = () => {} } = options;
  /** Sending in progress by destination, one message at a time. */
  const busy = new Map<string, Promise<void>>();
  const limitMails = pLimit(MAX_MAILS_AT_ONCE);
  let plannedMs = -Infinity;
  let isPauseLogged = false;
  /** Companies and briefs whose failed planning was logged. */
  let failing: ReadonlySet<string> = new Set();
  const planner = createPlanner({ ...options, onStep });

  async function lead(signal: AbortSignal, writer: Writer): Promise<void> {
    const ledSinceMs = clock.monotonicMs();
    plannedMs = -Infinity;
    let isLogged = false;
    while (!signal.aborted) {
      try {
        // After a resume, the due messages are derived from the record.
        if (!(await isPaused())) {
          const isDue = clock.monotonicMs() - plannedMs >= PLAN_MS;
          try {
            await plan(writer, { ledSinceMs, isDue });
            if (isDue) plannedMs = clock.monotonicMs();
          } finally {
            await dispatch(writer, signal);
          }
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

  async function plan(
    writer: Writer,
    given: { ledSinceMs: number; isDue: boolean },
  ): Promise<void> {
    const { companies, briefs } = await planner.plan(writer, given);
    for (const [company, err] of companies)
      if (!failing.has(company))
        log.warn({ err, company }, "messages about a company cannot be planned");
    for (const [id, err] of briefs)
      if (!failing.has(id)) log.warn({ err, id }, "a brief cannot be written");
    failing = new Set([...companies.keys(), ...briefs.keys()]);
  }

  /** Starts sending what may be sent, per destination. */
  async function dispatch(writer: Writer, signal: AbortSignal | null): Promise<void> {
    const rows = await readSendable(database.orm, {
      nowMs: clock.nowMs(),
      longestRetryMs: LONGEST_WISH_MS,
      except: [...busy.keys()],
      limit: MAX_BATCH,
    });
    for (const [destination, due] of groupBy(rows, (row) => row.destination)) {
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
      const sendNext = async () => {
        if (signal?.aborted !== true) await sendOne(row, writer);
      };
      await (row.to === "mail" ? limitMails(sendNext) : sendNext());
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
        : { firstId: head.id, reference: head.reference, sealed: head.sealed };
    const apiNowMs = clock.nowMs() + (options.visibilityOf(row.company ?? "")?.offsetMs ?? 0);
    const sent = await send({ ...row, message: asSent(row.message, apiNowMs) }, thread);
    await onStep("answered");
    const nowMs = clock.nowMs();
    // Requires enough attempts as well, so that a clock that is ahead doesn't expire a message.
    const isOld = nowMs - row.createdAt.getTime() >= GIVE_UP_MS && row.attempts >= MIN_ATTEMPTS;
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
      sealed: sent.sealed,
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
      await plan(writer, { ledSinceMs, isDue: true });
      await dispatch(writer, null);
      await Promise.all(busy.values());
    },
  };
}

/** @param attempts before this one */
function retryMs(attempts: number, { retryAfterMs }: Sent, random: number): number {
  const waitMs = Math.min(FIRST_RETRY_MS * 2 ** Math.min(attempts, 20), LONGEST_RETRY_MS);
  const wishMs = Math.min(retryAfterMs ?? 0, LONGEST_WISH_MS);
  return Math.max(waitMs * (0.8 + 0.4 * random), wishMs);
}
