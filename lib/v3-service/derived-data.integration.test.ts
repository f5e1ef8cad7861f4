import { afterEach, beforeEach, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import type { Database } from "@/lib/server/store/database";
import { createDerivedDataRemovals, type DerivedDataRemovals } from "./derived-data";
import { silentLog } from "./log";
import { addCompanies, addScheduleFiles } from "./store/writer";
import { inTransaction } from "./store/transaction";

const FILE = { companyId: 42, fileId: 7 };

let database: Database;
let testDatabase: TestDatabase;
let removals: DerivedDataRemovals;

beforeEach(async () => {
  testDatabase = await createTestDatabase();
  ({ database } = testDatabase);
  await addCompanies(database.orm, [{ id: 42, name: "Northwind" }]);
  await addScheduleFiles(
    database.orm,
    [6, 7].map((id) => ({
      companyId: 42,
      id,
      name: "Tower rev 3.xer",
      isBaseline: false,
      customerProject: null,
      createdAtMs: 0,
      fileType: "xer" as const,
      partnerTokenId: null,
    })),
  );
  removals = createDerivedDataRemovals(database, silentLog);
  await removals.start();
});
afterEach(async () => {
  await removals.stop();
  await testDatabase.drop();
});

async function filesWithDerivedData(): Promise<number[]> {
  const { rows } = await database.pool.query<{ file_id: string }>(
    "select file_id from v3.derived_data order by file_id",
  );
  return rows.map((row) => Number(row.file_id));
}

/** What the next process does: starts, and works off the queue. */
async function restart(): Promise<void> {
  removals = createDerivedDataRemovals(database, silentLog);
  await removals.start();
  await removals.run();
}

const enqueue = () => inTransaction(database, (client) => removals.enqueue(client, FILE));

test("a queued removal removes the derived data of its file and of no other", async () => {
  await enqueue();
  await removals.run();
  expect(await filesWithDerivedData()).toEqual([6]);
});

test("a transaction that fails leaves no job", async () => {
  const failing = inTransaction(database, async (client) => {
    await removals.enqueue(client, FILE);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  await removals.run();
  expect(await filesWithDerivedData()).toEqual([6, 7]);
});

test("a job that waited when the process ended is done by the next one", async () => {
  await removals.stop();
  await enqueue();
  expect(await filesWithDerivedData()).toEqual([6, 7]);
  await restart();
  expect(await filesWithDerivedData()).toEqual([6]);
});

test("a job whose process died while working on it is taken up again", async () => {
  await removals.stop();
  await enqueue();
  await database.pool.query(
    `update pgboss.job set state = 'active', started_on = now() - interval '61 seconds'
     where name = 'v3-derived-data-removal'`,
  );
  await restart();
  // It is due for its retry, which only waits for its delay.
  await database.pool.query("update pgboss.job set start_after = now() where state = 'retry'");
  await removals.run();
  expect(await filesWithDerivedData()).toEqual([6]);
});

test("a failing removal is reported, and tried again later", async () => {
  const reports: object[] = [];
  await removals.stop();
  removals = createDerivedDataRemovals(database, {
    ...silentLog,
    error: (detail) => reports.push(detail),
  });
  await removals.start();
  await testDatabase.asOwner("alter table v3.derived_data rename to away");
  await enqueue();
  await removals.run();
  expect(reports).toHaveLength(1);
  await testDatabase.asOwner("alter table v3.away rename to derived_data");
  await database.pool.query(
    "update pgboss.job set started_on = now() - interval '61 seconds' where state = 'active'",
  );
  await removals.stop();
  await restart();
  await database.pool.query("update pgboss.job set start_after = now() where state = 'retry'");
  await removals.run();
  expect(await filesWithDerivedData()).toEqual([6]);
});

test("two processes may start on a fresh database at once", async () => {
  const fresh = await createTestDatabase();
  const both = [1, 2].map(() => createDerivedDataRemovals(fresh.database, silentLog));
  await expect(Promise.all(both.map((each) => each.start()))).resolves.toHaveLength(2);
  await Promise.all(both.map((each) => each.stop()));
  await fresh.drop();
});
