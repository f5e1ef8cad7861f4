import { and, asc, eq, gt, inArray, isNotNull, isNull, lt } from "drizzle-orm";
import type { FoundGrant } from "@/lib/domain/access-rules";
import type { Grant } from "@/lib/domain/rights";
import type { Orm } from "@/lib/server/store/database";
import { notifyAll } from "@/lib/server/store/notifications";
import {
  grants,
  people,
  sessions,
  usedLogoutTokens,
  type Claims,
} from "@/lib/server/store/schema/people";

/** A person who signs in through an identity provider. */
export type ProviderPerson = {
  id: string;
  issuer: string;
  email: string;
  name: string;
  claims: Claims;
  /** Rule-based grants last written to the audit log. */
  foundGrants: readonly FoundGrant[];
  isDisabled: boolean;
};

const COLUMNS = {
  id: people.id,
  issuer: people.issuer,
  email: people.email,
  name: people.name,
  claims: people.claims,
  foundGrants: people.foundGrants,
  disabledAt: people.disabledAt,
};

type Row = {
  id: string;
  issuer: string | null;
  email: string;
  name: string;
  claims: Claims | null;
  foundGrants: readonly FoundGrant[] | null;
  disabledAt: Date | null;
};

function personOf({ issuer, claims, foundGrants, disabledAt, ...person }: Row): ProviderPerson {
  return {
    ...person,
    issuer: issuer ?? "",
    claims: claims ?? {},
    foundGrants: foundGrants ?? [],
    isDisabled: disabledAt !== null,
  };
}

/** Finds a person by issuer and subject and locks the row until the transaction ends; null: never signed in. */
export async function lockProviderPerson(
  orm: Orm,
  issuer: string,
  subject: string,
): Promise<ProviderPerson | null> {
  const [row] = await orm
    .select(COLUMNS)
    .from(people)
    .where(and(eq(people.issuer, issuer), eq(people.subject, subject)))
    .for("no key update");
  return row === undefined ? null : personOf(row);
}

/** Same, by id. */
export async function lockPersonById(orm: Orm, id: string): Promise<ProviderPerson | null> {
  const [row] = await orm
    .select(COLUMNS)
    .from(people)
    .where(eq(people.id, id))
    .for("no key update");
  return row === undefined || row.issuer === null ? null : personOf(row);
}

/** Enabled people of an issuer, ordered by id. @param afterId null: from the start */
export async function listProviderPeople(
  orm: Orm,
  issuer: string,
  { afterId, limit }: { afterId: string | null; limit: number },
): Promise<ProviderPerson[]> {
  const rows = await orm
    .select(COLUMNS)
    .from(people)
    .where(
      and(
        eq(people.issuer, issuer),
        isNotNull(people.claims),
        isNull(people.disabledAt),
        afterId === null ? undefined : gt(people.id, afterId),
      ),
    )
    .orderBy(asc(people.id))
    .limit(limit);
  return rows.map(personOf);
}

/** A person's manual grants. */
export async function listGivenGrants(orm: Orm, personId: string): Promise<Grant[]> {
  return orm
    .select({ role: grants.role, company: grants.company })
    .from(grants)
    .where(eq(grants.personId, personId));
}

/**
 * Stores the current claims from an identity provider. Concurrent first sign-ins create one person.
 * @param person.email lower case, "" if the provider sends none
 * @returns the person's id
 */
export async function saveProviderPerson(
  orm: Orm,
  person: { issuer: string; subject: string; email: string; name: string; claims: Claims },
): Promise<string> {
  const { issuer, subject, ...facts } = person;
  const [row] = await orm
    .insert(people)
    .values({ issuer, subject, ...facts })
    .onConflictDoUpdate({ target: [people.issuer, people.subject], set: facts })
    .returning({ id: people.id });
  if (!row) throw new Error("the person was not written");
  return row.id;
}

/** Stores the grants written to the audit log in the same transaction. */
export async function saveFoundGrants(
  orm: Orm,
  personId: string,
  foundGrants: readonly FoundGrant[],
): Promise<void> {
  await orm.update(people).set({ foundGrants }).where(eq(people.id, personId));
}

/** A person and their ended sessions. */
export type EndedSessions = {
  person: { id: string; email: string; name: string };
  /** Hex SHA-256 of their secrets. */
  ids: string[];
};

/**
 * Ends sessions on the provider's request: those of one provider session (`session`), or all of a subject. Every
 * instance is notified on commit.
 * @returns the people affected; sessions that had already ended are omitted
 */
export async function endProviderSessions(
  orm: Orm,
  issuer: string,
  { session, subject }: { session: string | null; subject: string | null },
  nowMs: number,
): Promise<EndedSessions[]> {
  const found = await orm
    .select({ session: sessions.id, id: people.id, email: people.email, name: people.name })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .where(
      and(
        eq(people.issuer, issuer),
        session === null ? undefined : eq(sessions.providerSession, session),
        subject === null ? undefined : eq(people.subject, subject),
        isNull(sessions.revokedAt),
      ),
    );
  if (found.length === 0) return [];
  const ids = found.map((row) => row.session);
  await orm
    .update(sessions)
    .set({ revokedAt: new Date(nowMs), idToken: null })
    .where(inArray(sessions.id, ids));
  await notifyAll(orm, "sessions", ids);
  const ended = new Map<string, EndedSessions>();
  for (const { session: sessionId, id, email, name } of found) {
    const of = ended.get(id) ?? { person: { id, email, name }, ids: [] };
    of.ids.push(sessionId);
    ended.set(id, of);
  }
  return [...ended.values()];
}

/**
 * Marks a logout token as used.
 * @param id hex SHA-256 of its issuer and `jti`
 * @returns false: it was used before
 */
export async function takeLogoutToken(
  orm: Orm,
  id: string,
  { nowMs, expiresAtMs }: { nowMs: number; expiresAtMs: number },
): Promise<boolean> {
  await orm.delete(usedLogoutTokens).where(lt(usedLogoutTokens.expiresAt, new Date(nowMs)));
  const taken = await orm
    .insert(usedLogoutTokens)
    .values({ id, expiresAt: new Date(expiresAtMs) })
    .onConflictDoNothing()
    .returning({ id: usedLogoutTokens.id });
  return taken.length > 0;
}
