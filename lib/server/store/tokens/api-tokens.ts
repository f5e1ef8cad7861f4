import { and, desc, eq, getTableColumns, gt, isNull, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import { audited, type Change } from "@/lib/server/store/audit/audited";
import type { Database, Orm, Transaction } from "@/lib/server/store/database";
import { DATABASE_NOW_MS } from "@/lib/server/store/database-time";
import { insertUpTo } from "@/lib/server/store/insert-up-to";
import { notify } from "@/lib/server/store/notifications";
import { isPaused } from "@/lib/server/store/pauses/pauses";
import { holderOf, type Grantee } from "@/lib/server/store/people/grantee";
import { people, sessions } from "@/lib/server/store/schema/people";
import { apiTokens, apiTokenTurns } from "@/lib/server/store/schema/tokens";
import { toStorable } from "@/lib/server/store/storable";

/** API tokens. Changes are written to the installation-wide audit log in the same transaction, without the token. */

type Row = typeof apiTokens.$inferSelect;

/** Everything but the hash. */
export type TokenRow = Omit<Row, "tokenHash"> & {
  /** Whose rights it has, as of now; null: a service token. */
  person: (Grantee & { email: string }) | null;
  /** The person's last sign-in that is known; null: none, or a service token. */
  signedInAt: Date | null;
};
export type ListedToken = TokenRow & { maker: { id: string; name: string } };

const { tokenHash: _, ...LISTED } = getTableColumns(apiTokens);
const makers = alias(people, "makers");

const columnsOf = (orm: Orm) => ({
  token: LISTED,
  person: { ...holderOf(orm), email: people.email },
  signedInMs: sql<string | null>`(${orm
    .select({ at: sql`floor(extract(epoch from max(${sessions.createdAt})) * 1000)::bigint` })
    .from(sessions)
    .where(eq(sessions.personId, people.id))})`,
});

type Selected = {
  token: Omit<Row, "tokenHash">;
  person: Omit<TokenRow["person"] & object, "id"> & { id: string };
  signedInMs: string | null;
};
function rowOf({ token, person, signedInMs }: Selected): TokenRow {
  return {
    ...token,
    person: token.personId === null ? null : person,
    signedInAt: signedInMs === null ? null : new Date(Number(signedInMs)),
  };
}

/**
 * Finds a token by its hash; null: none.
 * @returns also the database time of the read, see `DatabaseTime.observe`, and whether all tokens are paused
 */
export async function readToken(
  { orm }: Pick<Database, "orm">,
  tokenHash: string,
): Promise<{ row: TokenRow; databaseMs: string; isPaused: boolean } | null> {
  const [found] = await orm
    .select({ ...columnsOf(orm), databaseMs: DATABASE_NOW_MS, isPaused: isPaused("tokens") })
    .from(apiTokens)
    .leftJoin(people, eq(people.id, apiTokens.personId))
    .where(eq(apiTokens.tokenHash, tokenHash));
  if (found === undefined) return null;
  const { databaseMs, isPaused: isResting, ...selected } = found;
  return { row: rowOf(selected), databaseMs, isPaused: isResting };
}

/**
 * Tokens that aren't revoked, newest first.
 * @param personId only theirs; null: all
 */
export async function listTokens(
  { orm }: Pick<Database, "orm">,
  personId: string | null,
  most: number,
): Promise<{ tokens: ListedToken[]; isPaused: boolean }> {
  const rows = await orm
    .select({
      ...columnsOf(orm),
      maker: { id: makers.id, name: makers.name },
      isPaused: isPaused("tokens"),
    })
    .from(apiTokens)
    .leftJoin(people, eq(people.id, apiTokens.personId))
    .innerJoin(makers, eq(makers.id, apiTokens.madeBy))
    .where(
      and(
        isNull(apiTokens.revokedAt),
        personId === null ? undefined : eq(apiTokens.personId, personId),
      ),
    )
    .orderBy(desc(apiTokens.createdAt), desc(apiTokens.id))
    .limit(most);
  return {
    tokens: rows.map(({ maker, ...row }) => ({ ...rowOf(row as Selected), maker })),
    isPaused: rows.some(({ isPaused: one }) => one),
  };
}

/**
 * Inserts a new token.
 * @param most limit of valid tokens of the same person, or of service tokens
 * @returns null: the limit is reached
 */
export function insertToken(
  { orm }: Pick<Database, "orm">,
  values: typeof apiTokens.$inferInsert,
  most: number,
  change: Change,
): Promise<{ id: string; expiresAt: Date } | null> {
  return orm.transaction(async (tx) => {
    const { personId, createdAt } = values;
    const row = await insertUpTo(
      tx,
      apiTokens,
      { ...values, ...toStorable({ name: values.name }) },
      {
        most,
        among: and(
          personId === null || personId === undefined
            ? isNull(apiTokens.personId)
            : eq(apiTokens.personId, personId),
          isNull(apiTokens.revokedAt),
          gt(apiTokens.expiresAt, createdAt),
        ),
      },
    );
    if (row === null) return null;
    await tx.insert(apiTokenTurns).values({ tokenId: row.id, windowStartedAt: createdAt });
    await log(tx, "make", row, change, {
      scope: row.scope,
      companies: row.companies ?? "all",
      expires_at: row.expiresAt.toISOString(),
      service: row.personId === null,
    });
    return row;
  });
}

/**
 * Revokes a token; one that is revoked already stays unchanged, and nothing is logged.
 * @param personId only if it is theirs; null: of any person, and service tokens
 * @returns the hash of its token and its id; null: no such token
 */
export function revokeToken(
  { orm }: Pick<Database, "orm">,
  { id, personId, at }: { id: string; personId: string | null; at: Date },
  change: Change,
): Promise<{ id: string; tokenHash: string } | null> {
  return orm.transaction(async (tx) => {
    const found: SQL | undefined = and(
      eq(apiTokens.id, id),
      isNull(apiTokens.revokedAt),
      personId === null ? undefined : eq(apiTokens.personId, personId),
    );
    const [row] = await tx.select().from(apiTokens).where(found).for("update");
    if (row === undefined) return null;
    await tx.update(apiTokens).set({ revokedAt: at }).where(found);
    await log(tx, "revoke", row, change);
    await notify(tx, "tokens", row.tokenHash);
    return row;
  });
}

/** Logs an event of a token. */
export function log(
  tx: Transaction,
  action: "make" | "revoke" | "use",
  { id, name }: Pick<Row, "id" | "name">,
  change: Change,
  detail: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  return audited(tx, change, {
    company: null,
    kind: "token",
    action,
    subject: name,
    detail: { ...detail, token_id: id },
  });
}
