import { eq, sql, type SQL } from "drizzle-orm";
import { expect } from "vitest";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { insertUpTo } from "./insert-up-to";
import { rules } from "./schema/delivery";
import { databaseTest, type TestDatabase } from "./test-database";

const test = databaseTest();
test.beforeEach(({ db }) => db.database.pool.query("delete from rules"));

const NOW = new Date(0);

const insert = (db: TestDatabase, name: string, limit: { most: number; among?: SQL; lock?: SQL }) =>
  db.database.orm.transaction((tx) =>
    insertUpTo(
      tx,
      rules,
      { name, rule: EVERYTHING, channelIds: [], since: NOW, createdAt: NOW },
      limit,
    ),
  );

test.for([
  ["of the table", {}],
  ["of its own", { lock: sql`select pg_advisory_xact_lock(1)` }],
] as const)(
  "lets concurrent inserts reach the limit but not exceed it, by a lock %s",
  async ([, lock], { db }) => {
    const rows = await Promise.all(
      ["a", "b", "c"].map((name) => insert(db, name, { most: 2, ...lock })),
    );
    expect(rows.filter((row) => row !== null)).toHaveLength(2);
    expect(await db.database.orm.$count(rules)).toBe(2);
  },
);

test("counts only the rows that match the condition", async ({ db }) => {
  const only = { most: 1, among: eq(rules.name, "b") };
  expect(await insert(db, "a", only)).toMatchObject({ name: "a" });
  expect(await insert(db, "b", only)).toMatchObject({ name: "b" });
  expect(await insert(db, "b", only)).toBe(null);
});
