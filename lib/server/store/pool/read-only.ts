import type { Database } from "@/lib/server/store/database";

/** Whether the database answers but takes no writes, like a standby after a failover. */
export async function isReadOnly({ pool }: Pick<Database, "pool">): Promise<boolean> {
  const { rows } = await pool.query<{ read_only: string }>(
    "select current_setting('transaction_read_only') as read_only",
  );
  return rows[0]?.read_only === "on";
}

/** SQLSTATE of a write to such a database. */
const READ_ONLY = "25006";

/** @throws Error that counts as an outage when the database takes no writes */
export async function requireWrites(database: Pick<Database, "pool">): Promise<void> {
  if (!(await isReadOnly(database))) return;
  throw Object.assign(new Error("this database is read-only."), { code: READ_ONLY });
}
