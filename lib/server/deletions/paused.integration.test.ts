import { afterEach, beforeEach, expect } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleFiles } from "@/e2e/upstream/sample-rows";
import { createManualClock, eventually, type ManualClock } from "@/lib/server/manual-clock";
import { endPause, readPause } from "@/lib/server/store/pauses/pauses";
import { pauseByRestore } from "@/lib/server/store/pauses/pause-fixture";
import { saveCompanies } from "@/lib/server/store/sync/write-snapshot";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import {
  ADA,
  ask,
  brokenPromises,
  COMPANY,
  deletesOf,
  outcomes,
  START_MS,
  startInstance,
  stateOf,
  untilLeading,
} from "./deletions-fixture";

const FILES = sampleFiles(4, START_MS);

const test = freshDatabaseTest();
let clock: ManualClock;
let api: MisbehavingUpstream;
let ending: AbortController;
beforeEach(async () => {
  clock = createManualClock(START_MS);
  api = await startMisbehavingUpstream({ files: FILES, nowMs: clock.nowMs });
  ending = new AbortController();
});
afterEach(async () => {
  ending.abort();
  await api.close();
});

const start = (db: TestDatabase) =>
  startInstance({ database: db.database, clock, api, signal: ending.signal });

test("holds deletions of a restored database until an administrator resumes them", async ({
  db,
}) => {
  const { database } = db;
  // As in the backup: one running, one still in its undo period.
  const running = await ask(database, clock, FILES.slice(0, 2));
  await db.asOwner(`update deletions set state = 'running' where id = '${running}'`);
  const waiting = await ask(database, clock, FILES.slice(2));
  await pauseByRestore(database, "deletions", START_MS);
  const { worker } = start(db);
  worker.accept(waiting);
  let seconds = 0;
  await eventually(clock, () => (seconds += 1) > 300, 1_000);
  expect(api.requests).toEqual([]);
  expect([await stateOf(database, running), await stateOf(database, waiting)]).toEqual([
    "running",
    "waiting",
  ]);

  const by = { person: ADA, requestId: "r", nowMs: clock.nowMs(), companies: [COMPANY, "harbour"] };
  expect(await endPause(database, "deletions", by)).toMatchObject({ reason: "restored" });
  expect(await endPause(database, "deletions", by)).toBe(null);
  expect(await readPause(database.orm, "deletions")).toBe(null);
  await eventually(clock, async () => (await stateOf(database, running)) === "done");
  expect(await outcomes(database, running)).toEqual(["deleted", "deleted"]);
  await eventually(clock, async () => (await stateOf(database, waiting)) !== "waiting");
  expect(await outcomes(database, waiting)).toEqual(["expired", "expired"]);
  expect([...deletesOf(api).values()]).toEqual([1, 1]);
  expect(await brokenPromises(database, api)).toEqual([]);
  const { rows } = await database.pool.query(
    "select company, event, person_name as name, detail->>'subject' as subject from audit_log where kind = 'pause' order by 1",
  );
  const line = { event: "resume.asked", name: ADA.name, subject: "deletions" };
  expect(rows).toEqual([
    { company: "harbour", ...line },
    { company: COMPANY, ...line },
  ]);
  await worker.stop();
});

test("deletes as usual without a pause", async ({ db }) => {
  const { worker } = start(db);
  await untilLeading(db.database, clock);
  const id = await ask(db.database, clock, FILES.slice(0, 1));
  worker.accept(id);
  await eventually(clock, async () => (await stateOf(db.database, id)) === "done");
  expect(await outcomes(db.database, id)).toEqual(["deleted"]);
  await worker.stop();
});

const CONNECTED = [{ slug: COMPANY, name: "Northgate" }];

/** As the collector stores it when the configuration changes. */
const connect = (db: TestDatabase, all: typeof CONNECTED) =>
  saveCompanies(db.database, all, clock.nowMs());

test("keeps the files of a company that left, even if it returns", async ({ db }) => {
  const { database } = db;
  await connect(db, CONNECTED);
  const running = await ask(database, clock, FILES.slice(0, 2));
  const waiting = await ask(database, clock, FILES.slice(2));
  await db.asOwner(`update deletions set state = 'running' where id = '${running}'`);
  await connect(db, []);
  const { worker, upstreams } = start(db);
  const upstream = upstreams.get(COMPANY);
  upstreams.delete(COMPANY);
  for (const id of [running, waiting])
    await eventually(clock, async () => (await stateOf(database, id)) === "done");

  if (upstream !== undefined) upstreams.set(COMPANY, upstream);
  await connect(db, CONNECTED);
  let seconds = 0;
  await eventually(clock, () => (seconds += 1) > 60, 1_000);
  for (const id of [running, waiting])
    expect(await outcomes(database, id)).toEqual(["expired", "expired"]);
  expect(api.requests).toEqual([]);
  expect(await brokenPromises(database, api)).toEqual([]);
  const { rows } = await database.pool.query(
    "select distinct detail->>'because' as because, person_name from audit_log where event = 'delete.outcome'",
  );
  expect(rows).toEqual([{ because: "the company left", person_name: null }]);

  // New requests are processed.
  const anew = await ask(database, clock, FILES.slice(0, 1));
  worker.accept(anew);
  await eventually(clock, async () => (await stateOf(database, anew)) === "done");
  expect(await outcomes(database, anew)).toEqual(["deleted"]);
  await worker.stop();
});

test("doesn't continue before the record knows that the company has returned", async ({ db }) => {
  const { database } = db;
  await connect(db, CONNECTED);
  await connect(db, []);
  const running = await ask(database, clock, FILES.slice(0, 2));
  await db.asOwner(`update deletions set state = 'running' where id = '${running}'`);
  const { worker } = start(db);
  await eventually(clock, async () => (await stateOf(database, running)) === "done");
  expect(await outcomes(database, running)).toEqual(["expired", "expired"]);
  expect(deletesOf(api).size).toBe(0);
  await worker.stop();
});

test("checks what was sent before the company left once it is back, and sends nothing again", async ({
  db,
}) => {
  const { database } = db;
  await connect(db, CONNECTED);
  const running = await ask(database, clock, FILES.slice(0, 2));
  await db.asOwner(`update deletions set state = 'running' where id = '${running}'`);
  // Its sender died.
  await db.asOwner(
    `update deletion_items set sent_at = to_timestamp(${START_MS / 1000}) where deletion_id = '${running}' and position = 0`,
  );
  await connect(db, []);
  const { worker, upstreams } = start(db);
  const upstream = upstreams.get(COMPANY);
  upstreams.delete(COMPANY);
  await untilLeading(database, clock);
  await eventually(clock, async () => (await outcomes(database, running))[1] === "expired");
  expect(await stateOf(database, running)).toBe("running");
  if (upstream !== undefined) upstreams.set(COMPANY, upstream);
  await connect(db, CONNECTED);
  await eventually(clock, async () => (await stateOf(database, running)) === "done", 1_000);
  expect(await outcomes(database, running)).toEqual(["still_there", "expired"]);
  expect(deletesOf(api).size).toBe(0);
  await worker.stop();
});
