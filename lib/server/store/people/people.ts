import { and, asc, eq, gt, isNotNull, isNull, ne, sql, type SQL } from "drizzle-orm";
import type { Orm } from "@/lib/server/store/database";
import { grants, people, sessions } from "@/lib/server/store/schema/people";
import type { Grant } from "@/lib/domain/rights";

/** Account data needed to sign in. */
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
 * Finds a local account by e-mail address; null: none. Always one query, whether or not it exists.
 * @param email lower case
 * @param knownSinceMs epoch milliseconds; earlier sign-ins from `address` don't count
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
    .where(and(eq(people.email, email), isNull(people.issuer)));
  return row ?? null;
}

/**
 * Creates a local account and returns its id.
 * @param person.email lower case, unique among local accounts
 * @param person.givenBy who gave the grants; null: Plumbline itself
 */
export async function createPerson(
  orm: Orm,
  person: {
    email: string;
    name: string;
    passwordHash: string | null;
    /** When the password was generated and printed; omitted: it wasn't. */
    passwordPrintedAt?: Date | null;
    grants: readonly Grant[];
    givenBy?: string | null;
  },
): Promise<string> {
  const { grants: given, givenBy = null, ...account } = person;
  const [row] = await orm.insert(people).values(account).returning({ id: people.id });
  if (!row) throw new Error("the person was not inserted");
  const { id: personId } = row;
  if (given.length > 0) {
    await orm.insert(grants).values(given.map((grant) => ({ ...grant, personId, givenBy })));
  }
  return personId;
}

/** Whether another account has the same name as this one. */
export async function isNameShared(
  orm: Orm,
  { id, name }: { id: string; name: string },
): Promise<boolean> {
  const found = await orm
    .select({ id: people.id })
    .from(people)
    .where(and(eq(people.name, name), ne(people.id, id)))
    .limit(1);
  return found.length > 0;
}

/** Replaces a password, which isn't the printed one any more. */
export async function replacePassword(
  orm: Orm,
  personId: string,
  passwordHash: string,
): Promise<void> {
  await orm
    .update(people)
    .set({ passwordHash, passwordPrintedAt: null })
    .where(eq(people.id, personId));
}

/** Whether a person's password is still the generated one that was printed. */
export async function isPasswordPrinted(orm: Orm, personId: string): Promise<boolean> {
  return (await findPrinted(orm, eq(people.id, personId))) !== null;
}

/** Email address of a local account that can be signed in to with a password that was printed; null: there is none. */
export async function findPrintedPassword(orm: Orm): Promise<string | null> {
  return findPrinted(orm, isNull(people.disabledAt));
}

async function findPrinted(orm: Orm, which: SQL): Promise<string | null> {
  const [one] = await orm
    .select({ email: people.email })
    .from(people)
    .where(and(isNotNull(people.passwordPrintedAt), which))
    .limit(1);
  return one?.email ?? null;
}

/** Replaces a password and ends all of the person's sessions. */
export async function changePassword(
  orm: Orm,
  personId: string,
  passwordHash: string,
  nowMs: number,
): Promise<void> {
  await replacePassword(orm, personId, passwordHash);
  await orm
    .update(sessions)
    .set({ revokedAt: new Date(nowMs) })
    .where(and(eq(sessions.personId, personId), isNull(sessions.revokedAt)));
}

/** E-mail address of the oldest enabled local administrator account that has a password; null: none. */
export async function findOldestAdministrator(orm: Orm): Promise<string | null> {
  const [row] = await orm
    .select({ email: people.email })
    .from(people)
    .innerJoin(grants, eq(grants.personId, people.id))
    .where(
      and(
        eq(grants.role, "administrator"),
        isNull(people.issuer),
        isNull(people.disabledAt),
        isNotNull(people.passwordHash),
      ),
    )
    .orderBy(asc(people.createdAt), asc(people.id))
    .limit(1);
  return row?.email ?? null;
}
