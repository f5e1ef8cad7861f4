import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  inArray,
  isNull,
  sql,
  type SQLWrapper,
} from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { EDIT_EVERY_MS } from "@/lib/domain/delivery/plan";
import { MAX_SKEW_MS } from "@/lib/domain/delivery/rule";
import { batches } from "@/lib/server/store/batches";
import { totalOf, type Part } from "@/lib/server/store/counted-page";
import type { Orm, Transaction, Writer } from "@/lib/server/store/database";
import { channels, deliveries } from "@/lib/server/store/schema/delivery";

export type DeliveryRow = typeof deliveries.$inferSelect;
export type NewDelivery = Pick<
  DeliveryRow,
  | "id"
  | "destination"
  | "key"
  | "channelId"
  | "personId"
  | "to"
  | "toName"
  | "company"
  | "about"
  | "incidentId"
  | "thread"
  | "type"
  | "message"
  | "includedIn"
> & { dueMs: number };

/**
 * Inserts due messages; existing ones stay unchanged. Inbox messages, and messages included in another one,
 * count as delivered once written.
 * @param nowMs our clock, epoch milliseconds
 * @returns number of new messages
 */
export async function enqueue(
  tx: Transaction,
  rows: readonly NewDelivery[],
  nowMs: number,
): Promise<number> {
  const now = new Date(nowMs);
  let added = 0;
  for (const batch of batches(rows)) {
    const inserted = await tx
      .insert(deliveries)
      .values(
        batch.map(({ dueMs, ...row }) => {
          const isThere = row.includedIn !== null || row.to === "inbox";
          return {
            ...row,
            dueAt: new Date(dueMs),
            createdAt: now,
            nextAt: now,
            state: isThere ? ("sent" as const) : ("queued" as const),
            settledAt: isThere ? now : null,
          };
        }),
      )
      .onConflictDoNothing({ target: deliveries.id })
      .returning({ seq: deliveries.seq });
    added += inserted.length;
  }
  return added;
}

/** Which of these message ids exist. */
export async function readKnownIds(orm: Orm, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await orm
    .select({ id: deliveries.id })
    .from(deliveries)
    .where(sql`${deliveries.id} = any (${sql.param([...ids])}::text[])`);
  return new Set(rows.map(({ id }) => id));
}

/** What a thread is about: those about a company's visibility, or about several, differ by their beginning only. */
const topicOf = (thread: SQLWrapper) =>
  sql`regexp_replace(${thread}, ${sql.raw(`':(-?[0-9]+|[-0-9]+T[0-9:.]+Z)$'`)}, '')`;

/**
 * Messages to send now: the first unfinished one of each destination and topic, so that none overtakes
 * another, nor the message that includes it, nor what comes before one that it includes; longest waiting first. A
 * message that is edited in its channel isn't edited more often than every `EDIT_EVERY_MS`. A `next_at` further ahead
 * than a message waits was stored before the clock was set back, and is ignored: the first attempt waits for nothing.
 * @param given.nowMs our clock, epoch milliseconds
 * @param given.longestRetryMs the longest wait between two attempts, milliseconds
 * @param given.except destinations that are being sent to
 */
export async function readSendable(
  orm: Orm,
  {
    nowMs,
    longestRetryMs,
    except,
    limit,
  }: { nowMs: number; longestRetryMs: number; except: readonly string[]; limit: number },
): Promise<DeliveryRow[]> {
  const [now, edited, firstBy, retryBy] = [
    nowMs,
    nowMs - EDIT_EVERY_MS,
    nowMs + MAX_SKEW_MS,
    nowMs + longestRetryMs + MAX_SKEW_MS,
  ].map((ms) => new Date(ms).toISOString());
  return orm
    .select()
    .from(deliveries)
    .where(
      sql`${deliveries.settledAt} is null
        and ${deliveries.destination} <> all (${sql.param([...except])}::text[])
        and (${deliveries.nextAt} <= ${now}::timestamptz
          or ${deliveries.nextAt} > case when ${deliveries.attempts} = 0
            then ${firstBy}::timestamptz else ${retryBy}::timestamptz end)
        and not exists (select from deliveries before where before.place = ${deliveries.destination}
          and ${topicOf(sql`before.thread`)} = ${topicOf(deliveries.thread)} and before.seq < ${deliveries.seq}
          and before.settled_at is null)
        and not exists (select from channels editing join deliveries last on last.place = ${deliveries.destination}
            and last.thread = ${deliveries.thread} and last.seq < ${deliveries.seq}
          where editing.id = ${deliveries.channelId} and editing.kind = 'slack_app'
            and ${deliveries.type} = 'incident.changed' and last.type = 'incident.changed'
            and last.settled_at > ${edited}::timestamptz and last.settled_at <= ${now}::timestamptz)
        and not exists (select from deliveries among join deliveries whole on whole.id = among.told_in
          where among.place = ${deliveries.destination} and among.thread = ${deliveries.thread}
            and among.seq < ${deliveries.seq} and whole.settled_at is null)
        and not exists (select from deliveries part join deliveries before on before.place = part.place
            and before.thread = part.thread and before.seq < part.seq and before.settled_at is null
          where part.told_in = ${deliveries.id} and before.id <> ${deliveries.id})`,
    )
    .orderBy(asc(deliveries.nextAt), asc(deliveries.seq))
    .limit(limit)
    .prepare("read_sendable")
    .execute();
}

/**
 * The first message of a thread delivered to its destination, which later ones refer to; null: none. Of a channel that
 * sends elsewhere now, the first one there, if any.
 * @returns `sealed`: the channel's encrypted settings now; null: it was removed, or the destination isn't a channel
 */
export async function readThreadHead(
  orm: Orm,
  { destination, thread, seq }: Pick<DeliveryRow, "destination" | "thread" | "seq">,
): Promise<{ id: string; reference: string | null; sealed: string | null } | null> {
  const [head] = await orm
    .select({ id: deliveries.id, reference: deliveries.reference, sealed: channels.sealed })
    .from(deliveries)
    .leftJoin(channels, eq(channels.id, deliveries.channelId))
    .where(
      and(
        eq(deliveries.destination, destination),
        eq(deliveries.thread, thread),
        eq(deliveries.state, "sent"),
        isNull(deliveries.includedIn),
        sql`${deliveries.seq} < ${seq}`,
      ),
    )
    .orderBy(sql`${deliveries.reference} is null`, asc(deliveries.seq))
    .limit(1);
  return head ?? null;
}

/** A delivery by the id of its message; null: none. */
export async function readDelivery(orm: Orm, id: string): Promise<DeliveryRow | null> {
  const [row] = await orm.select().from(deliveries).where(eq(deliveries.id, id));
  return row ?? null;
}

/** Those of some channels to which a message was delivered in a channel of Slack, by Slack's id. */
export async function readReferenceChannels(
  orm: Orm,
  channelIds: readonly string[],
  slackChannel: string,
): Promise<ReadonlySet<string>> {
  if (channelIds.length === 0) return new Set();
  const rows = await orm
    .select({ channelId: deliveries.channelId })
    .from(deliveries)
    .where(
      and(
        inArray(deliveries.channelId, [...channelIds]),
        eq(deliveries.state, "sent"),
        sql`split_part(${deliveries.reference}, ' ', 1) = ${slackChannel}`,
      ),
    )
    .groupBy(deliveries.channelId);
  return new Set(rows.flatMap(({ channelId }) => channelId ?? []));
}

/**
 * Marks a message as possibly delivered before sending it, so that the state is correct if the process dies.
 */
export function markSending(
  writer: Writer,
  seq: number,
  { nextMs }: { nextMs: number },
): Promise<boolean> {
  return writer.orm.transaction(async (tx) => {
    const marked = await tx
      .update(deliveries)
      .set({
        state: "unknown",
        attempts: sql`${deliveries.attempts} + 1`,
        nextAt: new Date(nextMs),
      })
      .where(and(eq(deliveries.seq, seq), isNull(deliveries.settledAt)))
      .returning({ seq: deliveries.seq });
    return marked.length > 0;
  });
}

/**
 * Records the result of an attempt.
 * @param result.sealed the channel's encrypted settings it was made with: the reference is dropped if they have changed
 * @param result.nextMs time of the next attempt; null: final
 */
export function recordAttempt(
  writer: Writer,
  { seq, channelId }: Pick<DeliveryRow, "seq" | "channelId">,
  result: {
    state: DeliveryRow["state"];
    said: string;
    reference: string | null;
    sealed: string | undefined;
    nextMs: number | null;
    nowMs: number;
  },
): Promise<void> {
  const { state, said, sealed, nextMs, nowMs } = result;
  const now = new Date(nowMs);
  return writer.orm.transaction(async (tx) => {
    let { reference } = result;
    if (channelId !== null && reference !== null && sealed !== undefined) {
      // Locked, so that a change that is being made drops the reference itself.
      const current = await tx
        .select({ sealed: channels.sealed })
        .from(channels)
        .where(eq(channels.id, channelId))
        .for("no key update");
      if (current[0]?.sealed !== sealed) reference = null;
    }
    await tx
      .update(deliveries)
      .set({
        state,
        said,
        reference,
        ...(nextMs === null ? { settledAt: now } : { nextAt: new Date(nextMs) }),
      })
      // Removing the channel meanwhile finishes its deliveries.
      .where(and(eq(deliveries.seq, seq), isNull(deliveries.settledAt)));
    if (channelId === null) return;
    await tx
      .update(channels)
      .set({
        said,
        triedAt: now,
        failingSince:
          state === "sent"
            ? null
            : sql`coalesce(${channels.failingSince}, ${now.toISOString()}::timestamptz)`,
      })
      .where(eq(channels.id, channelId));
  });
}

/** Deliveries, latest first. */
export async function listDeliveries(
  orm: Orm,
  { states, offset, limit }: { states: readonly DeliveryRow["state"][] | null } & Part,
): Promise<{ rows: DeliveryRow[]; total: number }> {
  const where = and(
    sql`${deliveries.to} <> 'inbox'`,
    isNull(deliveries.includedIn),
    states === null ? undefined : inArray(deliveries.state, [...states]),
  );
  const rows = await orm
    .select()
    .from(deliveries)
    .where(where)
    .orderBy(desc(deliveries.seq))
    .limit(limit)
    .offset(offset);
  return {
    rows,
    total: await totalOf({ offset, limit }, rows, () => orm.$count(deliveries, where)),
  };
}

/** A delivery without its message, which can be long. */
export type IncidentDelivery = Omit<DeliveryRow, "message">;

function withoutMessage<C extends { message?: unknown }>(columns: C): Omit<C, "message"> {
  const rest = { ...columns };
  delete rest.message;
  return rest;
}

/**
 * Messages about an incident to external destinations, in order. A message included in another one is
 * represented by that message, and each message is listed once.
 */
export async function readIncidentDeliveries(
  orm: Orm,
  company: string,
  incidentId: number,
): Promise<IncidentDelivery[]> {
  const whole = alias(deliveries, "whole");
  const rows = await orm
    .select({
      own: withoutMessage(getTableColumns(deliveries)),
      whole: withoutMessage(getTableColumns(whole)),
    })
    .from(deliveries)
    .leftJoin(whole, eq(whole.id, deliveries.includedIn))
    .where(
      and(
        eq(deliveries.company, company),
        eq(deliveries.incidentId, incidentId),
        eq(deliveries.to, "channel"),
      ),
    )
    .orderBy(asc(deliveries.seq));
  const sent = rows.map((row) => row.whole ?? row.own);
  return [...new Map(sent.map((row) => [row.id, row])).values()];
}

/** A person's inbox, latest first. @param companies those they may currently view */
export async function readInbox(
  orm: Orm,
  { personId, companies }: { personId: string; companies: readonly string[] },
  { offset, limit }: Part,
): Promise<{ rows: DeliveryRow[]; total: number; unread: number }> {
  const where = and(
    eq(deliveries.personId, personId),
    eq(deliveries.to, "inbox"),
    isNull(deliveries.includedIn),
    // For a brief, all companies it covers; of what several have in common, each reader is told their own part.
    sql`case when ${deliveries.message} ? 'several'
      then coalesce(${deliveries.about}, array[${deliveries.company}]) && ${sql.param([...companies])}::text[]
      else coalesce(${deliveries.about}, array[${deliveries.company}]) <@ ${sql.param([...companies])}::text[] end`,
  );
  const [rows, [counted]] = await Promise.all([
    orm
      .select()
      .from(deliveries)
      .where(where)
      .orderBy(desc(deliveries.seq))
      .limit(limit)
      .offset(offset),
    orm
      .select({
        total: sql<number>`count(*)::int`,
        unread: sql<number>`count(*) filter (where ${deliveries.readAt} is null)::int`,
      })
      .from(deliveries)
      .where(where),
  ]);
  return { rows, total: counted?.total ?? 0, unread: counted?.unread ?? 0 };
}

/** @param untilId the last message displayed; later ones stay unread */
export async function markRead(
  orm: Orm,
  personId: string,
  { untilId, nowMs }: { untilId: string; nowMs: number },
): Promise<void> {
  await orm
    .update(deliveries)
    .set({ readAt: new Date(nowMs) })
    .where(
      and(
        eq(deliveries.personId, personId),
        eq(deliveries.to, "inbox"),
        isNull(deliveries.readAt),
        sql`${deliveries.seq} <= (select last.seq from deliveries last
          where last.id = ${untilId} and last.person_id = ${personId})`,
      ),
    );
}

/** For metrics: number of deliveries by state, and creation time of the oldest unfinished one. */
export async function countDeliveries(
  orm: Orm,
): Promise<{ state: DeliveryRow["state"]; amount: number; oldestMs: number | null }[]> {
  const rows = await orm
    .select({
      state: deliveries.state,
      amount: sql<number>`count(*)::int`,
      oldest: sql<Date | null>`min(${deliveries.createdAt}) filter (where ${deliveries.settledAt} is null)`,
    })
    .from(deliveries)
    .where(and(sql`${deliveries.to} <> 'inbox'`, isNull(deliveries.includedIn)))
    .groupBy(deliveries.state);
  return rows.map(({ state, amount, oldest }) => ({
    state,
    amount,
    oldestMs: oldest === null ? null : new Date(oldest).getTime(),
  }));
}
