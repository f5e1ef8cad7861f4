import pino from "pino";
import { afterAll, beforeAll, expect, test } from "vitest";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { NO_INCIDENTS } from "@/lib/domain/incidents/incident";
import { createManualClock } from "@/lib/server/manual-clock";
import { writeIncidents } from "@/lib/server/store/incidents/incident-records";
import { createOlderPast, isPastWritten, writeNewestPast } from "@/lib/server/runtime/demo-past";
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import { DEMO_COMPANIES, type DemoSlug } from "@/lib/v3-service/simulator/companies";
import { createWorld, type World } from "@/lib/v3-service/simulator/world";
import { createReplay } from "./replay-incidents";

const SEED = 20_260_101;

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

/** Writes the past of the demo companies, as the start of a demo and the background job after it do. */
async function writePast(world: World): Promise<void> {
  const clock = createManualClock(world.epochMs);
  await writeNewestPast(store.database, { clock, world });
  const log = pino({ level: "silent" });
  const disk = { isLow: () => Promise.resolve(false) };
  const older = createOlderPast(store.database, { clock, log, world, disk });
  older.start();
  for (const { slug } of DEMO_COMPANIES)
    await expect
      .poll(() => isPastWritten(store.database, slug), { timeout: 180_000, interval: 500 })
      .toBe(true);
  await older.stop();
}

/** Replays a demo company's history, as its first checks do. */
async function tell(world: World, slug: DemoSlug): Promise<void> {
  const { database } = store;
  const { epochMs } = world;
  const endpoints = world.companies.find((company) => company.slug === slug)?.endpoints ?? [];
  for (const { id, partnerName, endpointKey, frequencyMinutes } of endpoints)
    await database.pool.query(
      `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, frequency_minutes, raw, verdict,
         first_seen_at) values ($1, $2, $3, $4, $5, '{}', 'fresh', $6)`,
      [slug, id, endpointKey, partnerName, frequencyMinutes, new Date(epochMs)],
    );
  await database.orm.transaction((tx) =>
    writeIncidents(
      tx,
      slug,
      {
        state: { ...NO_INCIDENTS, observedAtMs: epochMs },
        changed: [],
        ended: [],
        events: [],
      },
      epochMs,
    ),
  );
  const company = {
    slug,
    state: { rhythmSeconds: 60 },
    incidents: { ...NO_INCIDENTS, observedAtMs: epochMs },
    isPastReplayed: false,
  };
  await createReplay({
    database,
    writer: database,
    clock: createManualClock(epochMs),
    log: pino({ level: "silent" }),
    disk: { isLow: () => Promise.resolve(false) },
    schedule: { startsInMs: () => 60_000 },
    incidents: INCIDENT_SETTINGS,
  })(company, new AbortController().signal);
  expect(company.isPastReplayed).toBe(true);
}

test.each([
  Date.parse("2026-11-22T21:00:00Z"),
  Date.parse("2027-02-28T03:17:09Z"),
  Date.parse("2027-06-01T11:41:30Z"),
])("generates incidents with every ending, and some that recurred (%i)", async (epochMs) => {
  await store.asOwner(
    "truncate runs, landings, call_samples, verdict_changes, endpoints, incidents, incident_states, companies",
  );
  const world = createWorld({ seed: SEED, epochMs });
  await writePast(world);
  for (const { slug } of DEMO_COMPANIES) await tell(world, slug);
  const { rows: ended } = await store.database.pool.query<{ ending: string; count: number }>(
    "select ending, count(*)::int from incidents group by ending order by ending",
  );
  expect(ended.map(({ ending }) => ending)).toEqual([
    "became_webhook",
    "mixed",
    "paused",
    "recovered",
    "removed",
    "schedule_changed",
  ]);
  const { rows: members } = await store.database.pool.query<{ ending: string }>(
    `select distinct member ->> 'ending' as ending from incidents, jsonb_array_elements(members) member
     order by ending`,
  );
  expect(members.map(({ ending }) => ending)).toEqual([
    "became_webhook",
    "data_received",
    "paused",
    "removed",
    "run_completed",
    "schedule_changed",
  ]);
  const { rows: flapped } = await store.database.pool.query(
    "select from incidents where flaps > 0",
  );
  expect(flapped.length).toBeGreaterThan(0);
});
