import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "@/lib/server/clock";
import { testProgram } from "@/lib/server/test-programs";
import type { Writer } from "./database";
import { Deposed } from "./fence";
import { createLeadership, type Leadership } from "./leader";
import { createTestDatabase, type TestDatabase } from "./test-database";

const NEVER_MS = 3_600_000;

let store: TestDatabase;
let events: string[];
/** What each leader last writes through, by its name. */
let writers: Map<string, Writer>;
let running: Leadership[];
beforeEach(async () => {
  store = await createTestDatabase();
  events = [];
  writers = new Map();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((leadership) => leadership.stop()));
  await store.drop();
});

/** Competes as `name`; what becomes of it is in `events`. */
function compete(name: string, silentMs: number): Leadership {
  const leadership = createLeadership({
    database: store.database,
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

test("whoever is still heard keeps the lead, and who stops gives it to the next", async () => {
  const first = compete("first", NEVER_MS);
  await until("first leads");
  compete("second", NEVER_MS);
  // Somebody else has asked by now.
  await expect.poll(async () => (await othersOf()) > 0, { timeout: 20_000 }).toBe(true);
  expect(events).toEqual(["first leads"]);
  await first.stop();
  await until("second leads");
  expect(events).toEqual(["first leads", "first has lost", "second leads"]);
});

/** Sessions that compete just now, beside the holder's. */
async function othersOf(): Promise<number> {
  const { rows } = await store.database.pool.query<{ sessions: number }>(
    "select count(*)::int as sessions from pg_stat_activity where application_name = 'plumbline collector'",
  );
  return (rows[0]?.sessions ?? 0) - 1;
}

test("whoever is not heard any more loses the lead, and learns of it", async () => {
  compete("first", NEVER_MS);
  await until("first leads");
  compete("second", 1);
  await until("second leads");
  await until("first has lost");
  expect(events[0]).toBe("first leads");
});

test("what a leader is writing when it is replaced ends before the next one begins; more fails", async () => {
  compete("first", NEVER_MS);
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
  compete("second", 1);
  await expect.poll(async () => (await waiting()) > 0, { timeout: 20_000 }).toBe(true);
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

/** Sessions that wait for another's lock. */
async function waiting(): Promise<number> {
  const { rows } = await store.database.pool.query<{ sessions: number }>(
    `select count(*)::int as sessions from pg_stat_activity
     where application_name = 'plumbline collector' and wait_event_type = 'Lock'`,
  );
  return rows[0]?.sessions ?? 0;
}

test("a process that hangs is replaced, in the middle of writing too, and writes nothing when it wakes", async () => {
  const child = spawn(
    process.execPath,
    [testProgram("lib/server/store/leader.fixture.ts"), store.database.connectionString],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const said: string[] = [];
  createInterface(child.stdout).on("line", (line) => said.push(line));
  try {
    await expect.poll(() => said, { timeout: 20_000 }).toEqual(["leads"]);
    child.kill("SIGSTOP");
    compete("second", 1);
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
