import { expect } from "vitest";
import pino from "pino";
import { rollUpReports } from "@/lib/server/collector/roll-up-reports";
import { createManualClock, eventually } from "@/lib/server/manual-clock";
import { getApiCalls, getApiCallsCsv } from "@/lib/server/operations/history/get-api-calls";
import type { Database } from "@/lib/server/store/database";
import { readRolledUpCallsEnd } from "@/lib/server/store/history/rolled-up-calls";
import { deleteExpired } from "@/lib/server/store/sync/retention";
import { freshDatabaseTest } from "@/lib/server/store/test-database";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { rollUpNextCalls } from "./roll-up-calls";

const NOW_MS = Date.parse("2026-03-10T09:20:00Z");
const BEGIN_MS = Date.parse("2026-03-02T03:10:00Z");
const ENDPOINTS = 60;

const test = freshDatabaseTest();

/**
 * Readings every 15 minutes, decimal ones too. One endpoint is added later, one has none for a day, and for two hours
 * nothing is checked. Ids are arbitrary text.
 */
async function record({ pool }: Database, company: string): Promise<void> {
  await pool.query(
    `insert into company_state (company, version, as_of, last_attempt_at, rhythm_seconds, next_refresh_at,
       api_clock_offset_ms, total_pages, budget)
     values ($1, 1, $2, $2, 60, $2, 0, 1, '{"used":0,"limit":60}')`,
    [company, iso(NOW_MS)],
  );
  await pool.query(
    `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, frequency_minutes, raw, verdict, first_seen_at)
     select $1, 'e,"' || n || ';{}\\', 'key ' || n, 'Partner ' || n % 4, 15, '{"id":"e","attributes":{}}', 'fresh',
       case n when 7 then $3::timestamptz else $2 end
     from generate_series(0, $4::int - 1) as n`,
    [company, iso(BEGIN_MS), iso(BEGIN_MS + 3 * DAY_MS), ENDPOINTS],
  );
  await pool.query(
    `insert into call_samples (company, endpoint_id, sampled_at, value, origin)
     select $1, 'e,"' || n || ';{}\\', at, n + extract(epoch from at)::bigint / 900 % 97 / 4.0, 'observed'
     from generate_series($2::timestamptz, $3, interval '15 min') as at
     cross join generate_series(0, $4::int - 1) as n
     where (n <> 7 or at >= $2::timestamptz + interval '3 days')
       and (n <> 8 or at < $2::timestamptz + interval '5 days' or at >= $2::timestamptz + interval '6 days')
       and (at <= $5 or at >= $6)`,
    [
      company,
      iso(BEGIN_MS),
      iso(NOW_MS - MINUTE_MS),
      ENDPOINTS,
      iso(BEGIN_MS + 4 * DAY_MS),
      iso(BEGIN_MS + 4 * DAY_MS + 2 * HOUR_MS),
    ],
  );
  await pool.query(
    `insert into gaps (company, from_at, until_at, reason) values ($1, $2, $3, 'stopped')`,
    [company, iso(BEGIN_MS + 4 * DAY_MS), iso(BEGIN_MS + 4 * DAY_MS + 2 * HOUR_MS)],
  );
}

async function rollUp(database: Database, company: string, agreedMs = NOW_MS): Promise<number> {
  let times = 0;
  while (await rollUpNextCalls({ database, writer: database }, company, agreedMs)) times += 1;
  return times;
}

/** What the page and its CSV say, read again each time. */
async function pages(database: Database, company: string, ranges: readonly string[]) {
  const runtime = {
    database: Object.create(database) as Database,
    clock: createManualClock(NOW_MS),
    snapshots: { get: () => null, ageMs: () => 0 },
    connections: [],
  };
  return Promise.all(
    ranges.map(async (range) => {
      const query = new URLSearchParams({ range });
      const file = await getApiCallsCsv(runtime, { company, query });
      let csv = "";
      for await (const piece of file.pieces) csv += piece;
      return { view: await getApiCalls(runtime, { company, query }), csv };
    }),
  );
}

test("shows the same of rolled-up hours, without their samples", async ({ db: { database } }) => {
  await record(database, "main");
  const ranges = ["24h", "7d", "30d", "90d"];
  const before = await pages(database, "main", ranges);
  expect(
    before[1]?.view.series[0]?.points.filter(([, sum]) => sum !== null).length,
  ).toBeGreaterThan(100);
  // From 00:00 on the first day, to 06:00 today.
  expect(await rollUp(database, "main")).toBe(8 * 4 + 1);
  expect(await readRolledUpCallsEnd(database, "main")).toBe(Date.parse("2026-03-10T06:00:00Z"));
  expect(await pages(database, "main", ranges)).toEqual(before);

  const longer = ranges.slice(2);
  await database.pool.query(
    `delete from call_samples where sampled_at > $1 and sampled_at < '2026-03-10T05:00Z'
       and date_trunc('hour', sampled_at) <> $2`,
    // The first sample says since when there are any, and the one a day ago isn't at a full hour.
    [iso(BEGIN_MS), "2026-03-09T09:00Z"],
  );
  expect((await pages(database, "main", longer)).map(({ csv }) => csv)).toEqual(
    before.slice(2).map(({ csv }) => csv),
  );
});

test("rolls up hours once no sample can be added to them", async ({ db: { database } }) => {
  await record(database, "main");
  const { pool } = database;
  const lookedAt = (at: string) =>
    pool.query("update company_state set as_of = $1 where company = 'main'", [at]);
  const end = async () => {
    const endMs = await readRolledUpCallsEnd(database, "main");
    return endMs === null ? null : iso(endMs);
  };
  expect(await rollUp(database, "none")).toBe(0);
  await lookedAt("2026-03-02T05:59:59Z");
  expect(await rollUp(database, "main")).toBe(0);
  expect(await end()).toBeNull();
  await lookedAt("2026-03-02T18:00:00Z");
  expect(await rollUp(database, "main", Date.parse("2026-03-02T12:30:00Z"))).toBe(2);
  expect(await end()).toBe("2026-03-02T12:00:00.000Z");
  expect(await rollUp(database, "main")).toBe(1);
  expect(await rollUp(database, "main")).toBe(0);
});

test("continues after hours without samples, and deletes what is too old", async ({
  db: { database },
}) => {
  await record(database, "main");
  await database.pool.query("delete from call_samples where sampled_at > $1", [
    iso(BEGIN_MS + DAY_MS),
  ]);
  expect(await rollUp(database, "main")).toBe(8 * 4 + 1);
  const { rows } = await database.pool.query<{ n: number }>(
    "select cardinality(endpoint_ids) as n from rolled_up_calls order by from_at",
  );
  expect([rows[0]?.n, rows.at(-1)?.n]).toEqual([ENDPOINTS - 1, 0]);
  const cutoffMs = Date.parse("2026-03-04T00:00:00Z");
  while ((await deleteExpired(database, "main", cutoffMs, 2_000)) > 0);
  const { rows: left } = await database.pool.query<{ at: Date }>(
    "select min(from_at) as at from rolled_up_calls",
  );
  expect(left[0]?.at.toISOString()).toBe("2026-03-04T00:00:00.000Z");
});

test("is done by the leader, a week of each company at once", async ({ db: { database } }) => {
  const { pool } = database;
  // PostgreSQL's clock has to agree.
  const clock = createManualClock(Date.now());
  const nowMs = clock.nowMs();
  await pool.query(
    `insert into company_state (company, version, as_of, last_attempt_at, rhythm_seconds, next_refresh_at,
       api_clock_offset_ms, total_pages, budget)
     values ('main', 1, $1, $1, 60, $1, 0, 1, '{"used":0,"limit":60}')`,
    [iso(nowMs)],
  );
  await pool.query(
    `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at)
     values ('main', 'a', 'key', 'Partner', '{"id":"a","attributes":{}}', 'fresh', $1)`,
    [iso(nowMs - 10 * DAY_MS)],
  );
  await pool.query(
    `insert into call_samples (company, endpoint_id, sampled_at, value, origin)
     select 'main', 'a', at, 5, 'observed' from generate_series($1::timestamptz, $2, interval '15 min') as at`,
    [iso(nowMs - 10 * DAY_MS), iso(nowMs)],
  );
  const stopping = new AbortController();
  const running = rollUpReports({
    database,
    writer: database,
    clock,
    log: pino({ level: "silent" }),
    companies: [
      {
        host: "https://api.example",
        apiClock: { aheadMs: nowMs - clock.monotonicMs(), receivedMs: clock.monotonicMs() },
      },
    ],
    timeZoneOf: () => "UTC",
    disk: { isLow: async () => false },
    signal: stopping.signal,
  });
  const rows = async () => {
    const { rows: found } = await pool.query("select from rolled_up_calls");
    return found.length;
  };
  await clock.untilSleeping();
  await clock.advance(20_000);
  const isResting = () => clock.sleeping().some((ms) => ms > 60_000);
  await eventually(clock, isResting, 20);
  expect(await rows()).toBe(28);
  await clock.advance(10 * MINUTE_MS);
  await eventually(clock, async () => isResting() && (await rows()) > 28, 20);
  expect(await rows()).toBeGreaterThanOrEqual(39);
  stopping.abort();
  await running;
});
