import { eq, inArray, sql } from "drizzle-orm";
import type { alias } from "drizzle-orm/pg-core";
import type { Grant } from "@/lib/domain/rights";
import type { Orm, Transaction } from "@/lib/server/store/database";
import { grants, people, type Claims } from "@/lib/server/store/schema/people";

/** A person with everything that determines their current permissions. */
export type Grantee = {
  id: string;
  name: string;
  /** Null: a local account. */
  issuer: string | null;
  isDisabled: boolean;
  /** Manual grants. */
  grants: Grant[];
  /** Claims that access rules match; null: a local account. */
  claims: Claims | null;
};

type People = typeof people | ReturnType<typeof alias<typeof people, string>>;

/** The columns of a `Grantee`, selected from `people` or an alias of it. */
export const holderOf = (orm: Orm, one: People = people) => ({
  id: one.id,
  name: one.name,
  issuer: one.issuer,
  claims: one.claims,
  isDisabled: sql<boolean>`${one.disabledAt} is not null`,
  grants: sql<Grant[]>`coalesce((${orm
    .select({
      all: sql`json_agg(json_build_object('role', ${grants.role}, 'company', ${grants.company}) order by ${grants.company} nulls first)`,
    })
    .from(grants)
    .where(eq(grants.personId, one.id))}), '[]')`,
});

/** @param ids null: all people */
export async function readGrantees(orm: Orm, ids: readonly string[] | null): Promise<Grantee[]> {
  if (ids?.length === 0) return [];
  const all = orm.select(holderOf(orm)).from(people);
  return ids === null ? all : all.where(sql`${people.id} = any (${sql.param([...ids])}::uuid[])`);
}

/**
 * Same, with `FOR SHARE`: blocks concurrent permission changes until commit. Call before taking other locks.
 */
export async function lockGrantees(tx: Transaction, ids: readonly string[]): Promise<Grantee[]> {
  await tx
    .select({ id: people.id })
    .from(people)
    .where(inArray(people.id, [...ids]))
    .for("share");
  // In a separate statement after the wait, because the first one's snapshot may predate a change to grants.
  return readGrantees(tx, ids);
}
