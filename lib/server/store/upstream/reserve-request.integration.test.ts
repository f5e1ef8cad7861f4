import type { PoolClient } from "pg";
import { expect } from "vitest";
import { createLog } from "@/lib/server/log";
import { openDatabase } from "@/lib/server/store/connect";
import { freshDatabaseTest } from "@/lib/server/store/test-database";
import { createUpstreamBudgetStore } from "./upstream-budget";

const test = freshDatabaseTest();

/** Reserves one request of an origin that may have one. */
async function reserve(client: Pick<PoolClient, "query">): Promise<boolean | undefined> {
  const { rows } = await client.query<{ granted: boolean }>(
    "select granted from reserve_upstream_request('http://api', 0::smallint, '{15}', '{1}', 60000, 60000, 1000000)",
  );
  return rows[0]?.granted;
}

for (const [isolation, second] of [
  ["read committed", false],
  ["repeatable read", "40001"],
  ["serializable", "40001"],
] as const)
  test(`grants the last request once under ${isolation}`, async ({ db }) => {
    const { pool } = db.database;
    await pool.query("insert into upstream_hosts (origin) values ('http://api')");
    const [one, other] = [await pool.connect(), await pool.connect()];
    try {
      for (const client of [one, other]) await client.query(`begin isolation level ${isolation}`);
      // As of now, nothing is reserved.
      await other.query("select from upstream_hosts");
      expect(await reserve(one)).toBe(true);
      await one.query("commit");
      const late = await reserve(other).catch(({ code }: { code: string }) => code);
      expect(late).toBe(second);
    } finally {
      await other.query("rollback");
      for (const client of [one, other]) client.release();
    }
    const { rows } = await pool.query("select from upstream_requests");
    expect(rows).toHaveLength(1);
  });

test("never fails by the database's default isolation level", async ({ db }) => {
  const { pool, connectionString } = db.database;
  const { rows } = await pool.query<{ name: string }>("select current_database() as name");
  await db.asOwner(
    `alter database "${rows[0]?.name}" set default_transaction_isolation = 'serializable'`,
  );
  const database = await openDatabase(connectionString, { log: createLog("silent") });
  try {
    const store = createUpstreamBudgetStore(database);
    const given = {
      origin: "http://api",
      lane: "background",
      ceilings: [{ lanes: ["background"], most: 1 }],
      windowMs: 60_000,
    } as const;
    const answers = await Promise.all(Array.from({ length: 8 }, () => store.reserve(given)));
    expect(answers.filter(({ granted }) => granted)).toHaveLength(1);
  } finally {
    await database.close();
  }
});
