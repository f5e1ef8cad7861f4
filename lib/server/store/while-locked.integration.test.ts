import { EventEmitter, once } from "node:events";
import { Client } from "pg";
import pino from "pino";
import { afterEach, expect } from "vitest";
import { freshDatabaseTest } from "./test-database";
import { whileLocked } from "./while-locked";

const LOCK = 4_711;

const test = freshDatabaseTest();
let other: Client;
let said: EventEmitter;
let lines: { event?: string; application?: string; pid?: number }[];
test.beforeEach(async ({ db }) => {
  other = new Client({ connectionString: db.ownerUrl, application_name: "a long report" });
  await other.connect();
  said = new EventEmitter();
  lines = [];
});
afterEach(async () => {
  await other.end();
});

const log = () =>
  pino(
    { level: "warn" },
    {
      write: (line) => {
        lines.push(JSON.parse(line));
        said.emit("line");
      },
    },
  );

test("logs once which session holds the lock it waits for, then continues", async ({ db }) => {
  await other.query("select pg_advisory_lock($1)", [LOCK]);
  const line = once(said, "line");
  const done = whileLocked(db.ownerUrl, LOCK, { log: log(), lookEveryMs: 5 }, async () => "done");
  await line;
  await other.query("select pg_sleep(0.05)");
  await other.query("select pg_advisory_unlock($1)", [LOCK]);
  expect(await done).toBe("done");
  expect(lines).toMatchObject([{ event: "start_waits", application: "a long report" }]);
});

test("logs which session reads a table that a migration has to change", async ({ db }) => {
  await other.query("begin; select count(*) from people");
  const line = once(said, "line");
  const done = whileLocked(db.ownerUrl, LOCK, { log: log(), lookEveryMs: 5 }, (client) =>
    client.query("alter table people add column later text"),
  );
  await line;
  await other.query("rollback");
  await done;
  expect(lines).toMatchObject([{ event: "start_waits", application: "a long report" }]);
});

test("stops waiting for the lock on shutdown", async ({ db }) => {
  await other.query("select pg_advisory_lock($1)", [LOCK]);
  const line = once(said, "line");
  const stopping = new AbortController();
  const done = whileLocked(
    db.ownerUrl,
    LOCK,
    { log: log(), signal: stopping.signal, lookEveryMs: 5 },
    async () => "done",
  );
  done.catch(() => {});
  await line;
  stopping.abort();
  await expect(done).rejects.toThrow(/terminated/i);
});
