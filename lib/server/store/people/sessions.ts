import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Database, Orm } from "@/lib/server/store/database";
import { DATABASE_NOW_MS } from "@/lib/server/store/database-time";
import { grants, people, sessions, type Claims } from "@/lib/server/store/schema/people";
import type { Grant } from "@/lib/domain/rights";

/** A session's row with the person as they are now. */
export type SessionRow = {
  publicId: string;
  /** Until when it's good, where the secret is the one before its last renewal; null: it's the present one. */
  previousUntilMs: number | null;
  /** Null: nobody knows. */
  authenticatedAtMs: number | null;
  /** When it was read, on the database's clock as all of its instants: see `DatabaseTime.heard`. */
  databaseMs: string;
  expiresAtMs: number;
  lastSeenAtMs: number;
  isRevoked: boolean;
  person: {
    id: string;
    email: string;
    name: string;
    /** Null: a local account. */
    issuer: string | null;
    /** Those given by hand. */
    grants: Grant[];
    /** What rules find more grants by; null: a local account. */
    claims: Claims | null;
    isDisabled: boolean;
  };
};

/** Of whom nobody knows when they proved who they are, 1970 is stored: as long ago as can be. */
const UNKNOWN_MS = 0;
/** When somebody proved who they are, from its column; epoch milliseconds, null: nobody knows. */
export function authenticatedAtMs(stored: Date): number | null {
  const atMs = stored.getTime();
  return atMs === UNKNOWN_MS ? null : atMs;
}

/** Whether a hash is that of a session's secret, or of the one before. */
const isOf = (id: string) => or(eq(sessions.id, id), eq(sessions.previousId, id));

/** @param id hex SHA-256 of the secret in the cookie */
export async function readSession({ orm }: Database, id: string): Promise<SessionRow | null> {
  const [row] = await orm
    .select({
      databaseMs: DATABASE_NOW_MS,
      publicId: sessions.publicId,
      presentId: sessions.id,
      previousUntil: sessions.previousUntil,
      authenticatedAt: sessions.authenticatedAt,
      expiresAt: sessions.expiresAt,
      lastSeenAt: sessions.lastSeenAt,
      revokedAt: sessions.revokedAt,
      disabledAt: people.disabledAt,
      id: people.id,
      email: people.email,
      name: people.name,
      issuer: people.issuer,
      claims: people.claims,
      grants: sql<Grant[]>`coalesce((${orm
        .select({
          all: sql`json_agg(json_build_object('role', ${grants.role}, 'company', ${grants.company}) order by ${grants.company} nulls first)`,
        })
        .from(grants)
        .where(eq(grants.personId, people.id))}), '[]')`,
    })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .where(isOf(id));
  if (!row) return null;
  const {
    databaseMs,
    publicId,
    presentId,
    previousUntil,
    authenticatedAt,
    expiresAt,
    lastSeenAt,
    revokedAt,
    disabledAt,
    ...person
  } = row;
  return {
    databaseMs,
    publicId,
    previousUntilMs: presentId === id ? null : (previousUntil?.getTime() ?? 0),
    authenticatedAtMs: authenticatedAtMs(authenticatedAt),
    expiresAtMs: expiresAt.getTime(),
    lastSeenAtMs: lastSeenAt.getTime(),
    isRevoked: revokedAt !== null,
    person: { ...person, isDisabled: disabledAt !== null },
  };
}

/** Instants are epoch milliseconds. */
export async function insertSession(
  orm: Orm,
  session: {
    id: string;
    personId: string;
    address: string;
    browser: string;
    nowMs: number;
    expiresAtMs: number;
    /** Null: the provider doesn't say. */
    authenticatedAtMs: number | null;
    /** The provider's name for its own session; null: it has none. */
    providerSession: string | null;
    /** Sealed; null: none. */
    idToken: string | null;
  },
): Promise<void> {
  const now = new Date(session.nowMs);
  await orm.insert(sessions).values({
    id: session.id,
    personId: session.personId,
    address: session.address,
    browser: session.browser,
    createdAt: now,
    authenticatedAt: new Date(session.authenticatedAtMs ?? UNKNOWN_MS),
    lastSeenAt: now,
    expiresAt: new Date(session.expiresAtMs),
    providerSession: session.providerSession,
    idToken: session.idToken,
  });
}

/** Notes that the session was used at `nowMs`. */
export async function touchSession({ orm }: Database, id: string, nowMs: number): Promise<void> {
  await orm
    .update(sessions)
    .set({ lastSeenAt: new Date(nowMs) })
    .where(eq(sessions.id, id));
}

/**
 * Ends a session; the first end counts.
 * @param id hex SHA-256 of its secret, or of the one before
 * @returns the sealed ID token it began with, if this was the first end
 */
export async function revokeSession(orm: Orm, id: string, nowMs: number): Promise<string | null> {
  const isOpen = and(isOf(id), isNull(sessions.revokedAt));
  const [row] = await orm.select({ idToken: sessions.idToken }).from(sessions).where(isOpen);
  await orm
    .update(sessions)
    .set({ revokedAt: new Date(nowMs), idToken: null })
    .where(isOpen);
  return row?.idToken ?? null;
}

/** Forgets sessions that began before `beforeMs`; they must have ended by then. */
export async function pruneSessions({ orm }: Database, beforeMs: number): Promise<void> {
  await orm.delete(sessions).where(lt(sessions.createdAt, new Date(beforeMs)));
}
