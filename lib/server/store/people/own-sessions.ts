import { aliasedTable, and, asc, desc, eq, gt, isNull, ne, type SQL } from "drizzle-orm";
import type { Orm, Transaction } from "@/lib/server/store/database";
import { DATABASE_NOW_MS } from "@/lib/server/store/database-time";
import { tell } from "@/lib/server/store/notifications";
import { grants, people, sessions } from "@/lib/server/store/schema/people";
import { authenticatedAtMs } from "./sessions";
import type { Role } from "@/lib/domain/rights";

/** A session as its own person sees it; `id` opens nothing. */
export type OwnSession = {
  id: string;
  browser: string;
  address: string;
  createdAt: Date;
  lastSeenAt: Date;
  expiresAt: Date;
  /** Null: nobody knows. */
  authenticatedAt: Date | null;
};

/** What somebody was made by hand. `giver`: null is Plumbline itself. */
type GivenGrant = { role: Role; company: string | null; giver: string | null; givenAt: Date };

/** More than anybody has open; the others are there, and end with "all others". */
const MOST_SESSIONS = 200;

const isOpenOf = (personId: string, more?: SQL) =>
  and(eq(sessions.personId, personId), isNull(sessions.revokedAt), more);

/**
 * The sessions of a person that hold, those used last first.
 * @param nowMs on the database's clock, epoch milliseconds
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
    .limit(MOST_SESSIONS);
  return rows.map((row) => ({
    ...row,
    authenticatedAt: authenticatedAtMs(row.authenticatedAt) === null ? null : row.authenticatedAt,
  }));
}

/** What a person was made by hand, the widest first. */
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
 * Ends sessions of a person, which every instance is told when the transaction commits.
 * @param which the one of this public id, or all but that one
 * @returns what was still open and is not any more
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
  for (const { id } of ended) await tell(tx, "sessions", id);
  return ended.map(({ browser }) => ({ browser }));
}

/**
 * When the person of a session last proved who they are; null: it has ended, or never was.
 * @param publicId what people and addresses name it by
 * @returns `authenticatedAtMs`: null where nobody knows; `databaseMs`: when this was read, see `DatabaseTime.heard`
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

/** Requests that are under way with the secret before are answered for so long: what a page waits for an answer. */
const PREVIOUS_MS = 10_000;

/**
 * Notes that a session's person has proven who they are, and gives it another secret.
 * @param renewal.atMs on the database's clock, epoch milliseconds
 * @param renewal.id hex SHA-256 of the secret that they came with
 * @param renewal.nextId the same of the one to come; it isn't taken where another request renewed the session meanwhile
 * @returns null: the session has ended; `isRenewed`: whether the next secret is its secret now
 */
export async function renewSession(
  tx: Transaction,
  {
    personId,
    publicId,
    atMs,
    id,
    nextId,
  }: { personId: string; publicId: string; atMs: number; id: string; nextId: string },
): Promise<{ isRenewed: boolean; expiresAtMs: number } | null> {
  const its = isOpenOf(personId, eq(sessions.publicId, publicId));
  const authenticatedAt = new Date(atMs);
  const [renewed] = await tx
    .update(sessions)
    .set({
      authenticatedAt,
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
          .set({ authenticatedAt })
          .where(its)
          .returning({ expiresAt: sessions.expiresAt })
      : [renewed];
  if (marked === undefined) return null;
  await tell(tx, "sessions", id);
  return { isRenewed: renewed !== undefined, expiresAtMs: marked.expiresAt.getTime() };
}
