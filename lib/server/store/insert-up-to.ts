import { eq, getTableName, sql, type SQL } from "drizzle-orm";
import type { PgColumn, PgInsertValue, PgTable } from "drizzle-orm/pg-core";
import type { Transaction } from "./database";

/**
 * Inserts a row unless the limit is reached. Serialises concurrent inserts, so that they can't exceed it together.
 * @param limit.among condition for the rows that are counted; omitted: the whole table
 * @param limit.lock statement that takes a narrower lock than the table's
 * @returns null: there are already `limit.most` rows
 */
export async function insertUpTo<Table extends PgTable>(
  tx: Transaction,
  table: Table,
  values: PgInsertValue<Table>,
  { most, among, lock }: { most: number; among?: SQL | undefined; lock?: SQL },
): Promise<Table["$inferSelect"] | null> {
  await tx.execute(lock ?? sql`lock table ${table} in share row exclusive mode`);
  if ((await tx.$count(table, among)) >= most) return null;
  const [row] = await tx.insert(table).values(values).returning();
  if (row === undefined) throw new Error(`nothing was written to ${getTableName(table)}`);
  return row;
}

/**
 * Same for a row whose id the client chose, so that a repeated request adds nothing.
 * @param id null: the database chooses one
 * @returns `known`: there is already a row with this id; null: the limit is reached
 */
export async function insertOnceUpTo<Table extends PgTable & { id: PgColumn }>(
  tx: Transaction,
  table: Table,
  id: string | null,
  values: PgInsertValue<Table>,
  limit: { most: number; among?: SQL | undefined },
): Promise<Table["$inferSelect"] | "known" | null> {
  if (id === null) return insertUpTo(tx, table, values, limit);
  await tx.execute(sql`lock table ${table} in share row exclusive mode`);
  if ((await tx.$count(table, eq(table.id, id))) > 0) return "known";
  return insertUpTo(tx, table, { ...values, id }, limit);
}
