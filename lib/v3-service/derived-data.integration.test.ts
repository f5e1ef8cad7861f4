import { afterEach, expect, vi } from "vitest";
import { createTestDatabase, freshDatabaseTest } from "@/lib/server/store/test-database";
import type { Database } from "@/lib/server/store/database";
import { createDerivedDataRemovals, type DerivedDataRemovals } from "./derived-data";
import { silentLog } from "./log";
import { addCompanies, addScheduleFiles } from "./store/writer";
import { inTransaction } from "./store/transaction";

const FILE = { companyId: 42, fileId: 7 };

let database: Database;
const test = freshDatabaseTest();
let removals: DerivedDataRemovals;

test.beforeEach(async ({ db }) => {
  // Tests trigger the periodic check themselves.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  ({ database } = db);
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
  removals.start();
});
afterEach(async () => {
  await removals.stop();
  vi.useRealTimers();
});

async function filesWithDerivedData(): Promise<number[]> {
  const { rows } = await database.pool.query<{ file_id: string }>(
    "select file_id from v3.derived_data order by file_id",
  );
  return rows.map((row) => Number(row.file_id));
}

/** Waits until PostgreSQL has noticed that the connection of a dead process is gone. */
async function untilFree(): Promise<void> {
  await database.pool.query("select from v3.derived_data_removals for update");
}

/** Starts like the next process and processes the queue. */
async function restart(): Promise<void> {
  removals = createDerivedDataRemovals(database, silentLog);
  removals.start();
  await removals.run();
}

const enqueue = () => inTransaction(database, (client) => removals.enqueue(client, FILE));

test("removes the derived data of the queued file only", async () => {
  await enqueue();
  await removals.run();
  expect(await filesWithDerivedData()).toEqual([6]);
});

test("leaves no job after a failed transaction", async () => {
  const failing = inTransaction(database, async (client) => {
    await removals.enqueue(client, FILE);
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  await removals.run();
  expect(await filesWithDerivedData()).toEqual([6, 7]);
});

test("processes a job that was waiting when the previous process ended", async () => {
  await removals.stop();
  await enqueue();
  expect(await filesWithDerivedData()).toEqual([6, 7]);
  await restart();
  expect(await filesWithDerivedData()).toEqual([6]);
});

test("retries a job whose process died while working on it", async () => {
  await removals.stop();
  await enqueue();
  const dying = await database.pool.connect();
  await dying.query("begin");
  await dying.query("select from v3.derived_data_removals for update");
  await restart();
  // Its row is still locked.
  expect(await filesWithDerivedData()).toEqual([6, 7]);
  dying.release(true);
  await untilFree();
  await removals.run();
  expect(await filesWithDerivedData()).toEqual([6]);
});

test("finds a job left by another process at the next periodic check", async () => {
  await enqueue();
  vi.advanceTimersByTime(5_000);
  await removals.stop();
  expect(await filesWithDerivedData()).toEqual([6]);
});

test("logs a failed removal and retries it later", async ({ db }) => {
  const reports: object[] = [];
  await removals.stop();
  removals = createDerivedDataRemovals(database, {
    ...silentLog,
    error: (detail) => reports.push(detail),
  });
  removals.start();
  // The check at startup is over.
  await removals.run();
  await db.asOwner("alter table v3.derived_data rename to away");
  await enqueue();
  await removals.run();
  expect(reports).toHaveLength(1);
  await db.asOwner("alter table v3.away rename to derived_data");
  await removals.stop();
  await restart();
  await removals.run();
  expect(await filesWithDerivedData()).toEqual([6]);
});

test("supports two processes starting on an empty database at once", async () => {
  const fresh = await createTestDatabase();
  const both = [1, 2].map(() => createDerivedDataRemovals(fresh.database, silentLog));
  for (const each of both) each.start();
  await expect(Promise.all(both.map((each) => each.run()))).resolves.toHaveLength(2);
  await Promise.all(both.map((each) => each.stop()));
  await fresh.drop();
});
