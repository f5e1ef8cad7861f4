import { randomUUID } from "node:crypto";
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { eq } from "drizzle-orm";
import { afterEach, describe, expect } from "vitest";
import { rule } from "@/lib/domain/deadlines/deadline-fixture";
import type { Message, MessageType } from "@/lib/domain/delivery/message";
import { addRuleForAll } from "./rule-fixture";
import {
  deadlineDays,
  deadlineFolds,
  deadlineRisks,
  deadlines,
} from "@/lib/server/store/schema/deadlines";
import { fleetIncidents, fleetMembers } from "@/lib/server/store/schema/fleet-incidents";
import { incidentEvents, incidents, incidentStates } from "@/lib/server/store/schema/incidents";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { testProgram } from "@/lib/server/test-programs";
import { createSeal } from "@/lib/server/upstream/seal";
import type { Plan } from "./killed.fixture";
import { OUTBOX_STEPS } from "./outbox";
import { MINUTE_MS } from "@/lib/domain/time/units";

/**
 * `kill -9` at every step between an event and the row that records its notification. `SOAK_REPEATS=20 npx
 * vitest run --project long lib/server/delivery/killed` runs each of them 20 times.
 */
const REPEATS = Number(process.env["SOAK_REPEATS"] ?? "1");
const REPEATED = Array.from({ length: REPEATS }, (_, index) => index + 1);
const START_MS = Date.parse("2026-11-20T10:00:00Z");
const AUTH_SECRET = "a secret that only this test has";
const COMPANY = "northgate";
const FLEET = [COMPANY, "harbour", "quarry"];

const test = freshDatabaseTest();
let receiver: Server;
let received: Message[] = [];
/** Whether the receiver responds. */
let answers = true;
let personId = "";
const children: ChildProcess[] = [];

test.beforeEach(async ({ db }) => {
  received = [];
  answers = true;
  receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (piece: Buffer) => (body += piece.toString()));
    request.on("end", () => {
      received.push(JSON.parse(body) as Message);
      receiver.emit("received");
      if (answers) response.end();
    });
  });
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  personId = await setUp(db);
});
afterEach(async () => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  receiver.closeAllConnections();
  await new Promise((resolve) => receiver.close(resolve));
});

async function setUp(db: TestDatabase): Promise<string> {
  const { port } = receiver.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/`;
  const secret = `whsec_${Buffer.alloc(32).toString("base64")}`;
  const noConnection = { origin: "", clientId: "", clientSecret: "" };
  const seal = createSeal([AUTH_SECRET], noConnection, "channel settings");
  return addRuleForAll(db.database.orm, {
    atMs: START_MS - MINUTE_MS,
    sealed: seal.close(JSON.stringify({ kind: "webhook", settings: { url, secret } })),
    rule: { promises: "at_risk" },
  });
}

async function observed(db: TestDatabase, company: string, atMs: number): Promise<void> {
  const values = { observedAt: new Date(atMs), lastId: 1, suspects: {} };
  await db.database.orm
    .insert(incidentStates)
    .values({ company, ...values })
    .onConflictDoUpdate({ target: incidentStates.company, set: values });
}

/** An incident starts. */
async function start(db: TestDatabase, company = COMPANY): Promise<void> {
  const { orm } = db.database;
  const at = new Date(START_MS);
  await orm.insert(incidents).values({
    company,
    id: 1,
    partnerName: "Procore",
    beganAt: at,
    openedAt: at,
    verdict: "stale",
    worstVerdict: "stale",
    flaps: 0,
    members: [],
  });
  await tell(db, company, 1, START_MS, "opened", { endpointId: "a", detail: { to: "stale" } });
  await observed(db, company, START_MS);
}

/** The incident ends. */
async function end(db: TestDatabase, company = COMPANY): Promise<void> {
  const atMs = START_MS + 30 * MINUTE_MS;
  await db.database.orm
    .update(incidents)
    .set({ endedAt: new Date(atMs), ending: "recovered", verdict: null })
    .where(eq(incidents.company, company));
  await tell(db, company, 2, atMs, "ended", { detail: { ending: "recovered" } });
  await observed(db, company, atMs);
}

async function tell(
  db: TestDatabase,
  company: string,
  seq: number,
  atMs: number,
  kind: string,
  more: Pick<typeof incidentEvents.$inferInsert, "detail"> & { endpointId?: string },
): Promise<void> {
  const event = { company, incidentId: 1, seq, at: new Date(atMs), kind };
  await db.database.orm.insert(incidentEvents).values({ ...event, ...more });
}

/** A process that sends what is due at a given time. */
function launch(
  db: TestDatabase,
  nowMs: number,
  killAt: Plan["killAt"],
): { child: ChildProcess; exited: Promise<unknown[]> } {
  const { connectionString } = db.database;
  const plan: Plan = { connectionString, nowMs, authSecret: AUTH_SECRET, killAt };
  const program = testProgram("lib/server/delivery/killed.fixture.ts");
  const child = spawn(process.execPath, [program, JSON.stringify(plan)], { stdio: "inherit" });
  children.push(child);
  return { child, exited: once(child, "exit") };
}

const survive = async (db: TestDatabase, nowMs: number) =>
  expect(await launch(db, nowMs, null).exited).toEqual([0, null]);

/** Each message arrives once or twice under its id, none is lost, and no end precedes its opening. */
function expectWholeStory(
  opening: MessageType = "incident.opened",
  ending: MessageType = "incident.ended",
): void {
  const types = received.map(({ type }) => type);
  expect(new Set(types)).toEqual(new Set([opening, ending]));
  expect(types.lastIndexOf(opening)).toBeLessThan(types.indexOf(ending));
  expect(new Set(received.map(({ id }) => id)).size).toBe(2);
  expect(types.length).toBeLessThanOrEqual(4);
}

/** Procore starts failing at three companies, which is a fleet incident. */
async function startFleet(db: TestDatabase): Promise<void> {
  const { orm } = db.database;
  const at = new Date(START_MS);
  const fleet = { id: randomUUID(), partner: "Procore", fromAt: at, openedAt: at, changedAt: at };
  await orm.insert(fleetIncidents).values(fleet);
  for (const company of FLEET) {
    await start(db, company);
    const member = { company, incidentId: 1, fleetId: fleet.id, joinedAt: at };
    await orm.insert(fleetMembers).values(member);
  }
}

/** All of them recover. */
async function endFleet(db: TestDatabase): Promise<void> {
  const { orm } = db.database;
  for (const company of FLEET) await end(db, company);
  const at = new Date(START_MS + 30 * MINUTE_MS);
  await orm.update(fleetMembers).set({ leftAt: at });
  await orm.update(fleetIncidents).set({ closedAt: at, changedAt: at });
}

const DUE_MS = START_MS + 20 * MINUTE_MS;
const DAY = { date: "2026-11-20", dueAt: new Date(DUE_MS), limitAt: new Date(DUE_MS) };
const FEED = { company: COMPANY, endpointId: "a", endpointKey: "rfis", partnerName: "Procore" };
const PROMISE = rule({ by: "10:20" });

/** A promise is at risk. */
async function risk(db: TestDatabase): Promise<string> {
  const { orm } = db.database;
  const at = new Date(START_MS);
  const author = { madeById: personId, madeByName: "Ada", madeAt: at };
  const [row] = await orm
    .insert(deadlines)
    .values({ company: COMPANY, rule: PROMISE, ...author })
    .returning();
  const deadlineId = row?.id ?? "";
  await orm.insert(deadlineFolds).values({ company: COMPANY, closedUntil: at, version: 1 });
  await orm.insert(deadlineRisks).values({ ...FEED, ...DAY, deadlineId, fromAt: at });
  await observed(db, COMPANY, START_MS);
  return deadlineId;
}

/** It is missed. */
async function miss(db: TestDatabase, deadlineId: string): Promise<void> {
  const { orm } = db.database;
  const atMs = START_MS + 30 * MINUTE_MS;
  const closed = { outcome: "missed" as const, rule: PROMISE, closedAt: new Date(atMs) };
  await orm.insert(deadlineDays).values({ ...FEED, ...DAY, ...closed, deadlineId });
  await orm.update(deadlineRisks).set({ untilAt: new Date(atMs) });
  await orm.update(deadlineFolds).set({ closedUntil: new Date(atMs) });
  await observed(db, COMPANY, atMs);
}

describe.each(REPEATED)("kill -9, run %i", () => {
  test.for(OUTBOX_STEPS)(
    "sends one message for all companies, and one ending, when killed right after it has %s",
    async (step, { db }) => {
      await startFleet(db);
      expect(await launch(db, START_MS, step).exited).toEqual([null, "SIGKILL"]);
      await survive(db, START_MS + MINUTE_MS);
      await endFleet(db);
      expect(await launch(db, START_MS + 31 * MINUTE_MS, step).exited).toEqual([null, "SIGKILL"]);
      await survive(db, START_MS + 32 * MINUTE_MS);
      expectWholeStory("partner.opened", "partner.ended");
      for (const { fleet_incident: fleet } of received) expect(fleet?.companies).toHaveLength(3);
      const { rows } = await db.database.pool.query(
        `select type, count(*)::int as amount, count(told_in)::int as included from deliveries
         where incident_id is not null group by type order by type`,
      );
      expect(rows).toEqual([
        { type: "incident.ended", amount: 3, included: 3 },
        { type: "incident.opened", amount: 3, included: 3 },
      ]);
    },
  );

  test.for(OUTBOX_STEPS)(
    "delivers in order when killed right after it has %s",
    async (step, { db }) => {
      await start(db);
      expect(await launch(db, START_MS, step).exited).toEqual([null, "SIGKILL"]);
      await survive(db, START_MS + MINUTE_MS);
      await end(db);
      expect(await launch(db, START_MS + 31 * MINUTE_MS, step).exited).toEqual([null, "SIGKILL"]);
      await survive(db, START_MS + 32 * MINUTE_MS);
      expectWholeStory();
    },
  );

  test.for(OUTBOX_STEPS)(
    "sends one warning of a promise and its outcome, when killed right after it has %s",
    async (step, { db }) => {
      const deadlineId = await risk(db);
      expect(await launch(db, START_MS, step).exited).toEqual([null, "SIGKILL"]);
      await survive(db, START_MS + MINUTE_MS);
      await miss(db, deadlineId);
      expect(await launch(db, START_MS + 31 * MINUTE_MS, step).exited).toEqual([null, "SIGKILL"]);
      await survive(db, START_MS + 32 * MINUTE_MS);
      expectWholeStory("promise.at_risk", "promise.missed");
    },
  );

  test("resends a message in flight under the same id", async ({ db }) => {
    await start(db);
    answers = false;
    const { child, exited } = launch(db, START_MS, null);
    await once(receiver, "received");
    child.kill("SIGKILL");
    await exited;
    answers = true;
    await survive(db, START_MS + MINUTE_MS);
    await end(db);
    await survive(db, START_MS + 31 * MINUTE_MS);
    expectWholeStory();
    expect(received.map(({ type }) => type)).toEqual([
      "incident.opened",
      "incident.opened",
      "incident.ended",
    ]);
  });
});
