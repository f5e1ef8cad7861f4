import { expect, test } from "vitest";
import { createLog } from "@/lib/server/log";
import { createManualClock } from "@/lib/server/manual-clock";
import type { Database } from "./database";
import { BELIEVED_AFTER_MS, createDatabaseTime, TOLERATED_MS } from "./database-time";
import { DAY_MS } from "@/lib/domain/time/units";

const STARTED_MS = Date.UTC(2026, 9, 1);

function setUp() {
  const clock = createManualClock(STARTED_MS);
  const lines: { event: string; level: string }[] = [];
  const log = createLog("info", {
    write: (line) => void lines.push(JSON.parse(line) as (typeof lines)[number]),
  });
  // Readings are passed in directly, so the database is never queried.
  const time = createDatabaseTime({ database: {} as Database, clock, log });
  return { clock, time, events: () => lines.map(({ event }) => event) };
}

test("follows elapsed time and small clock corrections", async () => {
  const { clock, time } = setUp();
  expect(time.observe(STARTED_MS)).toEqual({ ms: STARTED_MS, judgedMs: STARTED_MS });
  await clock.advance(3 * DAY_MS);
  const laterMs = STARTED_MS + 3 * DAY_MS + TOLERATED_MS;
  // PostgreSQL returns `bigint` as a string.
  expect(time.observe(String(laterMs))).toEqual({ ms: laterMs, judgedMs: laterMs });
});

test("ignores a jump forward until it has lasted a day", async () => {
  const { clock, time, events } = setUp();
  time.observe(STARTED_MS);
  await clock.advance(60_000);
  clock.jump(DAY_MS);
  const judged = () => time.observe(clock.nowMs()).judgedMs - STARTED_MS;
  expect(judged()).toBe(60_000);
  await clock.advance(BELIEVED_AFTER_MS - 1);
  expect(judged()).toBe(60_000 + BELIEVED_AFTER_MS - 1);
  expect(events()).toEqual(["clock_jumped"]);
  await clock.advance(1);
  expect(judged()).toBe(60_000 + BELIEVED_AFTER_MS + DAY_MS);
});

test("forgets a reverted jump and starts a full day again for the next one", async () => {
  const { clock, time, events } = setUp();
  time.observe(STARTED_MS);
  const judged = () => time.observe(clock.nowMs()).judgedMs - STARTED_MS;
  clock.jump(DAY_MS);
  expect(judged()).toBe(0);
  await clock.advance(BELIEVED_AFTER_MS - 1);
  clock.jump(-DAY_MS);
  expect(judged()).toBe(BELIEVED_AFTER_MS - 1);
  clock.jump(DAY_MS);
  await clock.advance(1);
  expect(judged()).toBe(BELIEVED_AFTER_MS);
  expect(events()).toEqual(["clock_jumped", "clock_jumped"]);
});

test("answers from memory for a minute, whatever the database clock does", async () => {
  const { clock, time } = setUp();
  // There is no database, so reading fails.
  await expect(time.now()).rejects.toThrow("execute");
  time.observe(STARTED_MS);
  await clock.advance(59_000);
  clock.jump(DAY_MS);
  const inAMinute = { ms: STARTED_MS + 59_000, judgedMs: STARTED_MS + 59_000 };
  expect(await time.now()).toEqual(inAMinute);
  await clock.advance(1_001);
  await expect(time.now()).rejects.toThrow("execute");
});

test("accepts a jump backward at once", () => {
  const { clock, time } = setUp();
  time.observe(STARTED_MS);
  clock.jump(-DAY_MS);
  expect(time.observe(clock.nowMs()).judgedMs).toBe(STARTED_MS - DAY_MS);
});

test("logs once when clocks differ by more than minutes, and once when they agree again", () => {
  const { clock, time, events } = setUp();
  time.observe(STARTED_MS + TOLERATED_MS);
  expect(time.differs()).toBe(false);
  clock.jump(DAY_MS);
  for (let i = 0; i < 3; i++) time.observe(STARTED_MS);
  expect(time.differs()).toBe(true);
  clock.jump(-DAY_MS);
  time.observe(STARTED_MS);
  expect(time.differs()).toBe(false);
  expect(events()).toEqual(["clock_differs", "clock_agrees"]);
});
