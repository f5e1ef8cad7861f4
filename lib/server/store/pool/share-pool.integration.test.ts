import { sql } from "drizzle-orm";
import pino from "pino";
import { afterAll, describe, expect } from "vitest";
import { openDatabase } from "@/lib/server/store/connect";
import type { Database } from "@/lib/server/store/database";
import { databaseTest } from "@/lib/server/store/test-database";

const test = databaseTest();
let database: Database;
test.beforeAll(async ({ db }) => {
  const log = pino({ level: "silent" });
  database = await openDatabase(db.database.connectionString, { log, max: 3 });
});
afterAll(async () => {
  await database.close();
});

describe("sharePool", () => {
  test("leaves the other connections free however many callers wait for the share", async () => {
    const share = database.share(2);
    const held = [await share.pool.connect(), await share.pool.connect()];
    const answered: number[] = [];
    const waiting = Array.from({ length: 50 }, async (_, at) => {
      const { rows } = await share.pool.query<{ at: number }>("select $1::int as at", [at]);
      answered.push(...rows.map((row) => row.at));
    });

    const { rows } = await database.pool.query<{ one: number }>("select 1 as one");
    expect(rows).toEqual([{ one: 1 }]);
    expect(answered).toEqual([]);

    held[0]?.release();
    await Promise.all(waiting);
    expect(answered).toEqual(Array.from({ length: 50 }, (_, at) => at));
    held[1]?.release();
  });

  test("leaks no connection on errors or lost connections", async () => {
    const share = database.share(1);
    const wrong = { isolationLevel: "no such level" as never };
    await expect(share.pool.query("no such statement")).rejects.toThrow("syntax error");
    await expect(share.orm.transaction(() => Promise.resolve(), wrong)).rejects.toThrow("begin");
    await expect(
      share.orm.transaction((tx) => tx.execute(sql`select pg_terminate_backend(pg_backend_pid())`)),
    ).rejects.toThrow("rollback");
    const { rows } = await share.pool.query<{ one: number }>("select 1 as one");
    expect(rows).toEqual([{ one: 1 }]);
  });
});
