import { and, eq, isNull, lt, sql } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { DATABASE_NOW_MS } from "@/lib/server/store/database-time";
import { memberships, people, sessions } from "@/lib/server/store/schema/people";
import type { Role } from "@/lib/domain/rights";

/** A session's row with the person as they are now. */
export type SessionRow = {
  /** When it was read, on the database's clock as all of its instants: see `DatabaseTime.heard`. */
  databaseMs: string;
  expiresAtMs: number;
  lastSeenAtMs: number;
  isRevoked: boolean;
  person: {
    id: string;
    email: string;
    name: string;
    role: Role;
    isDisabled: boolean;
    /** Slugs of the companies they are a member of. */
    companies: string[];
  };
};

/** @param id hex SHA-256 of the secret in the cookie */
export async function readSession({ orm }: Database, id: string): Promise<SessionRow | null> {
  const [row] = await orm
    .select({
      databaseMs: DATABASE_NOW_MS,
      expiresAt: sessions.expiresAt,
      lastSeenAt: sessions.lastSeenAt,
      revokedAt: sessions.revokedAt,
      disabledAt: people.disabledAt,
      id: people.id,
      email: people.email,
      name: people.name,
      role: people.role,
      companies: sql<string[]>`array(${orm
        .select({ company: memberships.company })
        .from(memberships)
        .where(eq(memberships.personId, people.id))
        .orderBy(memberships.company)})`,
    })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .where(eq(sessions.id, id));
  if (!row) return null;
  const { databaseMs, expiresAt, lastSeenAt, revokedAt, disabledAt, ...person } = row;
  return {
    databaseMs,
    expiresAtMs: expiresAt.getTime(),
    lastSeenAtMs: lastSeenAt.getTime(),
    isRevoked: revokedAt !== null,
    person: { ...person, isDisabled: disabledAt !== null },
  };
}

/** Instants are epoch milliseconds. */
export async function insertSession(
  { orm }: Database,
  session: { id: string; personId: string; address: string; nowMs: number; expiresAtMs: number },
): Promise<void> {
  const now = new Date(session.nowMs);
  await orm.insert(sessions).values({
    id: session.id,
    personId: session.personId,
    address: session.address,
    createdAt: now,
    lastSeenAt: now,
    expiresAt: new Date(session.expiresAtMs),
  });
}

/** Notes that the session was used at `nowMs`. */
export async function touchSession({ orm }: Database, id: string, nowMs: number): Promise<void> {
  await orm
    .update(sessions)
    .set({ lastSeenAt: new Date(nowMs) })
    .where(eq(sessions.id, id));
}

/** Ends a session; the first end counts. */
export async function revokeSession({ orm }: Database, id: string, nowMs: number): Promise<void> {
  await orm
    .update(sessions)
    .set({ revokedAt: new Date(nowMs) })
    .where(and(eq(sessions.id, id), isNull(sessions.revokedAt)));
}

/** Forgets sessions that began before `beforeMs`; they must have ended by then. */
export async function pruneSessions({ orm }: Database, beforeMs: number): Promise<void> {
  await orm.delete(sessions).where(lt(sessions.createdAt, new Date(beforeMs)));
}
