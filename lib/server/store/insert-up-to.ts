import { getTableName, sql, type SQL } from "drizzle-orm";
import type { PgInsertValue, PgTable } from "drizzle-orm/pg-core";
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
