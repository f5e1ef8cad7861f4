import { expect } from "vitest";
import { openDatabase } from "@/lib/server/store/connect";
import { createLog } from "@/lib/server/log";
import { createPerson } from "@/lib/server/store/people/people";
import { freshDatabaseTest } from "@/lib/server/store/test-database";
import { takeCheck } from "./check-turns";

const NOW_MS = Date.parse("2026-03-02T12:00:00Z");

const test = freshDatabaseTest();

test("grants six checks a minute to each person, over all instances", async ({ db }) => {
  const add = (email: string) =>
    createPerson(db.database.orm, { email, name: email, grants: [], passwordHash: null });
  const [ada, ben] = [await add("ada@example.com"), await add("ben@example.com")];
  const log = createLog("silent");
  const other = await openDatabase(db.database.connectionString, { log, max: 4 });
  try {
    const take = (nowMs: number, personId = ada, index = 0) =>
      takeCheck(index % 2 === 0 ? db.database : other, { personId, nowMs, most: 6 });
    const waits = await Promise.all(
      Array.from({ length: 12 }, (_, index) => take(NOW_MS, ada, index)),
    );
    expect(waits.toSorted((a, b) => a - b)).toEqual([
      ...Array.from({ length: 6 }, () => 0),
      ...Array.from({ length: 6 }, () => 60_000),
    ]);
    expect(await take(NOW_MS, ben)).toBe(0);
    expect(await take(NOW_MS + 59_000)).toBe(1_000);
    expect(await take(NOW_MS + 60_000)).toBe(0);
    // After the clock was set back, earlier checks don't count.
    expect(await take(NOW_MS - 3_600_000)).toBe(0);
  } finally {
    await other.close();
  }
});
