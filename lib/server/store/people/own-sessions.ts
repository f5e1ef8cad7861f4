import { aliasedTable, and, asc, desc, eq, gt, isNull, ne, type SQL } from "drizzle-orm";
import type { Orm, Transaction } from "@/lib/server/store/database";
import { DATABASE_NOW_MS } from "@/lib/server/store/database-time";
import { notify, notifyAll } from "@/lib/server/store/notifications";
import { grants, people, sessions } from "@/lib/server/store/schema/people";
import { authenticatedAtMs } from "./sessions";
import type { Role } from "@/lib/domain/rights";

/** A session as shown to its owner; `id` is public and grants no access. */
export type OwnSession = {
  id: string;
  browser: string;
  address: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  /** Null: unknown. */
  authenticatedAt: Date | null;
};

/** A manual grant. `giver`: null is Plumbline itself. */
type GivenGrant = { role: Role; company: string | null; giver: string | null; givenAt: Date };

/** Most sessions listed; ending "all others" includes the rest. */
const MAX_SESSIONS = 200;

const isOpenOf = (personId: string, more?: SQL) =>
  and(eq(sessions.personId, personId), isNull(sessions.revokedAt), more);

/**
 * A person's active sessions, most recently used first.
 * @param nowMs on the database clock, epoch milliseconds
 */
export async function readOwnSessions(
  orm: Orm,
  personId: string,
  nowMs: number,
): Promise<OwnSession[]> {
  const rows = await orm
    .select({
      id: sessions.publicId,
      browser: sessions.browser,
      address: sessions.address,
      createdAt: sessions.createdAt,
      lastSeenAt: sessions.lastSeenAt,
      expiresAt: sessions.expiresAt,
      authenticatedAt: sessions.authenticatedAt,
    })
    .from(sessions)
    .where(isOpenOf(personId, gt(sessions.expiresAt, new Date(nowMs))))
    .orderBy(desc(sessions.lastSeenAt), asc(sessions.publicId))
    .limit(MAX_SESSIONS);
  return rows.map((row) => ({
    ...row,
    authenticatedAt: authenticatedAtMs(row.authenticatedAt) === null ? null : row.authenticatedAt,
  }));
}

/** A person's manual grants, ordered by company. */
export async function readGivenGrants(orm: Orm, personId: string): Promise<GivenGrant[]> {
  const givers = aliasedTable(people, "givers");
  return orm
    .select({
      role: grants.role,
      company: grants.company,
      giver: givers.name,
      givenAt: grants.givenAt,
    })
    .from(grants)
    .leftJoin(givers, eq(givers.id, grants.givenBy))
    .where(eq(grants.personId, personId))
    .orderBy(asc(grants.company));
}

/**
 * Ends sessions of a person; every instance is notified on commit.
 * @param which the session with this public id, or all others
 * @returns the sessions ended by this call
 */
export async function endOwnSessions(
  tx: Transaction,
  personId: string,
  which: { only: string } | { allBut: string },
  nowMs: number,
): Promise<{ browser: string }[]> {
  const these =
    "only" in which ? eq(sessions.publicId, which.only) : ne(sessions.publicId, which.allBut);
  const ended = await tx
    .update(sessions)
    .set({ revokedAt: new Date(nowMs), idToken: null })
    .where(isOpenOf(personId, these))
    .returning({ id: sessions.id, browser: sessions.browser });
  await notifyAll(
    tx,
    "sessions",
    ended.map(({ id }) => id),
  );
  return ended.map(({ browser }) => ({ browser }));
}

/**
 * When the person of a session last authenticated; null: no active session.
 * @param publicId the session's public id
 * @returns `authenticatedAtMs`: null if unknown; `databaseMs`: database time of the read, see
 * `DatabaseTime.observe`
 */
export async function readAuthenticated(
  orm: Orm,
  publicId: string,
): Promise<{ authenticatedAtMs: number | null; databaseMs: string } | null> {
  const [row] = await orm
    .select({ authenticatedAt: sessions.authenticatedAt, databaseMs: DATABASE_NOW_MS })
    .from(sessions)
    .where(and(eq(sessions.publicId, publicId), isNull(sessions.revokedAt)));
  if (row === undefined) return null;
  const { authenticatedAt, databaseMs } = row;
  return { authenticatedAtMs: authenticatedAtMs(authenticatedAt), databaseMs };
}

/** Grace period for requests in flight with the previous secret, equal to the client's request timeout. */
const PREVIOUS_MS = 10_000;

/**
 * Rotates a session's secret.
 * @param renewal.atMs now on the database clock, epoch milliseconds
 * @param renewal.isProven records that the person has reauthenticated
 * @param renewal.id hex SHA-256 of the secret that the request used
 * @param renewal.nextId hex SHA-256 of the new secret; ignored if another request rotated the session meanwhile
 * @returns null: the session has ended; `isRenewed`: whether the new secret was stored
 */
export async function renewSession(
  tx: Transaction,
  {
    personId,
    publicId,
    atMs,
    id,
    nextId,
    isProven,
  }: {
    personId: string;
    publicId: string;
    atMs: number;
    id: string;
    nextId: string;
    isProven: boolean;
  },
): Promise<{ isRenewed: boolean; expiresAtMs: number } | null> {
  const its = isOpenOf(personId, eq(sessions.publicId, publicId));
  // A session always keeps its person, so without proof this changes nothing.
  const proven = isProven ? { authenticatedAt: new Date(atMs) } : { personId };
  const [renewed] = await tx
    .update(sessions)
    .set({
      ...proven,
      id: nextId,
      previousId: id,
      previousUntil: new Date(atMs + PREVIOUS_MS),
    })
    .where(and(its, eq(sessions.id, id)))
    .returning({ expiresAt: sessions.expiresAt });
  const [marked] =
    renewed === undefined
      ? await tx
          .update(sessions)
          .set(proven)
          .where(its)
          .returning({ expiresAt: sessions.expiresAt })
      : [renewed];
  if (marked === undefined) return null;
  await notify(tx, "sessions", id);
  return { isRenewed: renewed !== undefined, expiresAtMs: marked.expiresAt.getTime() };
}
