import { and, asc, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Rule } from "@/lib/domain/delivery/rule";
import { audited, type Change } from "@/lib/server/store/audit/audited";
import type { Database, Orm, Transaction } from "@/lib/server/store/database";
import { insertOnceUpTo } from "@/lib/server/store/insert-up-to";
import { holderOf, type Grantee } from "@/lib/server/store/people/grantee";
import { channels, rules } from "@/lib/server/store/schema/delivery";
import { people } from "@/lib/server/store/schema/people";

export type RuleRow = typeof rules.$inferSelect;

/** Rules that an earlier version wrote are about no promises. */
function whole<Row extends Pick<RuleRow, "rule">>(row: Row): Row {
  const written: Partial<Rule> = row.rule;
  return { ...row, rule: { ...row.rule, promises: written.promises ?? "none" } };
}

/** Shared rules, oldest first. */
export async function readRules(orm: Orm): Promise<RuleRow[]> {
  const rows = await orm
    .select()
    .from(rules)
    .where(isNull(rules.personId))
    .orderBy(asc(rules.createdAt), asc(rules.id));
  return rows.map(whole);
}

/** A person's own rule; null: none. */
export async function readOwnRule(orm: Orm, personId: string): Promise<RuleRow | null> {
  const [row] = await orm.select().from(rules).where(eq(rules.personId, personId));
  return row === undefined ? null : whole(row);
}

/** All personal rules with their owners. */
export async function readOwnRules(
  orm: Orm,
): Promise<(RuleRow & { holder: Grantee; email: string })[]> {
  const rows = await orm
    .select({ rule: rules, holder: holderOf(orm), email: people.email })
    .from(rules)
    .innerJoin(people, eq(people.id, rules.personId))
    .where(isNotNull(rules.personId))
    .orderBy(asc(rules.id));
  return rows.map(({ rule, holder, email }) => ({ ...whole(rule), holder, email }));
}

/** What the planning of messages needs to know about each channel, by id. */
export async function readPlannedChannels(
  orm: Orm,
): Promise<
  ReadonlyMap<
    string,
    Pick<typeof channels.$inferSelect, "kind" | "name" | "timeZone" | "followsFrom">
  >
> {
  const rows = await orm
    .select({
      id: channels.id,
      kind: channels.kind,
      name: channels.name,
      timeZone: channels.timeZone,
      followsFrom: channels.followsFrom,
    })
    .from(channels);
  return new Map(rows.map(({ id, ...channel }) => [id, channel]));
}

/**
 * @param id null: a new one
 * @returns `known`: there is already a rule with this id; null: the limit is reached
 */
export async function insertRule(
  { orm }: Pick<Database, "orm">,
  id: string | null,
  values: { name: string; rule: Rule; channelIds: readonly string[] },
  { most, ...change }: Change & { most: number },
): Promise<RuleRow | "known" | null> {
  return orm.transaction(async (tx) => {
    const now = new Date(change.nowMs);
    const row = await insertOnceUpTo(
      tx,
      rules,
      id,
      { ...values, channelIds: [...values.channelIds], since: now, createdAt: now },
      { most, among: isNull(rules.personId) },
    );
    if (row === null || row === "known") return row;
    await log(tx, "make", row, change);
    return row;
  });
}

/**
 * Changes a rule: it then applies like a new one, and incidents it has notified are still followed up.
 * @returns null: no such rule
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
    const { channelIds, ...values } = decide(whole(before));
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

/** Incidents it has notified are still followed up. @returns whether it existed */
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

/** @param own null: turns personal alerts off */
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

function log(
  tx: Transaction,
  action: "make" | "change" | "remove",
  { id, name }: RuleRow,
  change: Change,
): Promise<void> {
  const detail = { rule: id };
  return audited(tx, change, { company: null, kind: "rule", action, subject: name, detail });
}

/** Recipient of a person's mail; null: disabled, or without an address. */
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
