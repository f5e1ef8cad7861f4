import { getTableName, sql, type SQL } from "drizzle-orm";
import type { PgInsertValue, PgTable } from "drizzle-orm/pg-core";
import type { Transaction } from "./database";

/**
 * Inserts a row unless there are as many as there may be. Concurrent calls wait for each other, so that none counts
 * without what another is about to insert.
 * @param limit.among which rows count; left out: all of the table
 * @param limit.lock a row that every such call locks, where the whole table would be too much
 * @returns null: there are `limit.most` already
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
