import { and, asc, eq, gt, lt, sql } from "drizzle-orm";
import { audited, type Change } from "@/lib/server/store/audit/audited";
import type { Database, Orm, Transaction } from "@/lib/server/store/database";
import { holderOf, type Grantee } from "@/lib/server/store/people/grantee";
import { people, sessions } from "@/lib/server/store/schema/people";
import { slackAccounts, slackInvitations } from "@/lib/server/store/schema/slack";
import { toStorable } from "@/lib/server/store/storable";

export type SlackAccountRow = typeof slackAccounts.$inferSelect;
/** A user of Slack. Names: as Slack says, maybe empty. */
export type SlackUser = Pick<SlackAccountRow, "teamId" | "userId" | "teamName" | "userName">;
type OwnChange = Change & { person: NonNullable<Change["person"]> };

const isOf = (
  table: typeof slackAccounts | typeof slackInvitations,
  { teamId, userId }: Pick<SlackUser, "teamId" | "userId">,
) => and(eq(table.teamId, teamId), eq(table.userId, userId));

/**
 * The account of ours that a user of Slack linked, with its current permissions.
 * @returns null: none
 */
export async function readSlackAccount(
  orm: Orm,
  user: Pick<SlackUser, "teamId" | "userId">,
): Promise<{
  linkedAt: Date;
  person: Grantee & { email: string };
  /** Last sign-in; null: none is known. */
  signedInAt: Date | null;
} | null> {
  const [found] = await orm
    .select({
      linkedAt: slackAccounts.linkedAt,
      person: { ...holderOf(orm), email: people.email },
      signedInMs: sql<string | null>`(${orm
        .select({ at: sql`floor(extract(epoch from max(${sessions.createdAt})) * 1000)::bigint` })
        .from(sessions)
        .where(eq(sessions.personId, people.id))})`,
    })
    .from(slackAccounts)
    .innerJoin(people, eq(people.id, slackAccounts.personId))
    .where(isOf(slackAccounts, user));
  if (found === undefined) return null;
  const { signedInMs, ...rest } = found;
  return { ...rest, signedInAt: signedInMs === null ? null : new Date(Number(signedInMs)) };
}

/** Replaces the user's earlier one-time link, and removes expired ones. */
export function inviteSlackUser(
  { orm }: Pick<Database, "orm">,
  user: SlackUser,
  { tokenHash, expiresMs, nowMs }: { tokenHash: string; expiresMs: number; nowMs: number },
): Promise<void> {
  const { teamName, userName, ...key } = user;
  const values = {
    ...toStorable({ teamName, userName }),
    tokenHash,
    expiresAt: new Date(expiresMs),
  };
  return orm.transaction(async (tx) => {
    await tx.delete(slackInvitations).where(lt(slackInvitations.expiresAt, new Date(nowMs)));
    await tx
      .insert(slackInvitations)
      .values({ ...key, ...values })
      .onConflictDoUpdate({
        target: [slackInvitations.teamId, slackInvitations.userId],
        set: values,
      });
  });
}

/** The user whom a one-time link was sent to; null: none, or it has expired. */
export async function readInvitation(
  orm: Orm,
  tokenHash: string,
  nowMs: number,
): Promise<SlackUser | null> {
  const [found] = await orm.select().from(slackInvitations).where(isGood(tokenHash, nowMs));
  return found ?? null;
}

const isGood = (tokenHash: string, nowMs: number) =>
  and(eq(slackInvitations.tokenHash, tokenHash), gt(slackInvitations.expiresAt, new Date(nowMs)));

/**
 * Links the user of Slack to the person, and uses up the one-time link. Ends the user's link to another person.
 * @returns null: no such link, or it has expired
 */
export function linkSlackUser(
  { orm }: Pick<Database, "orm">,
  tokenHash: string,
  change: OwnChange,
): Promise<SlackAccountRow | null> {
  const { nowMs, person } = change;
  return orm.transaction(async (tx) => {
    const [found] = await tx.delete(slackInvitations).where(isGood(tokenHash, nowMs)).returning();
    if (found === undefined) return null;
    const { teamId, userId, teamName, userName } = found;
    const [before] = await tx
      .select({ row: slackAccounts, name: people.name })
      .from(slackAccounts)
      .innerJoin(people, eq(people.id, slackAccounts.personId))
      .where(isOf(slackAccounts, found))
      .for("update", { of: slackAccounts });
    const values = { teamName, userName, personId: person.id, linkedAt: new Date(nowMs) };
    const [row] = await tx
      .insert(slackAccounts)
      .values({ teamId, userId, ...values })
      .onConflictDoUpdate({ target: [slackAccounts.teamId, slackAccounts.userId], set: values })
      .returning();
    if (row === undefined) throw new Error("the account was not linked");
    if (before !== undefined && before.row.personId !== person.id)
      await log(tx, "unlink-slack", before.row, change, {
        because: `it was linked to ${before.name}`,
      });
    await log(tx, "link-slack", row, change);
    return row;
  });
}

/** @returns whether it was theirs */
export function unlinkSlackUser(
  { orm }: Pick<Database, "orm">,
  id: string,
  change: OwnChange,
): Promise<boolean> {
  return orm.transaction(async (tx) => {
    const [row] = await tx
      .delete(slackAccounts)
      .where(and(eq(slackAccounts.id, id), eq(slackAccounts.personId, change.person.id)))
      .returning();
    if (row === undefined) return false;
    await log(tx, "unlink-slack", row, change);
    return true;
  });
}

/** A person's linked accounts, oldest first. */
export function readSlackAccounts(orm: Orm, personId: string): Promise<SlackAccountRow[]> {
  return orm
    .select()
    .from(slackAccounts)
    .where(eq(slackAccounts.personId, personId))
    .orderBy(asc(slackAccounts.linkedAt), asc(slackAccounts.id));
}

function log(
  tx: Transaction,
  action: "link-slack" | "unlink-slack",
  { teamId, userId, teamName, userName }: SlackAccountRow,
  change: OwnChange,
  more: { because?: string } = {},
): Promise<void> {
  return audited(tx, change, {
    company: null,
    kind: "person",
    action,
    subject: `${userName || userId}, ${teamName || teamId}`,
    detail: { team: teamId, user: userId, ...more },
  });
}
