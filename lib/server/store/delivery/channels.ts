import { and, asc, eq, inArray, isNotNull, isNull, sql } from "drizzle-orm";
import { audited, type Change as AuditedChange } from "@/lib/server/store/audit/audited";
import type { Database, Orm, Transaction, Writer } from "@/lib/server/store/database";
import { insertOnceUpTo } from "@/lib/server/store/insert-up-to";
import { resealAll, type Resealed, type Resealing } from "@/lib/server/store/reseal";
import { channels, deliveries, rules } from "@/lib/server/store/schema/delivery";

export type ChannelRow = typeof channels.$inferSelect;
/**
 * A channel with the number of undelivered messages: those `waiting`, and those abandoned since it started
 * failing.
 */
export type ListedChannel = ChannelRow & { missed: number; waiting: number };

/**
 * The person who changes or tests a channel, and the time on our clock; written to the installation-wide audit
 * log.
 */
type Change = AuditedChange & { person: NonNullable<AuditedChange["person"]> };
type Values = Pick<ChannelRow, "name" | "shown" | "sealed" | "timeZone">;

/** All channels, oldest first. */
export async function readChannels(orm: Orm): Promise<ListedChannel[]> {
  const rows = await orm
    .select({
      channel: channels,
      waiting: sql<number>`(select count(*)::int from deliveries waiting
        where waiting.channel_id = channels.id and waiting.settled_at is null)`,
      givenUp: sql<number>`(select count(*)::int from deliveries failed
        where failed.channel_id = channels.id
          and failed.state = 'failed' and failed.settled_at >= channels.failing_since)`,
    })
    .from(channels)
    .orderBy(asc(channels.createdAt), asc(channels.id));
  return rows.map(({ channel, waiting, givenUp }) => ({
    ...channel,
    missed: waiting + givenUp,
    waiting,
  }));
}

/** @returns null: no such channel */
export async function readChannel(orm: Orm, id: string): Promise<ChannelRow | null> {
  const [row] = await orm.select().from(channels).where(eq(channels.id, id));
  return row ?? null;
}

/** Re-encrypts the settings of every channel with the current secret, except those changed meanwhile. */
export async function resealChannels(
  { orm }: Pick<Database, "orm">,
  seal: Resealing,
): Promise<Resealed> {
  const rows = await orm.select({ id: channels.id, sealed: channels.sealed }).from(channels);
  return resealAll(
    rows,
    () => seal,
    async ({ id, sealed: before }, sealed) => {
      await orm
        .update(channels)
        .set({ sealed })
        .where(and(eq(channels.id, id), eq(channels.sealed, before)));
    },
  );
}

/**
 * @param id null: a new one
 * @returns `known`: there is already a channel with this id; null: the limit is reached
 */
export function insertChannel(
  { orm }: Pick<Database, "orm">,
  id: string | null,
  { kind, ...values }: Values & Pick<ChannelRow, "kind">,
  { most, ...change }: Change & { most: number },
): Promise<ChannelRow | "known" | null> {
  return orm.transaction(async (tx) => {
    const now = new Date(change.nowMs);
    const row = await insertOnceUpTo(
      tx,
      channels,
      id,
      { ...values, kind, createdById: change.person.id, createdAt: now, followsFrom: now },
      { most },
    );
    if (row === null || row === "known") return row;
    await log(tx, "make", row, change);
    return row;
  });
}

/**
 * Keeps its deliveries; new settings reset its delivery status.
 * @param given.isMoved whether it sends elsewhere from now on, so that nothing refers to messages where it sent before
 * @returns null: no such channel
 */
export function changeChannel(
  { orm }: Pick<Database, "orm">,
  id: string,
  values: Partial<Values>,
  { isMoved, ...change }: Change & { isMoved: boolean },
): Promise<ChannelRow | null> {
  const isOther = values.sealed !== undefined;
  return orm.transaction(async (tx) => {
    const [row] = await tx
      .update(channels)
      .set({
        ...values,
        ...(isOther && { failingSince: null, said: null, triedAt: null, socket: null }),
      })
      .where(eq(channels.id, id))
      .returning();
    if (row === undefined) return null;
    if (isMoved) await dropReferences(tx, id);
    await log(tx, "change", row, change);
    return row;
  });
}

/** Removes it from rules and abandons its queued messages. @returns whether it existed */
export function removeChannel(
  { orm }: Pick<Database, "orm">,
  id: string,
  { said, ...change }: Change & { said: string },
): Promise<boolean> {
  return orm.transaction(async (tx) => {
    const [row] = await tx.delete(channels).where(eq(channels.id, id)).returning();
    if (row === undefined) return false;
    await tx
      .update(rules)
      .set({ channelIds: sql`array_remove(${rules.channelIds}, ${id}::uuid)` })
      .where(sql`${id}::uuid = any (${rules.channelIds})`);
    await tx
      .update(deliveries)
      .set({ state: "failed", said, settledAt: new Date(change.nowMs) })
      .where(sql`${eq(deliveries.channelId, id)} and ${isNull(deliveries.settledAt)}`);
    await dropReferences(tx, id);
    await log(tx, "remove", row, change);
    return true;
  });
}

/** Nothing refers to its messages from now on, also if a channel with this id is added again. */
async function dropReferences(tx: Transaction, id: string): Promise<void> {
  await tx
    .update(deliveries)
    .set({ reference: null })
    .where(and(eq(deliveries.channelId, id), isNotNull(deliveries.reference)));
}

/** Result of a test. `said`: in our wording. */
type Tested = { outcome: "accepted" | "failed" | "unknown"; said: string };

/** Records the result of a test. */
export function recordTest(
  { orm }: Pick<Database, "orm">,
  channel: ChannelRow,
  { outcome, said, ...change }: Change & Tested,
): Promise<void> {
  const now = new Date(change.nowMs);
  return orm.transaction(async (tx) => {
    await tx
      .update(channels)
      .set({
        said,
        triedAt: now,
        failingSince:
          outcome === "accepted"
            ? null
            : sql`coalesce(${channels.failingSince}, ${now.toISOString()}::timestamptz)`,
      })
      .where(eq(channels.id, channel.id));
    // The full stop is added on display.
    await log(tx, "test", channel, change, {
      because: said.replace(/\.$/, ""),
      ...(outcome !== "accepted" && { test: outcome }),
    });
  });
}

/** Records how the connection of a Slack app is, for each of its channels. */
export function recordSocket(
  writer: Writer,
  ids: readonly string[],
  socket: NonNullable<ChannelRow["socket"]>,
): Promise<void> {
  return writer.orm.transaction(async (tx) => {
    await tx
      .update(channels)
      .set({ socket })
      .where(inArray(channels.id, [...ids]));
  });
}

function log(
  tx: Transaction,
  action: "make" | "change" | "remove" | "test",
  { id, kind, name }: ChannelRow,
  change: Change,
  more: { because?: string; test?: string } = {},
): Promise<void> {
  const detail = { channel: id, kind, ...more };
  return audited(tx, change, { company: null, kind: "channel", action, subject: name, detail });
}
