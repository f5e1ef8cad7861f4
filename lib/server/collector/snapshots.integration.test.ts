import pino from "pino";
import { expect } from "vitest";
import { systemClock } from "@/lib/server/clock";
import { createManualClock } from "@/lib/server/manual-clock";
import { openDatabase } from "@/lib/server/store/connect";
import { openStore } from "@/lib/server/store/open-store";
import { createNotifications } from "@/lib/server/store/notifications";
import type { CompanyState } from "@/lib/server/store/sync/records";
import { saveCompanies, writeAttempt } from "@/lib/server/store/sync/write-snapshot";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { createSnapshots } from "./snapshots";

const log = pino({ level: "silent" });
const NOW_MS = Date.parse("2026-03-02T12:00:00Z");

const test = freshDatabaseTest();
test.beforeEach(async ({ db }) => {
  await saveCompanies(db.database, [{ slug: "main", name: "Main" }], NOW_MS);
});

/** Publishes like the leading instance. */
async function publish(
  db: TestDatabase,
  version: number,
  given: Partial<CompanyState> = {},
): Promise<void> {
  const state: CompanyState = {
    version: version - 1,
    asOfMs: NOW_MS,
    lastAttemptMs: NOW_MS,
    reason: null,
    rhythmSeconds: 60,
    nextRefreshMs: NOW_MS,
    apiClockOffsetMs: 0,
    databaseClockOffsetMs: null,
    totalPages: 1,
    rateLimit: null,
    budget: { used: 0, limit: 60 },
    ...given,
  };
  expect(await writeAttempt(db.database, "main", state)).toBe(true);
}

test("shows committed data when notified, and otherwise within 2 s", async ({ db }) => {
  const { database } = db;
  // Doesn't advance, so that polling happens only when the test advances it.
  const clock = createManualClock(NOW_MS);
  const follower = createSnapshots({ database, clock, log });
  const notifications = createNotifications({
    database,
    clock: systemClock,
    random: Math.random,
    log,
  });
  notifications.subscribe("snapshots", follower.receive);
  const shows = async (version: number) => {
    await expect.poll(() => follower.get("main")?.state.version, { timeout: 20_000 }).toBe(version);
  };
  await publish(db, 1);
  await follower.start();
  await shows(1);
  await publish(db, 2);
  notifications.start();
  // Published before it listened.
  await shows(2);
  await publish(db, 3);
  await shows(3);
  // What it records itself is published by its collector; if that lost its lead unnoticed, within 2 s.
  follower.setRecording(true);
  await publish(db, 4);
  follower.receive("4 main");
  await clock.advance(1_400);
  expect(follower.get("main")?.state.version).toBe(3);
  await clock.advance(100);
  await shows(4);
  follower.setRecording(false);
  await notifications.stop();
  await publish(db, 5);
  await clock.advance(1_500);
  await shows(5);
  await follower.stop();
});

test("are as old as PostgreSQL's clock says if the instance that took them had a clock ahead of ours", async ({
  db,
}) => {
  const { database } = db;
  // A quarter of an hour ago, by a clock that was ten minutes ahead.
  const [takenMs, asOfMs] = [Date.now() - 15 * MINUTE_MS, NOW_MS - 5 * MINUTE_MS];
  const ages: number[] = [];
  for (const [at, databaseClockOffsetMs] of [null, takenMs - asOfMs].entries()) {
    await publish(db, at + 1, { asOfMs, databaseClockOffsetMs });
    const clock = createManualClock(NOW_MS);
    const instance = createSnapshots({ database, clock, log });
    await instance.start();
    await clock.advance(MINUTE_MS);
    ages.push(Math.floor((instance.ageMs("main") ?? NaN) / MINUTE_MS));
    await instance.stop();
  }
  expect(ages).toEqual([6, 16]);
});

test("are those of the record when that has lost the last commits, as after a failover", async ({
  db,
}) => {
  const clock = createManualClock(NOW_MS);
  const follower = createSnapshots({ database: db.database, clock, log });
  for (const version of [1, 2, 3]) await publish(db, version);
  await follower.start();
  expect(follower.get("main")?.state.version).toBe(3);
  await db.database.pool.query("update company_state set version = 1");
  await publish(db, 2, { asOfMs: NOW_MS + MINUTE_MS });
  await clock.advance(1_500);
  await expect.poll(() => follower.get("main")?.state.version, { timeout: 20_000 }).toBe(2);
  expect(follower.get("main")?.state.asOfMs).toBe(NOW_MS + MINUTE_MS);
  await follower.stop();
});

test("tells that the database takes no writes", async ({ db }) => {
  const url = new URL(db.database.connectionString);
  url.searchParams.set("options", "-c default_transaction_read_only=on");
  const standby = await openDatabase(url.href, { log, max: 2 });
  const told: unknown[] = [];
  for (const database of [db.database, standby]) {
    const onAnswer = (problem: unknown) => void told.push(problem);
    const clock = createManualClock(NOW_MS);
    const follower = createSnapshots({ database, clock, log, onAnswer });
    await follower.start();
    await follower.stop();
  }
  expect(told).toEqual([null, "database_read_only"]);
  await standby.close();
});

test("a start waits for a database that takes no writes; what only reads doesn't", async ({
  db,
}) => {
  const url = new URL(db.database.connectionString);
  url.searchParams.set("options", "-c default_transaction_read_only=on");
  const config = { databaseUrl: url.href, databaseMigrationUrl: null, dataDir: "." };
  const reading = await openStore(config, { log });
  await reading.stop();

  const stopping = new AbortController();
  const clock = createManualClock(NOW_MS);
  const waits: boolean[] = [];
  const onWait = (isWaiting: boolean) => {
    waits.push(isWaiting);
    stopping.abort();
  };
  await expect(
    openStore(config, { log, waiting: { clock, signal: stopping.signal, onWait } }),
  ).rejects.toThrow("aborted");
  expect(waits).toEqual([true]);
});
