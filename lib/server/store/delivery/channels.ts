import { and, asc, eq, isNull, sql } from "drizzle-orm";
import { appendHouse, type HouseEvent } from "@/lib/server/store/audit/house";
import type { Database, Orm, Transaction } from "@/lib/server/store/database";
import { resealAll, type Resealed, type Resealing } from "@/lib/server/store/reseal";
import { channels, deliveries, rules } from "@/lib/server/store/schema/delivery";

export type ChannelRow = typeof channels.$inferSelect;
/** How many messages it has not got: those that wait, and those that were given up since it fails. */
export type ListedChannel = ChannelRow & { missed: number };

/** Who changes or tests a channel, and when on our clock; all of it stands in the house's audit log. */
type Change = { person: NonNullable<HouseEvent["person"]>; nowMs: number };
type Values = Pick<ChannelRow, "name" | "shown" | "sealed">;

/** All of them, the oldest first. */
export async function readChannels(orm: Orm): Promise<ListedChannel[]> {
  const rows = await orm
    .select({
      channel: channels,
      missed: sql<number>`(select count(*)::int from deliveries missed
        where missed.channel_id = channels.id
          and (missed.settled_at is null
            or (missed.state = 'failed' and missed.settled_at >= channels.failing_since)))`,
    })
    .from(channels)
    .orderBy(asc(channels.createdAt), asc(channels.id));
  return rows.map(({ channel, missed }) => ({ ...channel, missed }));
}

/** @returns null: there is none */
export async function readChannel(orm: Orm, id: string): Promise<ChannelRow | null> {
  const [row] = await orm.select().from(channels).where(eq(channels.id, id));
  return row ?? null;
}

/** Seals the settings of every channel with the present secret. One that is changed meanwhile stays as it then is. */
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

/** @returns null: there are as many as there may be */
export function insertChannel(
  { orm }: Pick<Database, "orm">,
  { kind, ...values }: Values & Pick<ChannelRow, "kind">,
  { most, ...change }: Change & { most: number },
): Promise<ChannelRow | null> {
  return orm.transaction(async (tx) => {
    await tx.execute(sql`lock table channels in share row exclusive mode`);
    const [counted] = await tx.select({ amount: sql<number>`count(*)::int` }).from(channels);
    if ((counted?.amount ?? 0) >= most) return null;
    const [row] = await tx
      .insert(channels)
      .values({
        ...values,
        kind,
        createdById: change.person.id,
        createdAt: new Date(change.nowMs),
      })
      .returning();
    if (row === undefined) throw new Error("the channel was not written");
    await log(tx, "make", row, change);
    return row;
  });
}

/** What it was told stays told; how it fares is yet to be seen again. @returns null: there is none */
export function changeChannel(
  { orm }: Pick<Database, "orm">,
  id: string,
  values: Partial<Values>,
  change: Change,
): Promise<ChannelRow | null> {
  const isOther = values.sealed !== undefined;
  return orm.transaction(async (tx) => {
    const [row] = await tx
      .update(channels)
      .set({ ...values, ...(isOther && { failingSince: null, said: null, triedAt: null }) })
      .where(eq(channels.id, id))
      .returning();
    if (row === undefined) return null;
    await log(tx, "change", row, change);
    return row;
  });
}

/** Rules go on without it; what it hasn't got is given up. @returns whether there was one */
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
    await log(tx, "remove", row, change);
    return true;
  });
}

/** What came of a test. @param said in our words */
export function recordTest(
  { orm }: Pick<Database, "orm">,
  channel: ChannelRow,
  { isAccepted, said, ...change }: Change & { isAccepted: boolean; said: string },
): Promise<void> {
  const now = new Date(change.nowMs);
  return orm.transaction(async (tx) => {
    await tx
      .update(channels)
      .set({
        said,
        triedAt: now,
        failingSince: isAccepted
          ? null
          : sql`coalesce(${channels.failingSince}, ${now.toISOString()}::timestamptz)`,
      })
      .where(eq(channels.id, channel.id));
    // Whoever reads it ends the sentence.
    await log(tx, "test", channel, change, { because: said.replace(/\.$/, "") });
  });
}

async function log(
  tx: Transaction,
  action: "make" | "change" | "remove" | "test",
  { id, kind, name }: ChannelRow,
  { person, nowMs }: Change,
  more: { because?: string } = {},
): Promise<void> {
  await appendHouse(tx, nowMs, [
    { kind: "channel", action, person, subject: name, detail: { channel: id, kind, ...more } },
  ]);
}
