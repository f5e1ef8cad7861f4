import { afterEach, expect } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import type { Message } from "@/lib/domain/delivery/message";
import { EVERYTHING } from "@/lib/domain/delivery/rule-fixture";
import { startReading } from "@/lib/server/collector/reading-fixture";
import type { Snapshots } from "@/lib/server/collector/snapshots";
import { createManualClock, eventually, type ManualClock } from "@/lib/server/manual-clock";
import { rehearse } from "@/lib/server/operations/rules/rehearse";
import { addRuleForAll } from "./rule-fixture";
import { incidentCare } from "@/lib/server/store/schema/incidents";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import type { Connections } from "@/lib/server/upstream/connections";
import type { Connection } from "@/lib/server/upstream/upstream";
import { OUTBOX_STEPS, type OutboxOptions } from "./outbox";
import { createTestOutbox } from "./outbox-fixture";
import { accepted } from "./sent";
import { visibilityOf } from "@/lib/domain/delivery/visibility";
import { MINUTE_MS } from "@/lib/domain/time/units";

const START_MS = Date.parse("2026-03-02T12:00:00Z");

let clock: ManualClock;
const test = freshDatabaseTest();
let api: MisbehavingUpstream;
let stopping: AbortController;
let connections: Connections;
let snapshots: Snapshots;
let running: { stop(): Promise<void> }[];
let received: Message[];

test.beforeEach(async ({ db }) => {
  clock = createManualClock(START_MS);
  api = await startMisbehavingUpstream({
    rows: sampleRows(3, START_MS),
    nowMs: clock.nowMs,
  });
  stopping = new AbortController();
  received = [];
  await start(db);
});
afterEach(async () => {
  stopping.abort();
  await Promise.all(running.map((part) => part.stop()));
  await api.close();
});

/** With a secret that the API rejects. */
function connection(more: Partial<Connection> = {}): Connection {
  const { baseUrl, clientId } = api;
  return { company: "main", name: "Main", baseUrl, clientId, clientSecret: "wrong", ...more };
}

/** Starts what one process runs to poll one company. */
async function start(db: TestDatabase): Promise<void> {
  const reading = await startReading(db.database, clock, [connection()], stopping.signal);
  ({ connections, snapshots } = reading);
  running = [reading];
}

/** @returns the id of the person who created it */
const makeRule = (db: TestDatabase) =>
  addRuleForAll(db.database.orm, { atMs: clock.nowMs(), sealed: "" });

type Options = Partial<OutboxOptions>;

/** Sends what is due, as a process that has just become the sender. @param ledMs how long it has led */
function work(db: TestDatabase, options: Options = {}, ledMs = Infinity): Promise<void> {
  const outbox = createTestOutbox({
    database: db.database,
    clock,
    companies: () => connections.list().map(({ company: slug, name }) => ({ slug, name })),
    visibilityOf: (company) =>
      visibilityOf(snapshots.get(company)?.state ?? null, snapshots.ageMs(company), clock.nowMs(), {
        reportTimeZone: "UTC",
      }),
    send(row) {
      received.push(row.message);
      return Promise.resolve(accepted("It was taken."));
    },
    ...options,
  });
  return outbox.work(db.database, clock.monotonicMs() - ledMs);
}

const isRefused = () => snapshots.get("main")?.state.reason === "unauthorized";
const isSeen = () => (snapshots.get("main")?.state.asOfMs ?? null) !== null;
const types = () => received.map(({ type }) => type);

async function mend(): Promise<void> {
  connections.replace([connection({ clientSecret: api.clientSecret })]);
  await eventually(clock, isSeen);
}

async function rehearsed(db: TestDatabase, onlyFor: string | null = null): Promise<string[]> {
  const { messages } = await rehearse(
    {
      database: db.database,
      clock,
      appUrl: "http://localhost:3000",
      config: { pollSeconds: 60, reportTimeZone: "UTC", messageWaitMs: 0 },
      connections: [{ company: "main", name: "Main" }],
    },
    {
      rule: EVERYTHING,
      onlyFor,
      companies: [{ company: "main", name: "Main" }],
    },
  );
  return messages.map(({ type, at, text }) => `${type} ${at} ${text}`).toReversed();
}

test("notifies once that a company rejects us from the first check on, and once when it is seen, like a rehearsal", async ({
  db,
}) => {
  await makeRule(db);
  await eventually(clock, isRefused);
  await work(db);
  expect(types()).toEqual([]);
  await clock.advance(10 * MINUTE_MS);
  await work(db, {}, MINUTE_MS);
  expect(types()).toEqual([]);
  for (let life = 0; life < 3; life += 1) await work(db);
  expect(types()).toEqual(["company.blind"]);
  expect(received[0]).toMatchObject({
    company: { slug: "main", name: "Main" },
    incident: null,
    text: "We haven’t been able to see Main yet\nThe source rejected our credentials. Until we can, we don’t know how its partners are doing.",
  });
  expect(await rehearsed(db)).toEqual([
    expect.stringMatching(/^company\.blind .* We haven’t been able to see Main yet\n/),
  ]);

  await mend();
  for (let life = 0; life < 3; life += 1) await work(db);
  expect(types()).toEqual(["company.blind", "company.seen_again"]);
  expect(received[1]?.text).toMatch(
    /^We can see Main for the first time\nSeen first at .*\. We don’t know how its partners were doing before\./,
  );
  expect((await rehearsed(db)).slice(0, 2)).toEqual([
    expect.stringContaining(`company.blind ${received[0]?.at ?? "?"}`),
    `company.seen_again ${received[1]?.at ?? "?"} ${received[1]?.text ?? "?"}`,
  ]);
});

test("notifies the owner, whose rule covers only their companies, of a company never seen", async ({
  db,
}) => {
  const owner = await makeRule(db);
  await eventually(clock, isRefused);
  await clock.advance(10 * MINUTE_MS);
  expect(await rehearsed(db, owner)).toEqual([]);
  await db.database.orm.insert(incidentCare).values({ company: "main", ownerId: owner });
  expect(await rehearsed(db, owner)).toEqual([expect.stringMatching(/^company\.blind /)]);
});

test("doesn't claim a first time when the record is older than its incidents", async ({ db }) => {
  await eventually(clock, isRefused);
  await clock.advance(10 * MINUTE_MS);
  await mend();
  const firstTime = expect.stringContaining("for the first time") as string;
  expect(await rehearsed(db)).toContainEqual(firstTime);
  await db.database.pool.query("update incident_states set recorded_since = null");
  expect(await rehearsed(db)).not.toContainEqual(firstTime);
});

test("sends nothing about a company without a rule, or one that has left", async ({ db }) => {
  await eventually(clock, isRefused);
  await clock.advance(10 * MINUTE_MS);
  await work(db);
  await makeRule(db);
  connections.replace([]);
  await work(db);
  expect(types()).toEqual([]);
});

for (const step of OUTBOX_STEPS) {
  test(`keeps each message under one id when killed right after it was ${step}`, async ({ db }) => {
    await makeRule(db);
    await eventually(clock, isRefused);
    await clock.advance(10 * MINUTE_MS);
    let deaths = 0;
    const dying = (): Options => {
      let isDead = false;
      return {
        onStep(at) {
          if (at !== step || isDead) return;
          isDead = true;
          deaths += 1;
          throw new Error("killed");
        },
      };
    };
    const liveTwice = async () => {
      await work(db, dying()).catch(() => {});
      await clock.advance(31_000);
      await work(db);
    };
    await liveTwice();
    await mend();
    await liveTwice();
    expect(deaths).toBe(2);
    expect(new Set(types())).toEqual(new Set(["company.blind", "company.seen_again"]));
    expect(types().lastIndexOf("company.blind")).toBeLessThan(
      types().indexOf("company.seen_again"),
    );
    expect(new Set(received.map(({ id }) => id)).size).toBe(2);
  });
}

const paused = { pausedAtMs: START_MS, isSecretReadable: true };
const resumed = { pausedAtMs: null, isSecretReadable: true };
const isPaused = () => snapshots.get("main")?.state.reason === "disconnected";

test("reports nothing of a company whose connection is paused before it was ever seen", async ({
  db,
}) => {
  await makeRule(db);
  connections.replace([connection({ browser: paused })]);
  await eventually(clock, isPaused);
  await clock.advance(30 * MINUTE_MS);
  await work(db);
  expect(types()).toEqual([]);
});

test("reports nothing of a company while its connection is paused, nor afterwards, like a rehearsal", async ({
  db,
}) => {
  const { clientSecret } = api;
  connections.replace([connection({ clientSecret, browser: resumed })]);
  await eventually(clock, isSeen);
  await makeRule(db);
  connections.replace([connection({ clientSecret, browser: paused })]);
  await eventually(clock, isPaused);
  const requests = api.requests.length;
  await clock.advance(30 * MINUTE_MS);
  await work(db);
  expect([types(), api.requests.length]).toEqual([[], requests]);
  connections.replace([connection({ clientSecret, browser: resumed })]);
  await eventually(clock, () => snapshots.get("main")?.state.reason === null);
  await work(db);
  expect(types()).toEqual([]);
  expect(await rehearsed(db)).toEqual([]);
  const { rows } = await db.database.pool.query("select reason from gaps");
  expect(rows).toEqual([{ reason: "disconnected" }]);
});
