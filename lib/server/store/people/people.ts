import { and, asc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Orm } from "@/lib/server/store/database";
import { people, sessions } from "@/lib/server/store/schema/people";
import type { Role } from "@/lib/domain/rights";

/** What signing in needs to know about an account. */
type Account = {
  id: string;
  email: string;
  name: string;
  /** Null: no password, or disabled. */
  passwordHash: string | null;
  /** Whether this person has signed in from the given address before. */
  isAtKnownAddress: boolean;
};

/**
 * The account behind an e-mail address; null when there is none. One query whether or not it exists.
 * @param email lower-case
 * @param knownSinceMs epoch milliseconds; sign-ins from `address` before that are forgotten
 */
export async function findAccount(
  orm: Orm,
  email: string,
  address: string,
  knownSinceMs: number,
): Promise<Account | null> {
  const known = orm
    .select({ one: sql`1` })
    .from(sessions)
    .where(
      and(
        eq(sessions.personId, people.id),
        eq(sessions.address, address),
        gt(sessions.createdAt, new Date(knownSinceMs)),
      ),
    );
  const [row] = await orm
    .select({
      id: people.id,
      email: people.email,
      name: people.name,
      passwordHash: sql<
        string | null
      >`case when ${people.disabledAt} is null then ${people.passwordHash} end`,
      isAtKnownAddress: sql<boolean>`exists (${known})`,
    })
    .from(people)
    .where(eq(people.email, email));
  return row ?? null;
}

/** Creates a person and returns their id. The email must be lower-case and new. */
export async function createPerson(
  orm: Orm,
  person: { email: string; name: string; role: Role; passwordHash: string | null },
): Promise<string> {
  const [row] = await orm.insert(people).values(person).returning({ id: people.id });
  if (!row) throw new Error("the person was not inserted");
  return row.id;
}

/** Replaces a password and ends every session of that person: who knew the old one is out. */
export async function changePassword(
  orm: Orm,
  personId: string,
  passwordHash: string,
  nowMs: number,
): Promise<void> {
  await orm.update(people).set({ passwordHash }).where(eq(people.id, personId));
  await orm
    .update(sessions)
    .set({ revokedAt: new Date(nowMs) })
    .where(and(eq(sessions.personId, personId), isNull(sessions.revokedAt)));
}

/** The e-mail address of the administrator who has been one for longest; null when none is enabled. */
export async function findOldestAdministrator(orm: Orm): Promise<string | null> {
  const [row] = await orm
    .select({ email: people.email })
    .from(people)
    .where(and(eq(people.role, "administrator"), isNull(people.disabledAt)))
    .orderBy(asc(people.createdAt), asc(people.id))
    .limit(1);
  return row?.email ?? null;
}
