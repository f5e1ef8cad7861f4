import pino from "pino";
import { afterEach, beforeEach, expect } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleFiles, sampleRows } from "@/e2e/upstream/sample-rows";
import { createManualClock, eventually, type ManualClock } from "@/lib/server/manual-clock";
import { readFileIndex } from "@/lib/server/store/files/schedule-files";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import type { Connections } from "@/lib/server/upstream/connections";
import type { Connection } from "@/lib/server/upstream/upstream";
import { createFileIndexer } from "./file-index";
import { createLeftCompanies, type LeftCompanies } from "./left-companies";
import { startReading } from "./reading-fixture";
import { createSnapshots, type Snapshots } from "./snapshots";
import { MINUTE_MS } from "@/lib/domain/time/units";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
const log = pino({ level: "silent" });

let clock: ManualClock;
const test = freshDatabaseTest();
let apis: MisbehavingUpstream[];
let stopping: AbortController;
let connections: Connections;
let snapshots: Snapshots;
let left: LeftCompanies;
let running: { stop(): Promise<void> }[];

beforeEach(async () => {
  clock = createManualClock(START_MS);
  stopping = new AbortController();
  apis = await Promise.all(
    ["one", "two", "three"].map((clientId) =>
      startMisbehavingUpstream({
        clientId,
        rows: sampleRows(3, START_MS),
        files: sampleFiles(2, START_MS),
        nowMs: clock.nowMs,
      }),
    ),
  );
});
afterEach(async () => {
  stopping.abort();
  await Promise.all(running.map((part) => part.stop()));
  await Promise.all(apis.map((api) => api.close()));
});

/** Connection of a company to one of the three APIs. */
function to(company: string, api: number, more: Partial<Connection> = {}): Connection {
  const { baseUrl, clientId, clientSecret } = apis[api]!;
  return { company, name: company, baseUrl, clientId, clientSecret, ...more };
}

/** Starts what one process runs to read companies. */
async function start(db: TestDatabase, first: readonly Connection[]): Promise<void> {
  const { database } = db;
  const reading = await startReading(database, clock, first, stopping.signal);
  ({ connections, snapshots } = reading);
  left = createLeftCompanies({ database, clock, log, connections });
  const files = createFileIndexer(reading.parts);
  running = [reading, files, left];
  await left.start();
  files.start();
}

const asOf = (company: string) => snapshots.get(company)?.state.asOfMs ?? 0;
const isReadAfter = (company: string, ms: number) => () => asOf(company) > ms;
const tokensOf = (api: number) => apis[api]!.tokensIssued();
const requestsOf = (api: number) => apis[api]!.requests.length;
const leftAt = async (db: TestDatabase, company: string) => {
  const { rows } = await db.database.pool.query<{ left_at: Date | null }>(
    "select left_at from companies where slug = $1",
    [company],
  );
  return rows[0]?.left_at?.getTime() ?? null;
};

test("adds, changes and removes companies while the others are still polled, with the same tokens", async ({
  db,
}) => {
  await start(db, [to("a", 0), to("b", 1)]);
  await eventually(clock, () => asOf("a") > 0 && asOf("b") > 0);
  await eventually(clock, async () => (await readFileIndex(db.database.orm, "b"))?.asOf != null);
  const tokens = tokensOf(0);

  // One company is added, one is removed.
  connections.replace([to("a", 0), to("c", 2)]);
  await eventually(clock, () => asOf("c") > 0);
  await eventually(clock, async () => (await leftAt(db, "b")) !== null);
  await eventually(clock, () => left.get("b")?.leftAtMs != null);
  expect(left.list()).toEqual([{ slug: "b", name: "b", leftAtMs: await leftAt(db, "b") }]);
  expect(left.get("a")).toBeNull();
  const after = requestsOf(1);
  const seenMs = asOf("b");
  await clock.advance(5 * MINUTE_MS);
  await eventually(clock, isReadAfter("a", clock.nowMs()));
  expect(requestsOf(1)).toBe(after);
  // The last snapshot stays, and ages.
  expect(asOf("b")).toBe(seenMs);
  expect(tokensOf(0)).toBe(tokens);

  // When it returns, its record continues with a gap for the time in between.
  connections.replace([to("b", 1), to("a", 0, { name: "Ada" }), to("c", 2)]);
  expect(left.get("b")).toBeNull();
  await eventually(clock, isReadAfter("b", seenMs));
  await eventually(clock, async () => (await leftAt(db, "b")) === null);
  const { rows: gaps } = await db.database.pool.query(
    "select reason from gaps where company = 'b'",
  );
  expect(gaps).toEqual([{ reason: "stopped" }]);
  expect(tokensOf(0)).toBe(tokens);
  const { rows: names } = await db.database.pool.query<{ name: string }>(
    "select name from companies where slug = 'a'",
  );
  expect(names).toEqual([{ name: "Ada" }]);

  // A changed address takes effect at once.
  const before = requestsOf(1);
  connections.replace([to("a", 0, { name: "Ada" }), to("c", 1)]);
  const changedMs = clock.nowMs();
  await eventually(clock, isReadAfter("c", changedMs));
  expect(requestsOf(1)).toBeGreaterThan(before);
  expect(tokensOf(0)).toBe(tokens);
});

test.for([
  ["data_corrupted", "XX001"],
  ["io_error", "58030"],
])(
  "reads and shows the other companies while one's record can't be read, and that again once it can: %s",
  async ([, code], { db }) => {
    await start(db, [to("a", 0), to("b", 1)]);
    await eventually(clock, () => asOf("a") > 0 && asOf("b") > 0);
    await Promise.all(running.map((part) => part.stop()));
    await db.asOwner(`
    create function intact(company text) returns boolean language plpgsql as $$
      begin if company = 'a' then raise sqlstate '${code}' using message = 'invalid page'; end if; return true; end $$;
    create policy intact on endpoints using (intact(company)) with check (true);
    alter table endpoints enable row level security`);

    const damagedMs = clock.nowMs();
    await start(db, [to("a", 0), to("b", 1)]);
    await eventually(clock, isReadAfter("b", damagedMs));
    expect(snapshots.get("a")).toBeNull();
    const other = createSnapshots({ database: db.database, clock, log });
    await other.start();
    expect([other.get("a"), other.get("b")?.company]).toEqual([null, "b"]);

    await db.asOwner("alter table endpoints disable row level security");
    await eventually(clock, isReadAfter("a", damagedMs));
    await eventually(clock, () => other.get("a") !== null);
    await other.stop();
  },
);

test("uses corrected credentials without a restart", async ({ db }) => {
  await start(db, [to("a", 0, { clientSecret: "wrong" })]);
  await eventually(clock, () => snapshots.get("a")?.state.reason === "unauthorized");
  connections.replace([to("a", 0)]);
  await eventually(clock, () => asOf("a") > 0);
  expect(snapshots.get("a")?.state.reason).toBeNull();
});

test("drops a company at once while its API hangs, and can replace it", async ({ db }) => {
  await start(db, [to("a", 0), to("b", 1)]);
  await eventually(clock, () => asOf("a") > 0 && asOf("b") > 0);
  await apis[0]!.setFault({ kind: "hang" });
  const before = requestsOf(0);
  await eventually(clock, () => requestsOf(0) > before);
  connections.replace([to("b", 1), to("a", 2)]);
  await eventually(clock, isReadAfter("a", clock.nowMs()));
  expect(snapshots.get("a")?.state.reason).toBeNull();
});

test("stops showing a deleted record, and starts a new one when the company returns", async ({
  db,
}) => {
  await start(db, [to("a", 0), to("b", 1)]);
  await eventually(clock, () => asOf("a") > 0 && asOf("b") > 0);
  connections.replace([to("a", 0)]);
  await eventually(clock, () => left.get("b")?.leftAtMs != null);
  for (const table of ["company_state", "endpoints", "landings", "runs", "call_samples"]) {
    await db.database.pool.query(`delete from ${table} where company = 'b'`);
  }
  await db.database.pool.query("delete from companies where slug = 'b'");
  await eventually(clock, () => left.get("b") === null && snapshots.get("b") === null);
  connections.replace([to("a", 0), to("b", 1)]);
  await eventually(clock, () => asOf("b") > 0);
  expect(snapshots.get("b")?.state.version).toBeLessThan(5);
});

test("reads a company within ten seconds after it was connected, with 500 endpoints", async ({
  db,
}) => {
  await start(db, [to("a", 0)]);
  await eventually(clock, () => asOf("a") > 0);
  apis[1]!.setRows(sampleRows(500, clock.nowMs()));
  const connectedMs = clock.nowMs();
  connections.replace([to("a", 0), to("b", 1)]);
  await eventually(clock, () => (snapshots.get("b")?.rows.length ?? 0) === 500, 5);
  expect(clock.nowMs() - connectedMs).toBeLessThan(10_000);
});
