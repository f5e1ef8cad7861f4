import pino from "pino";
import { afterEach, beforeEach, describe, expect } from "vitest";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import type { Writer } from "@/lib/server/store/database";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { readCallsAt } from "@/lib/server/store/history/recorded-calls";
import { measureRecord } from "@/lib/server/store/sync/retention";
import type { ClockSource } from "./clock-agreement";
import { enforceRetention } from "./enforce-retention";
import { thinSamples } from "./calls/thin-samples";
import { MINUTE_MS, HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

const RETENTION_DAYS = 90;

const test = freshDatabaseTest();
let clock: ManualClock;
let lines: { event?: string; rows?: number }[];
let stopping: AbortController;
let running: Promise<void>;
beforeEach(async () => {
  // PostgreSQL uses the machine's clock.
  clock = createManualClock(Date.now());
  lines = [];
  stopping = new AbortController();
});
afterEach(async () => {
  stopping.abort();
  await running;
});

/** One landing per hour: `fresh` within the retention period, and `old` beyond it. */
async function record(
  db: TestDatabase,
  company: string,
  { fresh, old }: { fresh: number; old: number },
) {
  const { pool } = db.database;
  await pool.query(
    `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at)
     values ($1, 'e', 'rfis', 'Procore', '{}', 'fresh', now())`,
    [company],
  );
  await pool.query(
    `insert into landings (company, endpoint_id, landed_at, origin)
     select $1, 'e', now() - make_interval(hours => at), 'observed' from generate_series(1, $2::int) at
     union all
     select $1, 'e', now() - make_interval(days => 91, hours => at), 'observed' from generate_series(1, $3::int) at`,
    [company, fresh, old],
  );
}

async function left(db: TestDatabase, company: string): Promise<number> {
  const { rows } = await db.database.pool.query(
    "select count(*)::int as count from landings where company = $1",
    [company],
  );
  return rows[0].count;
}

/** @param aheadMs how far the API clock is ahead of the machine's; null: it never responded */
function sourceAt(host: string, aheadMs: number | null): ClockSource {
  if (aheadMs === null) return { host, apiClock: null };
  return { host, apiClock: { aheadMs: Date.now() + aheadMs - clock.monotonicMs(), receivedMs: 0 } };
}

/**
 * @param apiAheadMs see `sourceAt`
 * @param given.others the same of other hosts
 */
function start(
  db: TestDatabase,
  apiAheadMs: number | null,
  {
    writer = db.database,
    others = [],
    isLow = async () => false,
  }: { writer?: Writer; others?: readonly number[]; isLow?: () => Promise<boolean> } = {},
) {
  const company = sourceAt("https://api.example", apiAheadMs);
  const more = others.map((aheadMs, at) => sourceAt(`https://other-${at}.example`, aheadMs));
  running = enforceRetention({
    database: db.database,
    writer,
    clock,
    log: pino({ level: "info" }, { write: (line) => void lines.push(JSON.parse(line)) }),
    companies: [company, ...more],
    retentionDays: RETENTION_DAYS,
    disk: { isLow },
    signal: stopping.signal,
  });
  return company;
}

/** Runs one clean-up to its end. */
async function cleanUp(): Promise<void> {
  await clock.untilSleeping();
  const asleepMs = clock.sleeping()[0] ?? 0;
  await clock.advance(asleepMs);
  // Batches pause between each other; the next clean-up is an hour away.
  for (;;) {
    await clock.untilSleeping();
    const nextMs = clock.sleeping()[0] ?? 0;
    if (nextMs > MINUTE_MS) return;
    await clock.advance(nextMs);
  }
}

const events = () => lines.map(({ event }) => event);

test("deletes and logs what is older than the retention period", async ({ db }) => {
  await record(db, "main", { fresh: 200, old: 10 });
  start(db, 0);
  await cleanUp();
  expect(await left(db, "main")).toBe(200);
  expect(lines).toMatchObject([{ event: "history_dropped", company: "main", rows: 10, of: 210 }]);
});

test("treats a company that is no longer configured the same", async ({ db }) => {
  await record(db, "left-long-ago", { fresh: 200, old: 10 });
  start(db, 0);
  await cleanUp();
  expect(await left(db, "left-long-ago")).toBe(200);
});

test("deletes other companies' history when one's can't be deleted", async ({ db }) => {
  await record(db, "a-broken", { fresh: 200, old: 10 });
  await record(db, "main", { fresh: 200, old: 10 });
  await db.asOwner(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'index is corrupt'; end $$;
    create trigger refuse before delete on landings for each row when (old.company = 'a-broken') execute function refuse()`);
  start(db, 0);
  await cleanUp();
  expect(await left(db, "a-broken")).toBe(210);
  expect(await left(db, "main")).toBe(200);
  expect(lines).toMatchObject([
    { company: "a-broken", msg: "old history could not be dropped; retrying in an hour" },
    { event: "history_dropped", company: "main", rows: 10 },
  ]);
});

/** Deletions of two files each, displays and pairing codes: `fresh`, `old` and some still open. */
async function recordFinished(db: TestDatabase, { fresh, old }: { fresh: number; old: number }) {
  const { pool } = db.database;
  await pool.query(
    `with made as (
       insert into deletions (company, person_id, person_name, person_email, idempotency_key, body_hash,
         request_id, state, requested_at, undo_until, finished_at)
       select 'main', gen_random_uuid(), 'Bo', 'bo@example.com', gen_random_uuid(), 'h', 'r', state, at, at, finished
       from (
         select 'done', now(), now() from generate_series(1, $1::int)
         union all select 'expired', now() - interval '91 days', now() - interval '91 days' from generate_series(1, $2::int)
         union all select 'running', now() - interval '200 days', null
         union all select 'done', now() - interval '199 days', now() - interval '199 days'
       ) given (state, at, finished)
       returning company, id, requested_at
     )
     insert into deletion_items (company, deletion_id, position, file_id, confirmed, outcome)
     select company, id, position, position, '{}',
       case when requested_at < now() - interval '198 days' and requested_at > now() - interval '199.5 days'
         then 'unknown' else 'deleted' end
     from made, generate_series(0, 1) position`,
    [fresh, old],
  );
  await pool.query(
    `insert into displays (settings, created_at, created_by_id, created_by_name, rotated_at, is_secret_used, revoked_at, expires_at)
     select '{}', at, gen_random_uuid(), 'Ana', at, true, revoked, expires
     from (
       select now(), now() - interval '1 day', null::timestamptz from generate_series(1, $1::int)
       union all select now() - interval '1 year', now() - interval '91 days', null from generate_series(1, $2::int)
       union all select now() - interval '1 year', null, now() - interval '91 days'
       union all select now() - interval '1 year', null, null
     ) given (at, revoked, expires)`,
    [fresh, old],
  );
  await pool.query(
    `insert into pairings (code_hash, secret_hash, created_at, expires_at)
     select 'code' || at, 'secret' || at, now(), now() - make_interval(days => case when at <= $1 then 1 else 91 end)
     from generate_series(1, $1::int + $2::int) at`,
    [fresh, old],
  );
}

async function counts(db: TestDatabase) {
  const { rows } = await db.database.pool.query(
    `select (select count(*)::int from deletions) as deletions,
       (select count(*)::int from deletion_items) as items,
       (select count(*)::int from displays) as displays,
       (select count(*)::int from pairings) as pairings`,
  );
  return rows[0];
}

test("deletes long-finished deletions, displays and codes, and keeps open ones", async ({ db }) => {
  await recordFinished(db, { fresh: 98, old: 5 });
  start(db, 0);
  await cleanUp();
  // One is running, one has an unknown outcome, and one display doesn't expire.
  expect(await counts(db)).toEqual({ deletions: 100, items: 200, displays: 99, pairings: 98 });
  expect(lines).toMatchObject([
    { event: "history_dropped", what: "deletions", rows: 5, of: 105 },
    { event: "history_dropped", what: "displays", rows: 6, of: 105 },
    { event: "history_dropped", what: "pairings", rows: 5, of: 103 },
  ]);
});

test("deletes at most a tenth of these per day, and none while a clock is wrong", async ({
  db,
}) => {
  await recordFinished(db, { fresh: 0, old: 98 });
  const before = await counts(db);
  const company = start(db, -120 * DAY_MS);
  await cleanUp();
  expect(await counts(db)).toEqual(before);
  company.apiClock = { aheadMs: Date.now() - clock.monotonicMs(), receivedMs: clock.monotonicMs() };
  clock.jump(Date.now() - clock.nowMs());
  await cleanUp();
  expect(await counts(db)).toEqual({ deletions: 90, items: 180, displays: 90, pairings: 88 });
  expect(events()).toContain("history_kept");
});

test("counts what it deleted when the disk is found nearly full", async ({ db }) => {
  await record(db, "main", { fresh: 200, old: 10 });
  start(db, 0, { isLow: async () => (await left(db, "main")) === 200 });
  await cleanUp();
  expect(lines).toMatchObject([{ event: "history_dropped", company: "main", rows: 10, of: 210 }]);
});

test("keeps landings of feeds with a promise for 400 days, and no gap that they lie in is lost", async ({
  db,
}) => {
  const { pool } = db.database;
  for (const company of ["main", "other"]) await record(db, company, { fresh: 100, old: 5 });
  await pool.query(
    `with made as (insert into people (email, name) values ('a@example.com', 'A') returning id)
     insert into deadlines (company, rule, made_by_id, made_by_name, made_at)
     select 'main', '{}', id, 'A', now() from made`,
  );
  await pool.query(
    "insert into deadline_folds (company, closed_until, version) values ('main', now(), 1)",
  );
  await pool.query(
    `insert into landings (company, endpoint_id, landed_at, origin)
     values ('main', 'e', now() - interval '401 days', 'observed')`,
  );
  for (const company of ["main", "other"])
    await pool.query(
      `insert into gaps (company, from_at, until_at, reason)
       values ($1, now() - interval '92 days', now() - interval '91 days', 'stopped')`,
      [company],
    );
  start(db, 0);
  await cleanUp();
  expect([await left(db, "main"), await left(db, "other")]).toEqual([105, 100]);
  const { rows } = await pool.query("select company from gaps");
  expect(rows).toEqual([{ company: "main" }]);
  expect(lines.filter(({ event }) => event === "history_kept")).toEqual([]);
});

test("keeps for how long promises were at risk no longer than the rest", async ({ db }) => {
  const { pool } = db.database;
  await record(db, "main", { fresh: 1, old: 0 });
  await pool.query(
    `with made as (insert into people (email, name) values ('a@example.com', 'A') returning id),
       promise as (
         insert into deadlines (company, rule, made_by_id, made_by_name, made_at)
         select 'main', '{}', id, 'A', now() from made returning id
       )
     insert into deadline_risks (company, endpoint_id, deadline_id, date, partner_name, endpoint_key, due_at, limit_at,
       from_at, until_at)
     select 'main', 'e', id, age::text, 'P', 'e', due, due, due - interval '1 hour', due
     from promise, unnest(array[1, 100]) age, lateral (select now() - age * interval '1 day' as due) at`,
  );
  start(db, 0);
  await cleanUp();
  const { rows } = await pool.query("select date from deadline_risks");
  expect(rows).toEqual([{ date: "1" }]);
});

test("deletes what has expired of a record whose runs and landings haven't", async ({ db }) => {
  const { pool } = db.database;
  await record(db, "main", { fresh: 1, old: 0 });
  await pool.query(
    `insert into gaps (company, from_at, until_at, reason)
     select 'main', until - interval '1 hour', until, 'unreachable'
     from unnest(array[1, 100]) age, lateral (select now() - age * interval '1 day' as until) at`,
  );
  await pool.query(
    `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at, removed_at)
     values ('main', 'gone', 'rfis', 'Procore', '{}', 'fresh', now(), now() - interval '100 days')`,
  );
  start(db, 0);
  await cleanUp();
  const { rows } = await pool.query(
    `select (select count(*)::int from gaps) as gaps, array(select endpoint_id from endpoints) as endpoints,
       (select count(*)::int from landings) as landings`,
  );
  expect(rows).toEqual([{ gaps: 1, endpoints: ["e"], landings: 1 }]);
});

test("writes nothing while nothing has expired, and deletes what then does", async ({ db }) => {
  let writes = 0;
  const { orm, pool } = db.database;
  const writer: Writer = {
    orm: {
      transaction: (work, config) => {
        writes += 1;
        return orm.transaction(work, config);
      },
    },
  };
  await record(db, "main", { fresh: 50, old: 0 });
  await recordFinished(db, { fresh: 2, old: 0 });
  await pool.query("delete from displays where expires_at < now() or revoked_at < now()");
  const company = start(db, 0, { writer });
  await cleanUp();
  expect(writes).toBe(0);
  company.apiClock = { aheadMs: Date.now() - clock.monotonicMs(), receivedMs: clock.monotonicMs() };
  clock.jump(Date.now() - clock.nowMs());
  await pool.query(
    "update landings set landed_at = now() - interval '91 days' where landed_at = (select min(landed_at) from landings)",
  );
  await cleanUp();
  expect(await left(db, "main")).toBe(49);
  expect(writes).toBeGreaterThan(0);
});

describe("deletes nothing while a clock is wrong by months", () => {
  test.beforeEach(({ db }) => record(db, "main", { fresh: 200, old: 0 }));
  const WRONG_MS = 120 * DAY_MS;

  test("waits when only the API clock disagrees", async ({ db }) => {
    start(db, WRONG_MS);
    await cleanUp();
    expect(await left(db, "main")).toBe(200);
    expect(events()).toEqual(["clocks_disagree"]);
    await cleanUp();
    expect(events()).toEqual(["clocks_disagree"]);
  });

  test("waits when our clock and the API's disagree with PostgreSQL's", async ({ db }) => {
    clock.jump(WRONG_MS);
    start(db, WRONG_MS);
    await cleanUp();
    expect(await left(db, "main")).toBe(200);
    expect(events()).toEqual(["clocks_disagree"]);
  });

  test("waits when our clock is wrong and the API is unavailable", async ({ db }) => {
    clock.jump(WRONG_MS);
    start(db, null);
    await cleanUp();
    expect(await left(db, "main")).toBe(200);
  });

  test("ignores an API response from hours ago", async ({ db }) => {
    await record(db, "other", { fresh: 200, old: 10 });
    start(db, 0);
    await cleanUp();
    expect(await left(db, "other")).toBe(200);
    await db.database.pool.query(
      "update landings set landed_at = landed_at - interval '100 days' where company = 'other' and landed_at < now() - interval '190 hours'",
    );
    await cleanUp();
    await cleanUp();
    expect(await left(db, "other")).toBe(200);
  });
});

describe("with an API whose clock is wrong, and another whose clock isn't", () => {
  const WRONG_MS = 120 * DAY_MS;

  test.for([
    ["behind", -WRONG_MS, 210],
    ["ahead", WRONG_MS, 200],
  ] as const)(
    "judges a record by the clock that dates it, if that is %s",
    async ([, aheadMs, rows], { db }) => {
      await record(db, "main", { fresh: 200, old: 10 });
      await db.database.pool.query(
        `insert into company_state (company, version, as_of, last_attempt_at, rhythm_seconds, next_refresh_at,
         api_clock_offset_ms, total_pages, budget)
       values ('main', 1, now(), now(), 60, now(), $1, 1, '{}')`,
        [aheadMs],
      );
      start(db, aheadMs, { others: [0] });
      await cleanUp();
      expect(await left(db, "main")).toBe(rows);
    },
  );
});

test("deletes only a tenth per day when all clocks are equally wrong", async ({ db }) => {
  await record(db, "main", { fresh: 100, old: 100 });
  const company = start(db, 0);
  const hear = () => {
    company.apiClock = {
      aheadMs: clock.nowMs() - clock.monotonicMs(),
      receivedMs: clock.monotonicMs(),
    };
  };
  await cleanUp();
  expect(await left(db, "main")).toBe(180);
  expect(events()).toEqual(["history_dropped", "history_kept"]);
  for (let hour = 0; hour < 23; hour += 1) {
    // PostgreSQL's clock barely advances here, so ours is set back by the simulated time.
    clock.jump(-HOUR_MS);
    hear();
    await cleanUp();
  }
  expect(await left(db, "main")).toBe(180);
  clock.jump(-HOUR_MS);
  hear();
  await cleanUp();
  expect(await left(db, "main")).toBe(162);
});

describe("call samples older than two weeks", () => {
  /** Deterministic values with ties, at irregular minutes of 20 hours that end `hoursAgo`. */
  async function recordCalls(db: TestDatabase, company: string, hoursAgo: number) {
    const { pool } = db.database;
    await record(db, company, { fresh: 1, old: 0 });
    await pool.query(
      "insert into companies (slug, name) values ($1, $1) on conflict (slug) do nothing",
      [company],
    );
    await pool.query(
      `insert into call_samples (company, endpoint_id, sampled_at, value, origin)
       select $1, 'e', date_trunc('hour', now()) - make_interval(hours => $2, mins => at), at * at % 7, 'observed'
       from generate_series(1, 20 * 60) at where at % 13 < 3`,
      [company, hoursAgo],
    );
  }

  type Sample = { atMs: number; value: number };
  async function samples(db: TestDatabase, company: string): Promise<Sample[]> {
    const { rows } = await db.database.pool.query<{ at: Date; value: number }>(
      `select sampled_at as at, value from call_samples where company = $1 order by sampled_at`,
      [company],
    );
    return rows.map(({ at, value }) => ({ atMs: at.getTime(), value }));
  }

  /** Of each hour the first, the last, and the first of the highest if it's higher than both. */
  function thinned(all: readonly Sample[]): Sample[] {
    const hourOf = ({ atMs }: Sample) => Math.floor(atMs / HOUR_MS);
    return [...new Set(all.map(hourOf))].flatMap((at) => {
      const hour = all.filter((one) => hourOf(one) === at);
      const highest = Math.max(...hour.map(({ value }) => value));
      const [first, last] = [hour[0], hour.at(-1)];
      const isEdgeHighest = first?.value === highest || last?.value === highest;
      const peak = isEdgeHighest ? undefined : hour.find(({ value }) => value === highest);
      return hour.filter((one) => one === first || one === last || one === peak);
    });
  }

  test("are reduced to each hour's first, highest and last", async ({ db }) => {
    await recordCalls(db, "main", 15 * 24);
    await recordCalls(db, "other", 16 * 24);
    const before = await samples(db, "main");
    start(db, 0);
    await cleanUp();
    const expected = thinned(before);
    expect(expected.length).toBeLessThan(before.length / 3);
    expect(await samples(db, "main")).toEqual(expected);
    expect(await samples(db, "other")).toHaveLength(expected.length);
  });

  test("are thinned by at most a day at once, from where it ended the last time", async ({
    db,
  }) => {
    await recordCalls(db, "main", 15 * 24);
    const { pool } = db.database;
    await pool.query("update call_samples set sampled_at = sampled_at - interval '2 days'");
    await pool.query(
      `insert into call_samples select company, endpoint_id, sampled_at + interval '2 days', value, origin
       from call_samples`,
    );
    const before = await samples(db, "main");
    const thin = () =>
      thinSamples(
        {
          database: db.database,
          writer: db.database,
          clock: { sleep: async () => {} },
          disk: { isLow: async () => false },
          signal: stopping.signal,
        },
        "main",
        clock.nowMs() - 14 * DAY_MS,
      );
    running = Promise.resolve();
    await thin();
    const half = before.length / 2;
    expect(await samples(db, "main")).toEqual([
      ...thinned(before.slice(0, half)),
      ...before.slice(half),
    ]);
    await thin();
    await thin();
    expect(await samples(db, "main")).toEqual(thinned(before));
  });

  test("are all kept until then", async ({ db }) => {
    await recordCalls(db, "main", 14 * 24 - 10);
    const untilMs = (Math.floor(Date.now() / HOUR_MS) - 14 * 24) * HOUR_MS;
    // The next hour may begin before the clean-up: nothing is recorded in the hour that it would thin then.
    await db.database.pool.query(
      "delete from call_samples where sampled_at >= $1 and sampled_at < $2",
      [new Date(untilMs), new Date(untilMs + HOUR_MS)],
    );
    const before = await samples(db, "main");
    start(db, 0);
    await cleanUp();
    const old = before.filter(({ atMs }) => atMs < untilMs);
    expect(old.length).toBeGreaterThan(0);
    expect(old.length).toBeLessThan(before.length);
    expect(await samples(db, "main")).toEqual([...thinned(old), ...before.slice(old.length)]);
  });

  test("read the same at full hours as before", async ({ db }) => {
    await recordCalls(db, "main", 15 * 24);
    const [firstMs = 0] = (await samples(db, "main")).map(({ atMs }) => atMs);
    const instantsMs = Array.from(
      { length: 22 },
      (_, at) => (Math.floor(firstMs / HOUR_MS) + at) * HOUR_MS,
    );
    const read = () => readCallsAt(db.database, "main", ["e"], instantsMs, MINUTE_MS);
    const before = await read();
    start(db, 0);
    await cleanUp();
    expect(await read()).toEqual(before);
    expect(before.get("e")?.filter((value) => value !== null)).toHaveLength(20);
  });

  test("stay as they are while a clock is wrong by months", async ({ db }) => {
    await recordCalls(db, "main", 15 * 24);
    const before = await samples(db, "main");
    start(db, 120 * DAY_MS);
    await cleanUp();
    expect(await samples(db, "main")).toEqual(before);
  });
});

test("estimates the size of a large company's record by some of its endpoints", async ({ db }) => {
  const { pool } = db.database;
  await pool.query(
    `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at)
     select 'main', 'e' || n, 'rfis', 'Procore', '{}', 'fresh', now() from generate_series(1, 90) n`,
  );
  await pool.query(
    `insert into landings (company, endpoint_id, landed_at, origin)
     select 'main', 'e' || n, now() - make_interval(days => day), 'observed'
     from generate_series(1, 90) n, generate_series(1, 10) day`,
  );
  const cutoffMs = Date.now() - 7.5 * DAY_MS;
  const all = await measureRecord(db.database, "main", cutoffMs);
  expect(all).toMatchObject({ rows: 900, expired: 270 });
  expect(all.isEstimate).toBe(false);
  const estimated = await measureRecord(db.database, "main", cutoffMs, 25);
  expect(estimated).toEqual({ ...all, isEstimate: true });
});

describe("a company of more endpoints than are counted", () => {
  /**
   * Rows of every second of 100 endpoints, which are the ones that are counted, and of the others.
   * @param days ages of the hourly rows of each endpoint, from and until
   */
  async function recordHalves(
    db: TestDatabase,
    counted: readonly [number, number],
    others: readonly [number, number],
  ) {
    const { pool } = db.database;
    await pool.query(
      `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at)
       select 'main', lpad(n::text, 3, '0'), 'rfis', 'Procore', '{}', 'fresh', now() from generate_series(0, 99) n`,
    );
    for (const [half, [from, until]] of [counted, others].entries())
      await pool.query(
        `insert into landings (company, endpoint_id, landed_at, origin)
         select 'main', lpad(n::text, 3, '0'), now() - make_interval(hours => hour), 'observed'
         from generate_series($1::int, 99, 2) n, generate_series($2::int * 24 + 1, $3::int * 24) hour`,
        [half, from, until],
      );
  }

  test("loses at most a tenth of its record a day, also if more is expired than estimated", async ({
    db,
  }) => {
    await recordHalves(db, [0, 2], [91, 93]);
    start(db, 0);
    await cleanUp();
    // 4,800 rows, half of them expired, of which the estimate counts none.
    expect(await left(db, "main")).toBe(4_800 - 240);
    expect(lines).toMatchObject([
      { event: "history_dropped", rows: 240, of: 4_800 },
      { event: "history_kept", rows: null, of: 4_800 },
    ]);
    await cleanUp();
    expect(await left(db, "main")).toBe(4_800 - 240);
  });

  test("loses all that is expired if that is little, and what follows it", async ({ db }) => {
    await recordHalves(db, [0, 2], [0, 2]);
    const { pool } = db.database;
    await pool.query(
      `insert into landings (company, endpoint_id, landed_at, origin)
       select 'main', '001', now() - make_interval(days => 91, hours => hour), 'observed'
       from generate_series(1, 24) hour`,
    );
    await pool.query(
      `insert into gaps (company, from_at, until_at, reason)
       values ('main', now() - interval '92 days', now() - interval '91 days', 'stopped')`,
    );
    start(db, 0);
    await cleanUp();
    expect(await left(db, "main")).toBe(4_800);
    const { rows } = await pool.query("select from gaps");
    expect(rows).toHaveLength(0);
    expect(events()).toEqual(["history_dropped"]);
  });

  test("is counted when little is left of it, so that all of it goes", async ({ db }) => {
    await recordHalves(db, [0, 0], [0, 0]);
    const { pool } = db.database;
    await pool.query("update endpoints set removed_at = now() - interval '91 days'");
    start(db, 0);
    await cleanUp();
    const { rows } = await pool.query("select from endpoints");
    expect(rows).toHaveLength(0);
  });
});
