import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { DAY_MS } from "@/lib/domain/time/units";
import { systemClock } from "@/lib/server/clock";
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import { DEMO_COMPANIES } from "@/lib/v3-service/simulator/companies";
import { createWorld } from "@/lib/v3-service/simulator/world";
import { createOlderPast, isPastWritten, writeNewestPast } from "./demo-past";

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

const world = createWorld({ seed: 20_260_101, epochMs: Date.UTC(2026, 10, 22, 21) });
const older = () =>
  createOlderPast(store.database, {
    clock: systemClock,
    log: pino({ level: "silent" }),
    world,
    disk: { isLow: () => Promise.resolve(false) },
  });

const recorded = async () => {
  const { rows } = await store.database.pool.query<{
    company: string;
    from: Date;
    changes: number;
  }>(
    `select company, min(changed_at) as from, count(*)::int as changes from verdict_changes
     group by company order by company`,
  );
  return rows.map(({ company, from, changes }) => ({ company, from: from.getTime(), changes }));
};
const isComplete = async () =>
  (await Promise.all(DEMO_COMPANIES.map(({ slug }) => isPastWritten(store.database, slug)))).every(
    Boolean,
  );

test("writes the newest days first, and the older ones behind, wherever it was stopped", async () => {
  await writeNewestPast(store.database, { clock: { nowMs: () => world.epochMs }, world });
  const first = await recorded();
  expect(first.map(({ company }) => company)).toEqual(["harbour", "northgate", "orchard"]);
  for (const { from } of first) expect(world.epochMs - from).toBeLessThanOrEqual(15.1 * DAY_MS);
  expect(await isComplete()).toBe(false);

  const interrupted = older();
  interrupted.start();
  await expect
    .poll(async () => Math.min(...(await recorded()).map(({ from }) => from)), { timeout: 60_000 })
    .toBeLessThan(world.epochMs - 20 * DAY_MS);
  await interrupted.stop();
  expect(await isComplete()).toBe(false);

  const resumed = older();
  resumed.start();
  await expect.poll(isComplete, { timeout: 300_000, interval: 1000 }).toBe(true);
  await resumed.stop();
  const all = await recorded();
  for (const { from } of all) expect(from).toBe(world.pastFromMs);

  // Each change continues from the one before it, also where two parts meet.
  const { rows: breaks } = await store.database.pool.query(
    `select from (
       select verdict, previous, lag(verdict) over wide as before, lag(changed_at) over wide as at
       from verdict_changes window wide as (partition by company, endpoint_id order by changed_at)
     ) change
     where at is not null and previous is distinct from before`,
  );
  expect(breaks).toHaveLength(0);
  expect(await recorded()).toEqual(all);
}, 400_000);
