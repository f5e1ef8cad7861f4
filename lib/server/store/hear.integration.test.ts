import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { systemClock } from "@/lib/server/clock";
import { createHearing, tell, type Hearing } from "./hear";
import { createTestDatabase, type TestDatabase } from "./test-database";

let store: TestDatabase;
let hearing: Hearing;
let words: (string | null)[];
let lines: { event?: string; level: string }[];
beforeEach(async () => {
  store = await createTestDatabase();
  words = [];
  lines = [];
  hearing = createHearing({
    database: store.database,
    clock: systemClock,
    random: () => 0,
    log: pino(
      { formatters: { level: (level) => ({ level }) } },
      { write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[0]) },
    ),
  });
  hearing.hear("attention", (word) => void words.push(word));
  hearing.start();
  await heard([null]);
});
afterEach(async () => {
  await hearing.stop();
  await store.drop();
});

async function heard(expected: typeof words): Promise<void> {
  await expect.poll(() => words, { timeout: 20_000 }).toEqual(expected);
}

test("a word is heard once its transaction is committed, and one that is rolled back never is", async () => {
  const { orm } = store.database;
  await orm.transaction(async (tx) => {
    await tell(tx, "attention", "a name with ' and ü");
    await tell(orm, "attention", "told before");
    await heard([null, "told before"]);
  });
  await orm
    .transaction(async (tx) => {
      await tell(tx, "attention", "rolled back");
      throw new Error("on purpose");
    })
    .catch(() => {});
  await tell(orm, "snapshots", "nobody listens");
  await tell(orm, "attention", "last");
  await heard([null, "told before", "a name with ' and ü", "last"]);
  await expect(tell(orm, "attention", "ü".repeat(4_000))).rejects.toThrow("too long");
});

test("a lost connection is made again, says that words may be missing, and is told once", async () => {
  for (let losses = 1; losses <= 2; losses += 1) {
    await store.database.pool.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'plumbline hearing' and datname = current_database()",
    );
    await heard(Array.from({ length: losses + 1 }, () => null));
  }
  await tell(store.database.orm, "attention", "again");
  await heard([null, null, null, "again"]);
  expect(lines.map(({ event }) => event)).toEqual([
    "hearing_lost",
    "hearing_again",
    "hearing_lost",
    "hearing_again",
  ]);
});
