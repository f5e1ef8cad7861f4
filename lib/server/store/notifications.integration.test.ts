import pino from "pino";
import { afterEach, expect } from "vitest";
import { systemClock } from "@/lib/server/clock";
import { createNotifications, notify, type Notifications } from "./notifications";
import { freshDatabaseTest } from "./test-database";

const test = freshDatabaseTest();
let notifications: Notifications;
let payloads: (string | null)[];
let lines: { event?: string; level: string }[];
test.beforeEach(async ({ db }) => {
  payloads = [];
  lines = [];
  notifications = createNotifications({
    database: db.database,
    clock: systemClock,
    random: () => 0,
    log: pino(
      { formatters: { level: (level) => ({ level }) } },
      { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[0]) },
    ),
  });
  notifications.subscribe("attention", (payload) => void payloads.push(payload));
  notifications.start();
  await received([null]);
});
afterEach(async () => {
  await notifications.stop();
});

async function received(expected: typeof payloads): Promise<void> {
  await expect.poll(() => payloads, { timeout: 20_000 }).toEqual(expected);
}

test("delivers a payload after commit, and never one that was rolled back", async ({ db }) => {
  const { orm } = db.database;
  await orm.transaction(async (tx) => {
    await notify(tx, "attention", "a name with ' and ü");
    await notify(orm, "attention", "sent before");
    await received([null, "sent before"]);
  });
  await orm
    .transaction(async (tx) => {
      await notify(tx, "attention", "rolled back");
      throw new Error("on purpose");
    })
    .catch(() => {});
  await notify(orm, "snapshots", "no listener");
  await notify(orm, "attention", "last");
  await received([null, "sent before", "a name with ' and ü", "last"]);
  await expect(notify(orm, "attention", "ü".repeat(4_000))).rejects.toThrow("too long");
});

test("reconnects after a lost connection, reports possible gaps, and logs each loss once", async ({
  db,
}) => {
  for (let losses = 1; losses <= 2; losses += 1) {
    await db.database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'plumbline notifications' and datname = current_database()",
    );
    await received(Array.from({ length: losses + 1 }, () => null));
  }
  await notify(db.database.orm, "attention", "again");
  await received([null, null, null, "again"]);
  expect(lines.map(({ event }) => event)).toEqual([
    "hearing_lost",
    "hearing_again",
    "hearing_lost",
    "hearing_again",
  ]);
});
