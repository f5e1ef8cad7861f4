import { and, eq, ne, sql } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import { DATABASE_NOW_MS } from "@/lib/server/store/database-time";
import { resealAll, type Resealed, type Resealing } from "@/lib/server/store/reseal";
import { upstreamTokens } from "@/lib/server/store/schema/upstream";

export type StoredPurpose = (typeof upstreamTokens.$inferSelect)["purpose"];

/** A stored token, or a client's stored grants; ages are milliseconds. */
export type StoredToken = {
  /** Encrypted. */
  sealed: string;
  scopes: string;
  ageMs: number;
  /** Negative once expired. */
  endsInMs: number;
};

/**
 * Persisted tokens of one client. All methods reject when the database doesn't answer.
 * @param nowMs replaces the clock of stored timestamps, epoch milliseconds; null uses the database's
 */
export function createUpstreamTokenStore(
  { orm }: Database,
  { origin, clientId }: { origin: string; clientId: string },
  nowMs: (() => number) | null = null,
) {
  const isOf = (purpose: StoredPurpose) =>
    and(
      eq(upstreamTokens.origin, origin),
      eq(upstreamTokens.clientId, clientId),
      eq(upstreamTokens.purpose, purpose),
    );

  return {
    async read(purpose: StoredPurpose): Promise<StoredToken | null> {
      const [row] = await orm
        .select({ token: upstreamTokens, nowMs: DATABASE_NOW_MS })
        .from(upstreamTokens)
        .where(isOf(purpose));
      if (row === undefined) return null;
      const atMs = nowMs?.() ?? Number(row.nowMs);
      const { sealed, scopes, issuedAtMs, expiresAtMs } = row.token;
      return { sealed, scopes, ageMs: atMs - issuedAtMs, endsInMs: expiresAtMs - atMs };
    },

    /** @param lifeMs lifetime from now, milliseconds */
    async write(
      purpose: StoredPurpose,
      { sealed, scopes, lifeMs }: { sealed: string; scopes: string; lifeMs: number },
    ): Promise<void> {
      const atMs = nowMs === null ? DATABASE_NOW_MS : sql`${Math.round(nowMs())}::bigint`;
      const set = {
        sealed,
        scopes,
        issuedAtMs: sql`${atMs}`,
        expiresAtMs: sql`${atMs} + ${Math.round(lifeMs)}::bigint`,
      };
      await orm
        .insert(upstreamTokens)
        .values({ origin, clientId, purpose, ...set })
        .onConflictDoUpdate({
          target: [upstreamTokens.origin, upstreamTokens.clientId, upstreamTokens.purpose],
          set,
        });
    },

    /** @param sealed deletes only this token: another process may have stored its successor */
    async forget(purpose: StoredPurpose, sealed: string): Promise<void> {
      await orm.delete(upstreamTokens).where(and(isOf(purpose), eq(upstreamTokens.sealed, sealed)));
    },
  };
}

/**
 * Re-encrypts clients' tokens with the current secret. Tokens of clients that aren't connected are left
 * unchanged.
 * @param clients the clients, each with the seal for its tokens
 */
export async function resealTokens(
  { orm }: Pick<Database, "orm">,
  clients: readonly { origin: string; clientId: string; seal: Resealing }[],
): Promise<Resealed> {
  const sealOf = ({ origin, clientId }: { origin: string; clientId: string }) =>
    clients.find((one) => one.origin === origin && one.clientId === clientId)?.seal ?? null;
  // A client's grants are kept without a token.
  const stored = await orm
    .select()
    .from(upstreamTokens)
    .where(ne(upstreamTokens.purpose, "grants"));
  const rows = stored.filter((row) => sealOf(row) !== null);
  return resealAll(rows, sealOf, async ({ origin, clientId, purpose, sealed: before }, sealed) => {
    await orm
      .update(upstreamTokens)
      .set({ sealed })
      .where(
        and(
          eq(upstreamTokens.origin, origin),
          eq(upstreamTokens.clientId, clientId),
          eq(upstreamTokens.purpose, purpose),
          eq(upstreamTokens.sealed, before),
        ),
      );
  });
}
