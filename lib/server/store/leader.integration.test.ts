import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import pino from "pino";
import { afterEach, beforeEach, expect } from "vitest";
import { systemClock } from "@/lib/server/clock";
import { testProgram } from "@/lib/server/test-programs";
import type { Writer } from "./database";
import { Deposed } from "./fence";
import { createLeadership, type Leadership } from "./leader";
import { freshDatabaseTest, type TestDatabase } from "./test-database";

const NEVER_MS = 3_600_000;

const test = freshDatabaseTest();
let events: string[];
/** The latest writer of each leader, by name. */
let writers: Map<string, Writer>;
let running: Leadership[];
beforeEach(async () => {
  events = [];
  writers = new Map();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((leadership) => leadership.stop()));
});

/** Competes as `name`; records its progress in `events`. */
function compete(db: TestDatabase, name: string, silentMs: number): Leadership {
  const leadership = createLeadership({
    database: db.database,
    of: "collector",
    clock: systemClock,
    random: Math.random,
    log: pino({ level: "silent" }),
    retryMs: 20,
    silentMs,
    lead: async (signal, writer) => {
      writers.set(name, writer);
      events.push(`${name} leads`);
      if (!signal.aborted) await once(signal, "abort");
      events.push(`${name} has lost`);
    },
  });
  running.push(leadership);
  leadership.start();
  return leadership;
}

async function until(event: string): Promise<void> {
  await expect.poll(() => events, { timeout: 20_000 }).toContain(event);
}

test("keeps leading while its heartbeat arrives, and hands over on stop", async ({ db }) => {
  const first = compete(db, "first", NEVER_MS);
  await until("first leads");
  compete(db, "second", NEVER_MS);
  // The second process has tried by now.
  await expect.poll(async () => (await othersOf(db)) > 0, { timeout: 20_000 }).toBe(true);
  expect(events).toEqual(["first leads"]);
  await first.stop();
  await until("second leads");
  expect(events).toEqual(["first leads", "first has lost", "second leads"]);
});

test("leads in a database that is set to another schema", async ({ db }) => {
  const name = new URL(db.ownerUrl).pathname.slice(1);
  await db.asOwner(`alter database "${name}" set search_path = 'theirs'`);
  compete(db, "only", NEVER_MS);
  await until("only leads");
});

/** Competing sessions, not counting the holder's. */
async function othersOf(db: TestDatabase): Promise<number> {
  const { rows } = await db.database.pool.query<{ sessions: number }>(
    "select count(*)::int as sessions from pg_stat_activity where application_name = 'plumbline collector'",
  );
  return (rows[0]?.sessions ?? 0) - 1;
}

test("keeps its connection from one attempt to the next", async ({ db }) => {
  compete(db, "first", NEVER_MS);
  await until("first leads");
  compete(db, "second", NEVER_MS);
  await expect.poll(async () => (await competingSessions(db)).length, { timeout: 20_000 }).toBe(1);
  const [before] = await competingSessions(db);
  await expect
    .poll(async () => await competingSessions(db), { timeout: 20_000 })
    .toEqual([
      { pid: before?.pid, at: expect.toSatisfy((at: number) => at > (before?.at ?? Infinity)) },
    ]);
});

/** Connections without the lead, and when their last statement ended. */
async function competingSessions(db: TestDatabase): Promise<{ pid: number; at: number }[]> {
  const { rows } = await db.database.pool.query<{ pid: number; at: number }>(
    `select pid, extract(epoch from state_change)::float8 as at from pg_stat_activity
     where application_name = 'plumbline collector' and datname = current_database()
       and not exists (select from pg_locks held where held.pid = pg_stat_activity.pid and locktype = 'advisory')`,
  );
  return rows;
}

test("is the only one that the query of docs/operating.md names", async ({ db }) => {
  const query = /```\n(select of, since, [^`]*)```/.exec(readFileSync("docs/operating.md", "utf8"));
  compete(db, "first", NEVER_MS);
  await until("first leads");
  compete(db, "second", NEVER_MS);
  await expect.poll(async () => (await competingSessions(db)).length, { timeout: 20_000 }).toBe(1);
  const [waits] = await competingSessions(db);
  const { rows } = await db.database.pool.query(query?.[1] ?? "");
  expect(rows).toEqual([
    expect.objectContaining({ of: "collector", application_name: "plumbline collector" }),
  ]);
  expect(rows).not.toEqual([expect.objectContaining({ pid: waits?.pid })]);
});

test("loses leadership, and learns of it, when its heartbeat stops", async ({ db }) => {
  compete(db, "first", NEVER_MS);
  await until("first leads");
  compete(db, "second", 1);
  await until("second leads");
  await until("first has lost");
  expect(events[0]).toBe("first leads");
});

test("lets a deposed leader's open transaction finish first, and rejects later ones", async ({
  db,
}) => {
  compete(db, "first", NEVER_MS);
  await until("first leads");
  const first = writers.get("first");
  const begun = new AbortController();
  const end = new AbortController();
  const written = first?.orm.transaction(async (tx) => {
    begun.abort();
    await once(end.signal, "abort");
    await tx.execute("select 1");
    events.push("first wrote");
  });
  if (!begun.signal.aborted) await once(begun.signal, "abort");
  compete(db, "second", 1);
  await expect.poll(async () => (await waiting(db)) > 0, { timeout: 20_000 }).toBe(true);
  expect(events).not.toContain("second leads");
  end.abort();
  await written;
  await until("second leads");
  expect(events.indexOf("first wrote")).toBeLessThan(events.indexOf("second leads"));
  await expect(first?.orm.transaction(async () => void events.push("late"))).rejects.toThrow(
    Deposed,
  );
  expect(events).not.toContain("late");
});

/** Sessions waiting for a lock. */
async function waiting(db: TestDatabase): Promise<number> {
  const { rows } = await db.database.pool.query<{ sessions: number }>(
    `select count(*)::int as sessions from pg_stat_activity
     where application_name = 'plumbline collector' and wait_event_type = 'Lock'`,
  );
  return rows[0]?.sessions ?? 0;
}

test("replaces a hung process even in mid-transaction, and rejects its writes after it resumes", async ({
  db,
}) => {
  const child = spawn(
    process.execPath,
    [testProgram("lib/server/store/leader.fixture.ts"), db.database.connectionString],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const said: string[] = [];
  createInterface(child.stdout).on("line", (line) => said.push(line));
  try {
    await expect.poll(() => said, { timeout: 20_000 }).toEqual(["leads"]);
    child.kill("SIGSTOP");
    compete(db, "second", 1);
    await until("second leads");
    expect(said).toEqual(["leads"]);
    child.kill("SIGCONT");
    await expect
      .poll(() => said, { timeout: 20_000 })
      .toEqual(["leads", "has lost", "failed", "Deposed"]);
    expect(events).toEqual(["second leads"]);
  } finally {
    child.kill("SIGKILL");
  }
});
