import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { createLog } from "@/lib/server/log";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { createFolder, fillEveryTable, KEY } from "./backup-fixture";
import { readBackup } from "./check-backup";
import { createDailyBackups, keepDaily, readLastBackup } from "./daily-backups";
import { backupFolder, nameOfBackup } from "./kept-backups";

/** Noon in the server's time zone; the directory is created much later, in real time. */
const NOON_MS = new Date(2026, 4, 1, 12).getTime();

const test = databaseTest();
let clock: ManualClock;
let dataDir: ReturnType<typeof createFolder>;
let lines: Record<string, unknown>[];
let notMade: string[];
let free: number;
let isDiskLow: boolean;
test.beforeAll(async ({ db }) => {
  await fillEveryTable(db.ownerUrl);
});
beforeEach(() => {
  clock = createManualClock(NOON_MS);
  dataDir = createFolder();
  lines = [];
  notMade = [];
  free = 1e12;
  isDiskLow = false;
});
afterEach(() => dataDir[Symbol.dispose]());

const options = (db: TestDatabase, kept = 3) => ({
  database: db.database,
  writer: db.database,
  dataDir: dataDir.path,
  kept,
  key: KEY,
  build: "a build",
  clock,
  log: createLog("info", {
    write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[0]),
  }),
  disk: { isLow: async () => isDiskLow },
  measure: async () => free,
  onNotMade: (why: string) => void notMade.push(why),
});
const events = () => lines.flatMap(({ event }) => (typeof event === "string" ? [event] : []));
const kept = () => readdirSync(backupFolder(dataDir.path)).toSorted();
/** A time in the server's time zone. */
const timeOf = (day: number, hour: number, minute = 0) =>
  new Date(2026, 4, day, hour, minute).getTime();

/** Runs daily backups while `work` moves the clock, with one check at each time. */
async function whileKeeping(
  db: TestDatabase,
  work: (at: (ms: number) => Promise<void>) => Promise<void>,
  most = 3,
): Promise<void> {
  const ending = new AbortController();
  const keeping = keepDaily(options(db, most), ending.signal);
  await clock.untilSleeping();
  await work(async (ms) => {
    const sleptMs = clock.sleeping()[0] ?? 0;
    clock.jump(ms - clock.nowMs() - sleptMs);
    await clock.advance(sleptMs);
    await clock.untilSleeping();
  });
  ending.abort();
  await keeping;
}

test("makes one backup each night, prunes the oldest, and each can be restored", async ({ db }) => {
  await whileKeeping(db, async (at) => {
    for (const hour of [13, 23]) await at(timeOf(1, hour));
    expect(kept()).toEqual([]);
    for (let day = 2; day <= 6; day += 1) {
      for (const minute of [0, 1, 59]) await at(timeOf(day, 3, minute));
      for (const hour of [4, 12]) await at(timeOf(day, hour));
    }
  });
  const names = [4, 5, 6].map((day) => nameOfBackup("daily", null, timeOf(day, 3)));
  expect(kept()).toEqual(names);
  expect(events()).toEqual(Array.from({ length: 5 }, () => "backup_kept"));
  const manifest = await readBackup(path.join(backupFolder(dataDir.path), names[2] ?? ""), {
    keys: [KEY],
  });
  expect(manifest.build).toBe("a build");
  expect(manifest.tables.reduce((sum, { rows }) => sum + rows, 0)).toBeGreaterThan(50);
  const last = await readLastBackup(dataDir.path);
  expect(last?.atMs).toBe(timeOf(6, 3));
  expect(last?.bytes).toBeGreaterThan(1_000);
});

test("skips a backup without enough space, logs it once, and makes it once there is", async ({
  db,
}) => {
  free = 200e6;
  await whileKeeping(db, async (at) => {
    for (const minute of [0, 1, 2]) await at(timeOf(2, 3, minute));
    expect(kept()).toEqual([]);
    expect(events()).toEqual(["backup_skipped"]);
    expect(notMade).toEqual(["disk", "disk", "disk"]);
    free = 1e12;
    await at(timeOf(2, 3, 3));
  });
  expect(kept()).toEqual([nameOfBackup("daily", null, timeOf(2, 3, 3))]);
  expect(events()).toEqual(["backup_skipped", "backup_kept"]);
});

test("logs a failure once, retries, and leaves nothing behind", async ({ db }) => {
  isDiskLow = true;
  await whileKeeping(db, async (at) => {
    for (const minute of [0, 10]) await at(timeOf(2, 3, minute));
    expect(kept()).toEqual([]);
    expect(events()).toEqual(["backup_failed"]);
    expect(notMade).toEqual(["error", "error"]);
    expect(clock.sleeping()).toEqual([600_000]);
    isDiskLow = false;
    await at(timeOf(2, 3, 20));
  });
  expect(kept()).toHaveLength(1);
});

test("leaves nothing behind when aborted, and makes the backup at the next start", async ({
  db,
}) => {
  const ending = new AbortController();
  clock.jump(timeOf(2, 3) - clock.nowMs());
  const { disk: _, ...rest } = options(db);
  await keepDaily(
    {
      ...rest,
      disk: {
        isLow: async () => {
          ending.abort();
          return false;
        },
      },
    },
    ending.signal,
  );
  expect(kept()).toEqual([]);
  expect(events()).toEqual([]);
  await whileKeeping(db, async () => {});
  expect(kept()).toHaveLength(1);
});

test("removes partial files, keeps pre-upgrade backups, and ignores dates in the future", async ({
  db,
}) => {
  const folder = backupFolder(dataDir.path);
  mkdirSync(folder);
  const future = nameOfBackup("daily", null, timeOf(30, 3));
  const old = nameOfBackup("daily", null, timeOf(1, 2));
  const before = nameOfBackup("before", "0001_x", timeOf(1, 1));
  const half = `${nameOfBackup("daily", null, timeOf(2, 2))}.partial`;
  for (const name of [future, old, before, half, "theirs.txt"]) {
    writeFileSync(path.join(folder, name), "x");
  }
  await whileKeeping(db, async (at) => at(timeOf(2, 3)), 1);
  expect(kept()).toEqual([before, nameOfBackup("daily", null, timeOf(2, 3)), "theirs.txt"]);
});

test("runs in one of several instances", async ({ db }) => {
  clock.jump(timeOf(2, 3) - clock.nowMs());
  const all = [1, 2, 3].map(() => createDailyBackups({ ...options(db), random: () => 0.5 }));
  for (const one of all) one.start();
  // Sleeping: the leader's heartbeat and interval, and the others' retries.
  await clock.untilSleeping(4);
  await vi.waitUntil(() => events().length > 0, { timeout: 20_000 });
  for (const one of all) await one.stop();
  expect(events()).toEqual(["backup_kept"]);
  expect(kept()).toHaveLength(1);
});
