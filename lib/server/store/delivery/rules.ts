import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Rule } from "@/lib/domain/delivery/rule";
import { appendHouse, type HouseEvent } from "@/lib/server/store/audit/house";
import type { Database, Orm, Transaction } from "@/lib/server/store/database";
import { holderOf, type Grantee } from "@/lib/server/store/people/grantee";
import { channels, rules } from "@/lib/server/store/schema/delivery";
import { people } from "@/lib/server/store/schema/people";

export type RuleRow = typeof rules.$inferSelect;

/** Who changes a rule, and when on our clock; every change stands in the house's audit log. */
type Change = { person: NonNullable<HouseEvent["person"]>; nowMs: number };

/** Those of everybody, the oldest first. */
export function readRules(orm: Orm): Promise<RuleRow[]> {
  return orm
    .select()
    .from(rules)
    .where(isNull(rules.personId))
    .orderBy(asc(rules.createdAt), asc(rules.id));
}

/** Somebody's own; null: they have none. */
export async function readOwnRule(orm: Orm, personId: string): Promise<RuleRow | null> {
  const [row] = await orm.select().from(rules).where(eq(rules.personId, personId));
  return row ?? null;
}

/** All of the present own rules, with whom they are of. */
export async function readOwnRules(
  orm: Orm,
): Promise<(RuleRow & { holder: Grantee; email: string })[]> {
  const rows = await orm
    .select({ rule: rules, holder: holderOf(orm), email: people.email })
    .from(rules)
    .innerJoin(people, eq(people.id, rules.personId))
    .where(isNotNull(rules.personId))
    .orderBy(asc(rules.id));
  return rows.map(({ rule, holder, email }) => ({ ...rule, holder, email }));
}

/** What channels are called, by id. */
export async function readChannelNames(orm: Orm): Promise<ReadonlyMap<string, string>> {
  const rows = await orm.select({ id: channels.id, name: channels.name }).from(channels);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** @returns null: there are as many as there may be */
export async function insertRule(
  { orm }: Pick<Database, "orm">,
  values: { name: string; rule: Rule; channelIds: readonly string[] },
  { most, ...change }: Change & { most: number },
): Promise<RuleRow | null> {
  return orm.transaction(async (tx) => {
    await tx.execute(sql`lock table rules in share row exclusive mode`);
    const [counted] = await tx
      .select({ amount: sql<number>`count(*)::int` })
      .from(rules)
      .where(isNull(rules.personId));
    if ((counted?.amount ?? 0) >= most) return null;
    const now = new Date(change.nowMs);
    const [row] = await tx
      .insert(rules)
      .values({ ...values, channelIds: [...values.channelIds], since: now, createdAt: now })
      .returning();
    if (row === undefined) throw new Error("the rule was not written");
    await log(tx, "make", row, change);
    return row;
  });
}

/**
 * Changes a rule: from now on it is as if it were new, and what it has opened stays opened.
 * @returns null: there is none
 */
export async function changeRule(
  { orm }: Pick<Database, "orm">,
  id: string,
  decide: (before: RuleRow) => { name: string; rule: Rule; channelIds: readonly string[] },
  change: Change,
): Promise<RuleRow | null> {
  return orm.transaction(async (tx) => {
    const [before] = await tx
      .select()
      .from(rules)
      .where(sql`${rules.id} = ${id} and ${rules.personId} is null`)
      .for("update");
    if (before === undefined) return null;
    const { channelIds, ...values } = decide(before);
    const [row] = await tx
      .update(rules)
      .set({ ...values, channelIds: [...channelIds], since: new Date(change.nowMs) })
      .where(eq(rules.id, id))
      .returning();
    if (row === undefined) throw new Error("the rule was not changed");
    await log(tx, "change", row, change);
    return row;
  });
}

/** What it has opened is still ended. @returns whether there was one */
export async function removeRule(
  { orm }: Pick<Database, "orm">,
  id: string,
  change: Change,
): Promise<boolean> {
  return orm.transaction(async (tx) => {
    const [row] = await tx
      .delete(rules)
      .where(sql`${rules.id} = ${id} and ${rules.personId} is null`)
      .returning();
    if (row === undefined) return false;
    await log(tx, "remove", row, change);
    return true;
  });
}

/** @param own null: no alerts any more */
export async function writeOwnRule(
  { orm }: Pick<Database, "orm">,
  personId: string,
  own: { name: string; rule: Rule; own: NonNullable<RuleRow["own"]> } | null,
  nowMs: number,
): Promise<void> {
  if (own === null) {
    await orm.delete(rules).where(eq(rules.personId, personId));
    return;
  }
  const now = new Date(nowMs);
  const values = { ...own, since: now };
  await orm
    .insert(rules)
    .values({ ...values, personId, channelIds: [], createdAt: now })
    .onConflictDoUpdate({ target: rules.personId, set: values });
}

async function log(
  tx: Transaction,
  action: "make" | "change" | "remove",
  { id, name }: RuleRow,
  { person, nowMs }: Change,
): Promise<void> {
  await appendHouse(tx, nowMs, [
    { kind: "rule", action, person, subject: name, detail: { rule: id } },
  ]);
}

/** Where somebody's own mail goes; null: they may not sign in any more, or have no address. */
export async function readAddressee(
  orm: Orm,
  personId: string,
): Promise<{ holder: Grantee; email: string } | null> {
  const [row] = await orm
    .select({ holder: holderOf(orm), email: people.email })
    .from(people)
    .where(and(eq(people.id, personId), isNull(people.disabledAt)));
  return row === undefined || row.email === "" ? null : row;
}
