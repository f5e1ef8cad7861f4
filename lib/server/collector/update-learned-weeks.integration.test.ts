import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import pino from "pino";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { createManualClock } from "@/lib/server/manual-clock";
import { readLookedUntil } from "@/lib/server/store/learned-weeks/learned-weeks";
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import { updateLearnedWeeks } from "./update-learned-weeks";

const COMPANY = "main";
/** PostgreSQL's clock has to agree with ours. */
const START_MS = Date.now();
const hour = new Date(START_MS).getUTCHours();
/** Where it is noon, so that the day doesn't change within hours. */
const NOON = `Etc/GMT${hour < 12 ? "-" : "+"}${Math.abs(12 - hour)}`;

let db: TestDatabase;
beforeAll(async () => {
  db = await createTestDatabase();
});
afterAll(() => db.drop());
beforeEach(() => db.database.pool.query("delete from learned_week_progress"));

const lookedMs = () => readLookedUntil(db.database, COMPANY);

/** A leader that starts at a time, until it has looked twice. */
async function leadFrom(startMs: number): Promise<void> {
  const clock = createManualClock(startMs);
  const ending = new AbortController();
  const work = updateLearnedWeeks({
    database: db.database,
    writer: db.database,
    clock,
    log: pino({ level: "silent" }),
    companies: [
      {
        slug: COMPANY,
        recordedAsOfMs: startMs,
        state: { apiClockOffsetMs: 0 },
        apiClock: { aheadMs: startMs - clock.monotonicMs(), receivedMs: clock.monotonicMs() },
      },
    ],
    timeZoneOf: () => NOON,
    disk: { isLow: () => Promise.resolve(false) },
    signal: ending.signal,
  });
  for (const untilLookMs of [MINUTE_MS, 10 * MINUTE_MS]) {
    await clock.untilSleeping();
    await clock.advance(untilLookMs);
  }
  await clock.untilSleeping();
  ending.abort();
  await work;
}

test("looks at a company once a day, whichever process leads", async () => {
  await leadFrom(START_MS);
  expect(await lookedMs()).toBe(START_MS);
  await leadFrom(START_MS + HOUR_MS / 2);
  expect(await lookedMs()).toBe(START_MS);
});

test.each([
  ["yesterday", START_MS - DAY_MS],
  ["by a clock that was ahead", START_MS + 30 * DAY_MS],
])("looks again if the last look was %s", async (_, atMs) => {
  await leadFrom(START_MS);
  await db.database.pool.query("update learned_week_progress set looked_until = $1", [iso(atMs)]);
  await leadFrom(START_MS);
  expect(await lookedMs()).toBe(START_MS);
});
