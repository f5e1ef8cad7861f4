import { and, eq, isNull, lt, or, sql } from "drizzle-orm";
import type { Database, Orm } from "@/lib/server/store/database";
import { DATABASE_NOW_MS } from "@/lib/server/store/database-time";
import { grants, people, sessions, type Claims } from "@/lib/server/store/schema/people";
import type { Grant } from "@/lib/domain/rights";

/** A session with its person's current data. */
export type SessionRow = {
  publicId: string;
  /** Expiry of the secret if it is the previous one; null: it is the current secret. */
  previousUntilMs: number | null;
  /** Null: unknown. */
  authenticatedAtMs: number | null;
  /** Database time of the read, on the same clock as its other timestamps: see `DatabaseTime.observe`. */
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
    /** Manual grants. */
    grants: Grant[];
    /** Claims that access rules match; null: a local account. */
    claims: Claims | null;
    isDisabled: boolean;
  };
};

/** Stored when the time of authentication is unknown: the epoch, so it counts as long ago. */
const UNKNOWN_MS = 0;
/** Decodes `authenticated_at`: epoch milliseconds, null: unknown. */
export function authenticatedAtMs(stored: Date): number | null {
  const atMs = stored.getTime();
  return atMs === UNKNOWN_MS ? null : atMs;
}

/** Matches the hash of a session's current or previous secret. */
const isOf = (id: string) => or(eq(sessions.id, id), eq(sessions.previousId, id));

/**
 * @param ids hex SHA-256 of the secrets in the cookies
 * @returns by id; those that exist
 */
export async function readSessions(
  { orm }: Database,
  ids: readonly string[],
): Promise<Map<string, SessionRow>> {
  const wanted = sql`any(${sql.param(ids)}::text[])`;
  const rows = await orm
    .select({
      databaseMs: DATABASE_NOW_MS,
      publicId: sessions.publicId,
      presentId: sessions.id,
      previousId: sessions.previousId,
      previousUntil: sessions.previousUntil,
      authenticatedAt: sessions.authenticatedAt,
      expiresAt: sessions.expiresAt,
      lastSeenAt: sessions.lastSeenAt,
      revokedAt: sessions.revokedAt,
      person: {
        id: people.id,
        email: people.email,
        name: people.name,
        issuer: people.issuer,
        claims: people.claims,
        isDisabled: sql<boolean>`${people.disabledAt} is not null`,
        grants: sql<Grant[]>`coalesce((${orm
          .select({
            all: sql`json_agg(json_build_object('role', ${grants.role}, 'company', ${grants.company}) order by ${grants.company} nulls first)`,
          })
          .from(grants)
          .where(eq(grants.personId, people.id))}), '[]')`,
      },
    })
    .from(sessions)
    .innerJoin(people, eq(people.id, sessions.personId))
    .where(or(eq(sessions.id, wanted), eq(sessions.previousId, wanted)));
  const isWanted = new Set(ids);
  const found = new Map<string, SessionRow>();
  for (const { presentId, previousId, previousUntil, ...row } of rows) {
    const session = {
      databaseMs: row.databaseMs,
      publicId: row.publicId,
      authenticatedAtMs: authenticatedAtMs(row.authenticatedAt),
      expiresAtMs: row.expiresAt.getTime(),
      lastSeenAtMs: row.lastSeenAt.getTime(),
      isRevoked: row.revokedAt !== null,
      person: row.person,
    };
    if (isWanted.has(presentId)) found.set(presentId, { ...session, previousUntilMs: null });
    if (previousId !== null && isWanted.has(previousId))
      found.set(previousId, { ...session, previousUntilMs: previousUntil?.getTime() ?? 0 });
  }
  return found;
}

/** Timestamps are epoch milliseconds. */
export async function insertSession(
  orm: Orm,
  session: {
    id: string;
    personId: string;
    address: string;
    browser: string;
    nowMs: number;
    expiresAtMs: number;
    /** Null: not reported by the provider. */
    authenticatedAtMs: number | null;
    /** The provider's session id; null: none. */
    providerSession: string | null;
    /** Encrypted; null: none. */
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

/** Records that these sessions were used at `nowMs`. */
export async function touchSessions(
  { orm }: Database,
  ids: readonly string[],
  nowMs: number,
): Promise<void> {
  await orm
    .update(sessions)
    .set({ lastSeenAt: new Date(nowMs) })
    .where(sql`${sessions.id} = any(${sql.param(ids)}::text[])`);
}

/**
 * Ends a session; only the first call has an effect.
 * @param id hex SHA-256 of its current or previous secret
 * @returns the encrypted ID token if this call ended the session
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

/** Deletes sessions that started before `beforeMs`, which must have ended. */
export async function pruneSessions({ orm }: Database, beforeMs: number): Promise<void> {
  await orm.delete(sessions).where(lt(sessions.createdAt, new Date(beforeMs)));
}
