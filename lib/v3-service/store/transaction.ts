import type { PoolClient } from "pg";
import type { Database } from "@/lib/server/store/database";

/**
 * Runs `work` in one transaction on a plain `pg` client, with statements of our own. A
 * connection that failed is closed, not returned: it may still be inside a transaction.
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

/** Lends a connection to `work`; closes it when `work` fails. */
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
