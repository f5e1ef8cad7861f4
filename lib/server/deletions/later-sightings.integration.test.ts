import { expect } from "vitest";
import { sampleFiles } from "@/e2e/upstream/sample-rows";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import type { Outcome } from "@/lib/domain/deletion";
import { TEST_KEYS } from "@/lib/server/store/audit/audit-fixture";
import { checkAudit } from "@/lib/server/store/audit/check-audit";
import type { DeletionFile } from "@/lib/server/store/deletions/deletion-rows";
import { noteLaterSightings } from "@/lib/server/store/deletions/later-sightings";
import { readDeletion } from "@/lib/server/store/deletions/read-deletions";
import { startDeletion, writeOutcome } from "@/lib/server/store/deletions/work-on-deletions";
import { markGone, upsertFiles } from "@/lib/server/store/files/schedule-files";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { ask, COMPANY, START_MS } from "./deletions-fixture";
import { MINUTE_MS, DAY_MS } from "@/lib/domain/time/units";

const FILE = onlyFile();

let clock: ManualClock;
const test = freshDatabaseTest();
test.beforeEach(async ({ db }) => {
  clock = createManualClock(START_MS);
  await seen(db);
});

function onlyFile() {
  const [file] = sampleFiles(1, START_MS);
  if (file === undefined) throw new Error("there is no file");
  return file;
}

/** The file is now listed. */
const seen = (db: TestDatabase) =>
  db.database.orm.transaction((tx) =>
    upsertFiles(tx, COMPANY, [FILE], {
      scan: 1,
      requestedMs: clock.nowMs(),
      nowMs: clock.nowMs(),
    }),
  );

const itemOf = async (db: TestDatabase, deletionId: string): Promise<DeletionFile> => {
  const [item] = (await readDeletion(db.database.orm, COMPANY, deletionId))?.files ?? [];
  if (item === undefined) throw new Error("there is no such item");
  return item;
};

/** A deletion of the file that has just got an outcome. */
async function concluded(db: TestDatabase, outcome: Outcome): Promise<string> {
  const id = await ask(db.database, clock, [FILE]);
  await startDeletion(db.database.orm, COMPANY, id);
  await writeOutcome(db.database, await itemOf(db, id), outcome, {}, clock.nowMs());
  return id;
}

const compare = (db: TestDatabase) =>
  db.database.orm.transaction((tx) => noteLaterSightings(tx, COMPANY, clock.nowMs()));

const sightings = async (db: TestDatabase) =>
  (
    await db.database.pool.query<{ action_id: string; detail: unknown; at: Date }>(
      "select action_id, detail, at from audit_log where event = 'delete.seen-later' order by seq",
    )
  ).rows;

test("logs once that a file that was still there is gone later, keeping the outcome", async ({
  db,
}) => {
  const id = await concluded(db, "still_there");
  await compare(db);
  expect(await sightings(db)).toEqual([]);

  await clock.advance(MINUTE_MS);
  await markGone(db.database.orm, COMPANY, FILE.id, clock.nowMs());
  await compare(db);
  await clock.advance(MINUTE_MS);
  await compare(db);
  const at = new Date(START_MS + MINUTE_MS);
  expect(await sightings(db)).toEqual([{ action_id: `${id}/0`, detail: { seen: "gone" }, at }]);
  expect(await itemOf(db, id)).toMatchObject({
    outcome: "still_there",
    contradictedAt: at,
    contradictedBy: "gone",
  });
  for (const check of await checkAudit(db.database, { keys: TEST_KEYS.known })) {
    expect(check.broken).toBeNull();
  }
});

test("sees no contradiction in a file removed by another of our deletions", async ({ db }) => {
  const first = await concluded(db, "still_there");
  await clock.advance(MINUTE_MS);
  await concluded(db, "deleted");
  await compare(db);
  expect(await itemOf(db, first)).toMatchObject({ contradictedBy: null });
});

test.for(["deleted", "already_gone"] as const)(
  "logs a file that was %s and is listed later, unless the list may be stale",
  async (outcome, { db }) => {
    const id = await concluded(db, outcome);
    await clock.advance(MINUTE_MS);
    await seen(db);
    await compare(db);
    expect(await sightings(db)).toEqual([]);

    await clock.advance(2 * MINUTE_MS);
    await seen(db);
    await compare(db);
    expect(await sightings(db)).toMatchObject([{ detail: { seen: "there" } }]);
    expect(await itemOf(db, id)).toMatchObject({ outcome, contradictedBy: "there" });
  },
);

test("ignores what is seen more than a day after the outcome", async ({ db }) => {
  await concluded(db, "still_there");
  await clock.advance(DAY_MS + MINUTE_MS);
  await markGone(db.database.orm, COMPANY, FILE.id, clock.nowMs());
  await compare(db);
  expect(await sightings(db)).toEqual([]);
});
