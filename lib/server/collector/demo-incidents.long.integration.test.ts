import pino from "pino";
import { expect } from "vitest";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { NO_INCIDENTS } from "@/lib/domain/incidents/incident";
import { createManualClock } from "@/lib/server/manual-clock";
import { writeIncidents } from "@/lib/server/store/incidents/incident-records";
import { writePart } from "@/lib/server/runtime/demo-past";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { DEMO_COMPANIES, type DemoSlug } from "@/lib/v3-service/simulator/companies";
import { createWorld, type World } from "@/lib/v3-service/simulator/world";
import { createReplay } from "./replay-incidents";
import { DAY_MS } from "@/lib/domain/time/units";

const SEED = 20_260_101;

const test = databaseTest();

/** Replays a demo company's history, as its first checks do. */
async function tell(db: TestDatabase, world: World, slug: DemoSlug): Promise<void> {
  const { database } = db;
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

test.for([
  Date.parse("2026-11-22T21:00:00Z"),
  Date.parse("2027-02-28T03:17:09Z"),
  Date.parse("2027-06-01T11:41:30Z"),
])(
  "generates incidents with every ending, and some that recurred (%i)",
  async (epochMs, { db }) => {
    await db.asOwner(
      "truncate runs, landings, call_samples, verdict_changes, endpoints, incidents, incident_states, companies",
    );
    const world = createWorld({ seed: SEED, epochMs });
    const part = { fromMs: epochMs - 14 * DAY_MS, untilMs: epochMs, isOldest: true };
    for (const { slug } of DEMO_COMPANIES) {
      await writePart(db.database, world, slug, part);
      await tell(db, world, slug);
    }
    const { rows: ended } = await db.database.pool.query<{ ending: string; count: number }>(
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
    const { rows: members } = await db.database.pool.query<{ ending: string }>(
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
    const { rows: flapped } = await db.database.pool.query("select from incidents where flaps > 0");
    expect(flapped.length).toBeGreaterThan(0);
  },
);
