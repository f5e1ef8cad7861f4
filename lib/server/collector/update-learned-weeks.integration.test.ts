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

const lookedMs = (company = COMPANY) => readLookedUntil(db.database, company);

/**
 * A leader that starts at a time, until it has looked twice.
 * @param aheadMs how far each company's API is ahead of our clock
 */
async function leadFrom(
  startMs: number,
  aheadMs: Readonly<Record<string, number>> = { [COMPANY]: 0 },
): Promise<void> {
  const clock = createManualClock(startMs);
  const ending = new AbortController();
  const receivedMs = clock.monotonicMs();
  const work = updateLearnedWeeks({
    database: db.database,
    writer: db.database,
    clock,
    log: pino({ level: "silent" }),
    companies: Object.entries(aheadMs).map(([slug, ms]) => ({
      slug,
      host: `https://${slug}.example`,
      recordedAsOfMs: startMs,
      state: { apiClockOffsetMs: ms },
      apiClock: { aheadMs: startMs + ms - receivedMs, receivedMs },
    })),
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

test("doesn't look where the API's clock is wrong, and looks at the others", async () => {
  await leadFrom(START_MS, { wrong: 3 * DAY_MS, [COMPANY]: 0, behind: -2 * HOUR_MS });
  expect(await lookedMs()).toBe(START_MS);
  expect(await lookedMs("wrong")).toBeNull();
  expect(await lookedMs("behind")).toBeNull();
});
