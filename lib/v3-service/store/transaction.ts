import type { PoolClient } from "pg";
import type { Database } from "@/lib/server/store/database";

/**
 * Runs `work` in one transaction on a plain `pg` client, for raw statements. After a failure the connection is closed,
 * not reused, because it may still be inside a transaction.
 */
export async function inTransaction<T>(
  database: Database,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return await withClient(database, async (client) => {
    await client.query("begin");
    const result = await work(client);
    await client.query("commit");
    return result;
  });
}

/** Provides a connection to `work`; closes it if `work` fails. */
export async function withClient<T>(
  database: Database,
  work: (client: PoolClient) => Promise<T>,
): Promise<T> {
  const client = await database.pool.connect();
  try {
    const result = await work(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  }
}
