import { readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import pino from "pino";
import { ReportDaysView, ReportView } from "@/lib/contracts/report";
import type { Database } from "@/lib/server/store/database";
import { createSnapshots } from "@/lib/server/collector/snapshots";
import { createLog } from "@/lib/server/log";
import { createManualClock } from "@/lib/server/manual-clock";
import { getReport } from "@/lib/server/operations/report/get-report";
import { getReportCsv } from "@/lib/server/operations/report/get-report-csv";
import { getReportDays } from "@/lib/server/operations/report/get-report-days";
import {
  readDaySums,
  readRolledUpEnds,
  readRolledUpUntil,
} from "@/lib/server/store/report/rolled-up-days";
import { CLOSES_AFTER_MS } from "@/lib/server/store/report/report-day";
import { rowBudget } from "@/lib/server/store/most-rows";
import { deleteExpired } from "@/lib/server/store/sync/retention";
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import { rollUpReports, rollUpNextDay } from "./roll-up-reports";
import { csvLines } from "@/lib/domain/text/csv-lines";
import { HOUR_MS, DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";

const OCTOBER = Date.parse("2026-10-01T00:00:00Z");
const NOVEMBER = Date.parse("2026-11-01T00:00:00Z");

let store: TestDatabase;
beforeAll(async () => {
  store = await createTestDatabase();
});
afterAll(() => store.drop());

const iso = (ms: number) => new Date(ms).toISOString();

/** Sets the last snapshot of a company, on our clock. @param aheadMs how far its API's clock is ahead of ours */
async function looked(company: string, asOfMs: number, aheadMs = 0): Promise<void> {
  await store.database.pool.query(
    `insert into company_state (company, version, as_of, last_attempt_at, rhythm_seconds, next_refresh_at,
       api_clock_offset_ms, total_pages, budget)
     values ($1, 1, $2, $2, 60, $2, $3, 1, '{"used":0,"limit":60}')
     on conflict (company) do update set as_of = excluded.as_of`,
    [company, iso(asOfMs), aheadMs],
  );
}

async function endpoint(
  company: string,
  id: string,
  given: { partner?: string; status?: string; firstSeenMs?: number; verdict?: string } = {},
): Promise<void> {
  await store.database.pool.query(
    `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at)
     values ($1, $2, $2 || ' key', $3, $4, $5, $6)`,
    [
      company,
      id,
      given.partner ?? "Procore",
      { id, attributes: { status: given.status ?? "active" } },
      given.verdict ?? "fresh",
      iso(given.firstSeenMs ?? OCTOBER),
    ],
  );
}

async function changed(
  company: string,
  id: string,
  changes: readonly (readonly [atMs: number, verdict: string | null, previous?: string])[],
): Promise<void> {
  for (const [atMs, verdict, previous = null] of changes)
    await store.database.pool.query(`insert into verdict_changes values ($1, $2, $3, $4, $5)`, [
      company,
      id,
      iso(atMs),
      verdict,
      previous,
    ]);
}

async function ran(
  company: string,
  id: string,
  startMs: number,
  endMs: number | null,
  status: string,
) {
  await store.database.pool.query(
    `insert into runs values ($1, $2, $3, $4, $5, null, $3, 'observed')`,
    [company, id, iso(startMs), endMs === null ? null : iso(endMs), status],
  );
}

async function blind(company: string, fromMs: number, untilMs: number): Promise<void> {
  await store.database.pool.query(`insert into gaps values ($1, $2, $3, 'unreachable')`, [
    company,
    iso(fromMs),
    iso(untilMs),
  ]);
}

/** Rolls up all days that can be. */
async function rollUp(company: string, nowMs: number, timeZone = "UTC"): Promise<number> {
  const { database } = store;
  const clock = createManualClock(nowMs);
  for (let days = 0; ; days += 1) {
    const parts = { database, writer: database, clock, timeZoneOf: () => timeZone };
    if (!(await rollUpNextDay(parts, company, nowMs))) return days;
  }
}

/** The report as returned by the API. */
async function report(
  company: string,
  month: string,
  nowMs: number,
  timeZone = "UTC",
  database: Database = store.database,
  budget = rowBudget(),
): Promise<ReportView> {
  const runtime = runtimeAt(nowMs, timeZone, database);
  return ReportView.parse(await getReport(runtime, asked(company, month), budget));
}

const asked = (company: string, month: string) => ({
  person: { grants: [] },
  company,
  query: new URLSearchParams({ month }),
});

function runtimeAt(nowMs: number, timeZone = "UTC", database: Database = store.database) {
  const clock = createManualClock(nowMs);
  return {
    database,
    clock,
    snapshots: createSnapshots({ database, clock, log: createLog("silent") }),
    config: { reportTimeZone: timeZone },
    connections: [],
  };
}

/** Deletes a company's whole record except rolled-up days. */
async function forgetRecord(company: string): Promise<void> {
  for (const table of ["runs", "landings", "verdict_changes", "call_samples", "gaps", "endpoints"])
    await store.database.pool.query(`delete from ${table} where company = $1`, [company]);
}

let count = 0;
let company = "";
beforeEach(() => {
  count += 1;
  company = `company-${count}`;
});

/** October: fresh except for the 14th, when it was rate limited, and a day with nine hours unobserved. */
async function october(): Promise<void> {
  await looked(company, NOVEMBER + 2 * HOUR_MS);
  await endpoint(company, "a");
  await changed(company, "a", [
    [OCTOBER, "fresh"],
    [OCTOBER + 13 * DAY_MS + 2 * HOUR_MS, "late", "fresh"],
    [OCTOBER + 13 * DAY_MS + 8 * HOUR_MS, "fresh", "late"],
  ]);
  await ran(company, "a", OCTOBER + 13 * DAY_MS, OCTOBER + 13 * DAY_MS + HOUR_MS, "rate_limited");
  await ran(company, "a", OCTOBER, OCTOBER + HOUR_MS, "completed");
}

describe("completed month", () => {
  test("is rolled up day by day, with its results", async () => {
    await october();
    expect(await rollUp(company, NOVEMBER + 3 * HOUR_MS)).toBe(31);
    const { partners, ...rest } = await report(company, "2026-10", NOVEMBER + 3 * HOUR_MS);
    expect(rest).toMatchObject({
      month: "2026-10",
      time_zone: "UTC",
      closed: true,
      observed: 100,
      recorded_from: "2026-10-01",
      total: { on_time: 99.2, overdue: 0.8, planned_quiet: 0, not_observed: 0 },
      apart: [],
    });
    expect(partners).toMatchObject([
      {
        partner_name: "Procore",
        on_time: 99.2,
        overdue: 0.8,
        incidents: null,
        longest_overdue_seconds: 6 * 3600,
        longest_overdue_day: "2026-10-14",
        longest_overdue_cause: "rate_limited",
        runs: { completed: 1, failed: 0, timed_out: 0, rate_limited: 1 },
        endpoints: [{ id: "a", endpoint_key: "a key", on_time: 99.2 }],
      },
    ]);
    expect(partners[0]?.days[13]).toEqual([25, 0, 0, "late"]);
    expect(partners[0]?.days).toHaveLength(31);
  });

  test("counts the closed days of promises beside the shares", async () => {
    await october();
    await endpoint(company, "hook", { partner: "Hooks", status: "webhook", verdict: "webhook" });
    await changed(company, "hook", [[OCTOBER, "webhook"]]);
    await store.database.pool.query(
      `with made as (insert into people (email, name) values ($1 || '@example.com', 'A') returning id),
       promised as (
         insert into deadlines (company, rule, made_by_id, made_by_name, made_at)
         select $1, '{}', id, 'A', now() from made returning id
       )
       insert into deadline_days (company, endpoint_id, deadline_id, date, partner_name, endpoint_key, due_at, limit_at,
         outcome, rule, closed_at)
       select $1, endpoint, id, date, partner, endpoint, now(), now(), outcome, '{}', now()
       from promised, (values
         ('Procore', 'a', '2026-10-01', 'met'), ('Procore', 'a', '2026-10-02', 'missed'),
         ('Procore', 'a', '2026-11-01', 'missed'), ('Procore', 'gone', '2026-10-31', 'excused'),
         ('Procore', 'gone', '2026-09-30', 'met'), ('Hooks', 'hook', '2026-10-02', 'missed')
       ) as given (partner, endpoint, date, outcome)`,
      [company],
    );
    const at = NOVEMBER + 3 * HOUR_MS;
    const { partners, total, apart } = await report(company, "2026-10", at);
    const own = { met: 1, missed: 1, not_observed: 0, excused: 0 };
    expect(partners).toMatchObject([
      { promises: { ...own, excused: 1 }, endpoints: [{ id: "a", promises: own }] },
    ]);
    // Without a schedule there are no shares, but the promise was kept or missed.
    expect(apart).toMatchObject([{ id: "hook", promises: { ...own, met: 0 } }]);
    const csv = await getReportCsv(runtimeAt(at), asked(company, "2026-10"));
    let text = "";
    for await (const piece of csv.pieces) text += piece;
    const { lines } = csvLines(text);
    const hook = lines.find(({ cells }) => cells.includes("hook"));
    expect(hook?.cells).toHaveLength(lines[0]?.cells.length ?? 0);
    expect(hook?.cells.slice(-6)).toEqual(["0", "1", "0", "0", "", ""]);
    const shares = Object.values(total ?? {}).reduce((sum, share) => sum + share, 0);
    expect(shares).toBeCloseTo(100, 10);
    const september = await report(company, "2026-08", NOVEMBER + 3 * HOUR_MS);
    expect(september.partners.map(({ promises }) => promises)).toEqual(
      september.partners.map(() => null),
    );
  });

  test("counts nine unobserved hours only as not observed", async () => {
    await october();
    const without = await report(company, "2026-10", NOVEMBER + 3 * HOUR_MS);
    await blind(company, OCTOBER + 20 * DAY_MS, OCTOBER + 20 * DAY_MS + 9 * HOUR_MS);
    await rollUp(company, NOVEMBER + 3 * HOUR_MS);
    const rolledUp = await report(company, "2026-10", NOVEMBER + 13 * HOUR_MS);
    expect(rolledUp.partners[0]).toMatchObject({
      overdue: without.partners[0]?.overdue,
      planned_quiet: 0,
      not_observed: 1.2,
      on_time: 98,
      longest_overdue_seconds: without.partners[0]?.longest_overdue_seconds,
      runs: without.partners[0]?.runs,
    });
    expect(rolledUp.partners[0]?.days[20]).toEqual([0, 0, 37.5, null]);
    expect(rolledUp.observed).toBe(98.8);
  });

  test("returns identical bytes after the record is deleted, more becomes known, or the time zone changes", async () => {
    await october();
    await rollUp(company, NOVEMBER + 3 * HOUR_MS);
    const before = JSON.stringify(await report(company, "2026-10", NOVEMBER + 3 * HOUR_MS));
    await ran(company, "a", OCTOBER + 5 * DAY_MS, OCTOBER + 6 * DAY_MS, "failed");
    await changed(company, "a", [[OCTOBER + 15 * DAY_MS, "failing", "fresh"]]);
    await endpoint(company, "another", { partner: "Sage 300" });
    await looked(company, NOVEMBER + 40 * DAY_MS);
    expect(await rollUp(company, NOVEMBER + 40 * DAY_MS)).toBe(39);
    expect(JSON.stringify(await report(company, "2026-10", NOVEMBER + 40 * DAY_MS))).toBe(before);
    await forgetRecord(company);
    const later = NOVEMBER + 400 * DAY_MS;
    expect(JSON.stringify(await report(company, "2026-10", later, "Europe/Oslo"))).toBe(before);
  });

  test("reads the same before and after it is rolled up", async () => {
    await october();
    await endpoint(company, "b", { partner: "Sage 300", status: "webhook", verdict: "webhook" });
    await changed(company, "b", [
      [OCTOBER, "webhook"],
      [OCTOBER + 3 * DAY_MS, "failing", "webhook"],
      [OCTOBER + 5 * DAY_MS, "webhook", "failing"],
    ]);
    const { closed, closed_on, as_of, ...live } = await report(
      company,
      "2026-10",
      NOVEMBER + 3 * HOUR_MS,
    );
    expect([closed, closed_on, as_of]).toEqual([false, null, iso(NOVEMBER + 3 * HOUR_MS)]);
    expect(live.apart).toMatchObject([{ id: "b", kind: "webhook" }]);
    await rollUp(company, NOVEMBER + 3 * HOUR_MS);
    const {
      closed: isClosed,
      closed_on: closedOn,
      as_of: asOf,
      ...rolledUp
    } = await report(company, "2026-10", NOVEMBER + 13 * HOUR_MS);
    expect([isClosed, closedOn, asOf]).toEqual([true, "2026-11-01", null]);
    expect(rolledUp).toEqual(live);
  });
});

test("reports the observed part of the current month, and assigns a period across midnight to both days", async () => {
  await endpoint(company, "a");
  await changed(company, "a", [
    [OCTOBER, "fresh"],
    [OCTOBER + 18 * HOUR_MS, "stale", "fresh"],
    [OCTOBER + 30 * HOUR_MS, "fresh", "stale"],
  ]);
  await blind(company, OCTOBER + 2 * DAY_MS, OCTOBER + 4 * DAY_MS);
  await looked(company, OCTOBER + 4 * DAY_MS);
  const view = await report(company, "2026-10", OCTOBER + 4 * DAY_MS);
  expect(view).toMatchObject({
    closed: false,
    as_of: iso(OCTOBER + 4 * DAY_MS),
    headline: { on_time_of_checked: 75, checked: 50 },
    total: { on_time: 37.5, overdue: 12.5, planned_quiet: 0, not_observed: 50 },
    partners: [
      {
        on_time_of_checked: 75,
        overdue_of_checked: 25,
        longest_overdue_seconds: 12 * 3600,
        longest_overdue_day: "2026-10-01",
        longest_overdue_last_day: "2026-10-02",
      },
    ],
  });
  const silent = await report(company, "2026-10", OCTOBER + 8 * DAY_MS);
  expect(silent.headline).toEqual({ on_time_of_checked: 75, checked: 25 });
});

describe("closing a day", () => {
  test("closes an hour after its end, once observed since; a run still open then has no outcome", async () => {
    await endpoint(company, "a");
    await changed(company, "a", [[OCTOBER, "fresh"]]);
    await ran(company, "a", OCTOBER + 23 * HOUR_MS, OCTOBER + DAY_MS + 30 * 60_000, "completed");
    await ran(company, "a", OCTOBER + 22 * HOUR_MS, OCTOBER + DAY_MS + 2 * HOUR_MS, "failed");
    await looked(company, OCTOBER + DAY_MS + HOUR_MS - 1);
    expect(await rollUp(company, OCTOBER + DAY_MS + 3 * HOUR_MS)).toBe(0);
    await looked(company, OCTOBER + DAY_MS + HOUR_MS);
    expect(await rollUp(company, OCTOBER + DAY_MS + HOUR_MS - 1)).toBe(0);
    expect(await rollUp(company, OCTOBER + DAY_MS + HOUR_MS)).toBe(1);
    const { partners } = await report(company, "2026-10", OCTOBER + DAY_MS + HOUR_MS);
    expect(partners[0]?.runs).toEqual({ completed: 1, failed: 0, timed_out: 0, rate_limited: 0 });
  });

  test("closes a day later without observation, permanently counting the rest as not observed", async () => {
    await endpoint(company, "a");
    await changed(company, "a", [[OCTOBER, "fresh"]]);
    await looked(company, OCTOBER + 18 * HOUR_MS);
    expect(await rollUp(company, OCTOBER + 2 * DAY_MS - 1)).toBe(0);
    expect(await rollUp(company, OCTOBER + 2 * DAY_MS)).toBe(1);
    // Days without any observation wait for the next one.
    expect(await rollUp(company, OCTOBER + 9 * DAY_MS)).toBe(0);
    await blind(company, OCTOBER + 18 * HOUR_MS, OCTOBER + 4 * DAY_MS + 12 * HOUR_MS);
    await looked(company, OCTOBER + 9 * DAY_MS);
    expect(await rollUp(company, OCTOBER + 9 * DAY_MS)).toBe(7);
    const { partners } = await report(company, "2026-10", OCTOBER + 8 * DAY_MS);
    expect(partners[0]?.days.slice(0, 6)).toEqual([
      [0, 0, 25, null],
      [0, 0, 100, null],
      [0, 0, 100, null],
      [0, 0, 100, null],
      [0, 0, 50, null],
      [0, 0, 0, null],
    ]);
  });

  test("stays open on the clock of an API that is behind and hasn't responded lately", async () => {
    const [behindMs, dayMs] = [33 * HOUR_MS, NOVEMBER + DAY_MS];
    await endpoint("behind", "a", { firstSeenMs: dayMs });
    await changed("behind", "a", [[dayMs, "fresh"]]);
    const nowMs = dayMs + DAY_MS + 25 * HOUR_MS;
    await looked("behind", nowMs - HOUR_MS, -behindMs);
    expect(await rollUp("behind", nowMs)).toBe(0);
    expect(await rollUp("behind", nowMs + behindMs)).toBe(1);
  });

  test("stays open on the clock of an API that is ahead, until a run that began later, or for a week", async () => {
    const dayMs = NOVEMBER + DAY_MS;
    const closesMs = dayMs + DAY_MS + CLOSES_AFTER_MS;
    for (const slug of ["ahead", "idle"]) {
      await endpoint(slug, "a", { firstSeenMs: dayMs });
      await changed(slug, "a", [[dayMs, "fresh"]]);
      await looked(slug, closesMs, 31 * DAY_MS);
      expect(await rollUp(slug, closesMs)).toBe(0);
    }
    const began = (ms: number) =>
      store.database.pool.query(
        "update endpoints set last_finished_started_at = $1 where company = 'ahead'",
        [iso(ms)],
      );
    await began(closesMs - 1);
    expect(await rollUp("ahead", closesMs)).toBe(0);
    await began(closesMs);
    expect(await rollUp("ahead", closesMs)).toBe(1);
    expect(await rollUp("idle", closesMs + 7 * DAY_MS - 1)).toBe(0);
    expect(await rollUp("idle", closesMs + 7 * DAY_MS)).toBe(1);
  });

  test("writes each day once and completely, with concurrent roll-ups", async () => {
    await october();
    await Promise.all([
      rollUp(company, NOVEMBER + 3 * HOUR_MS),
      rollUp(company, NOVEMBER + 3 * HOUR_MS),
    ]);
    const once = await report(company, "2026-10", NOVEMBER + 3 * HOUR_MS);
    const { rows } = await store.database.pool.query(
      `select count(*)::int as days, (select count(*)::int from report_endpoint_days where company = $1) as rows
       from report_days where company = $1`,
      [company],
    );
    expect(rows).toEqual([{ days: 31, rows: 31 }]);
    expect(once.partners[0]?.on_time).toBe(99.2);
  });

  test("writes a day completely after a failed attempt, with the same result", async () => {
    await october();
    const { database } = store;
    const clock = createManualClock(NOVEMBER + 3 * HOUR_MS);
    const broken = {
      orm: {
        transaction: (work: Parameters<Database["orm"]["transaction"]>[0]) =>
          database.orm.transaction(async (tx) => {
            await work(tx);
            throw new Error("killed");
          }),
      },
    } as unknown as Database;
    const parts = { database, clock, timeZoneOf: () => "UTC" };
    await expect(
      rollUpNextDay({ ...parts, writer: broken }, company, NOVEMBER + 3 * HOUR_MS),
    ).rejects.toThrow("killed");
    expect(await readRolledUpEnds(database, company)).toBeNull();
    expect(await rollUp(company, NOVEMBER + 3 * HOUR_MS)).toBe(31);
    expect(await report(company, "2026-10", NOVEMBER + 3 * HOUR_MS)).toMatchObject({
      closed: true,
      total: { on_time: 99.2 },
    });
  });

  test("rolls up nothing while the clocks disagree, or without an API response", async () => {
    const stopping = new AbortController();
    await october();
    const { database } = store;
    // PostgreSQL uses the machine's clock; ours here is in another year.
    const clock = createManualClock(NOVEMBER + 400 * DAY_MS);
    const api = { aheadMs: clock.nowMs() - clock.monotonicMs(), receivedMs: clock.monotonicMs() };
    const running = rollUpReports({
      database,
      writer: database,
      clock,
      log: pino({ level: "silent" }),
      companies: [{ host: "https://api.example", apiClock: api }],
      timeZoneOf: () => "UTC",
      disk: { isLow: async () => false },
      signal: stopping.signal,
    });
    await clock.untilSleeping();
    await clock.advance(20_000);
    await clock.untilSleeping();
    expect(await readRolledUpEnds(database, company)).toBeNull();
    stopping.abort();
    await running;
  });
});

describe("what isn't on record", () => {
  test("is not observed before the record, and empty in the future", async () => {
    await october();
    await rollUp(company, NOVEMBER + 3 * HOUR_MS);
    expect(await report(company, "2026-09", NOVEMBER + 3 * HOUR_MS)).toMatchObject({
      closed: true,
      observed: 0,
      total: null,
      partners: [],
    });
    expect(await report(company, "2026-12", NOVEMBER + 3 * HOUR_MS)).toMatchObject({
      closed: false,
      observed: null,
      total: null,
      partners: [],
    });
    expect(await report("unknown", "2026-10", NOVEMBER)).toMatchObject({
      closed: false,
      observed: null,
      recorded_from: null,
      partners: [],
    });
  });

  test("counts as not observed before the record, and isn't counted before an endpoint existed", async () => {
    const begin = OCTOBER + 20 * DAY_MS;
    await looked(company, begin + 10 * DAY_MS + 2 * HOUR_MS);
    await endpoint(company, "a", { firstSeenMs: begin });
    await endpoint(company, "b", { firstSeenMs: begin + 5 * DAY_MS, partner: "Sage 300" });
    await changed(company, "a", [[begin, "fresh"]]);
    await changed(company, "b", [[begin + 5 * DAY_MS, "fresh"]]);
    const nowMs = begin + 10 * DAY_MS + 2 * HOUR_MS;
    const live = await report(company, "2026-10", nowMs);
    expect(await rollUp(company, nowMs)).toBe(10);
    const rolledUp = await report(company, "2026-10", nowMs + DAY_MS / 2);
    expect(live.partners.map(({ not_observed }) => not_observed)).toEqual([66.5, 79.7]);
    expect(rolledUp.recorded_from).toBe("2026-10-21");
    expect(rolledUp.partners[1]?.days.slice(18, 27)).toEqual([
      [0, 0, 100, null],
      [0, 0, 100, null],
      null,
      null,
      null,
      null,
      null,
      [0, 0, 0, null],
      [0, 0, 0, null],
    ]);
  });

  test("lists an endpoint as long as it was then, also if a clock was set later", async () => {
    const day = OCTOBER + 20 * DAY_MS;
    // The API's clock and ours were the same; now ours is a minute behind.
    await looked(company, day + DAY_MS + 2 * HOUR_MS - MINUTE_MS, MINUTE_MS);
    const [listedMs, removedMs] = [day + 6 * HOUR_MS, day + 12 * HOUR_MS];
    await endpoint(company, "a", { firstSeenMs: day });
    await endpoint(company, "b", { firstSeenMs: listedMs });
    await endpoint(company, "earlier", { firstSeenMs: day - 1_000 });
    await store.database.pool.query(
      "update endpoints set removed_at = $2 where company = $1 and endpoint_id = 'b'",
      [company, iso(removedMs - 2 * MINUTE_MS)],
    );
    await changed(company, "a", [[day, "fresh"]]);
    await changed(company, "b", [
      [listedMs, "fresh"],
      [removedMs, null, "fresh"],
    ]);
    await changed(company, "earlier", [[day - 1_000, "fresh"]]);
    await rollUp(company, day + DAY_MS + 2 * HOUR_MS - MINUTE_MS);
    const { rows } = await store.database.pool.query<{ endpoint_id: string; on_time_ms: number }>(
      `select endpoint_id, on_time_ms from report_endpoint_days where company = $1 and day = '2026-10-21'
       order by endpoint_id`,
      [company],
    );
    expect(rows.map((row) => [row.endpoint_id, row.on_time_ms])).toEqual([
      ["a", DAY_MS],
      ["b", 6 * HOUR_MS],
      ["earlier", DAY_MS],
    ]);
  });

  test("is that of a webhook only from when it was seen to be one", async () => {
    const day = OCTOBER + 20 * DAY_MS;
    await looked(company, day + DAY_MS + 2 * HOUR_MS);
    for (const id of ["new", "removed", "failed", "unknown"])
      await endpoint(company, id, { status: "webhook", verdict: "webhook", firstSeenMs: day });
    const becameMs = day + 12 * HOUR_MS;
    await changed(company, "new", [
      [day, "failing"],
      [becameMs, "webhook", "failing"],
    ]);
    await changed(company, "removed", [
      [day - DAY_MS, null, "webhook"],
      [day, "failing"],
      [becameMs, "webhook", "failing"],
    ]);
    // Retention removed the changes before these.
    await changed(company, "failed", [
      [day - 1, "failing", "webhook"],
      [becameMs, "webhook", "failing"],
    ]);
    await changed(company, "unknown", [[becameMs, "webhook", "unknown"]]);
    await rollUp(company, day + DAY_MS + 2 * HOUR_MS);
    const { rows } = await store.database.pool.query<Record<"id" | "overdue" | "webhook", unknown>>(
      `select endpoint_id as id, overdue_ms / 3600000 as overdue, webhook_ms / 3600000 as webhook
       from report_endpoint_days where company = $1 and day = '2026-10-21' order by endpoint_id`,
      [company],
    );
    expect(rows.map(({ id, overdue, webhook }) => [id, Number(overdue), Number(webhook)])).toEqual([
      ["failed", 0, 24],
      ["new", 12, 12],
      ["removed", 12, 12],
      ["unknown", 0, 24],
    ]);
  });

  test("isn't inferred when retention removed it before the first roll-up", async () => {
    await looked(company, NOVEMBER + 2 * HOUR_MS);
    await endpoint(company, "a", { firstSeenMs: OCTOBER - 300 * DAY_MS });
    await changed(company, "a", [[OCTOBER + 10 * DAY_MS, "late", "fresh"]]);
    await rollUp(company, NOVEMBER + 3 * HOUR_MS);
    const { recorded_from, partners } = await report(company, "2026-10", NOVEMBER + 3 * HOUR_MS);
    expect(recorded_from).toBe("2026-10-11");
    expect(partners[0]?.days[9]).toEqual([0, 0, 100, null]);
  });

  test("rejects invalid months", async () => {
    for (const month of ["2026-13", "october", "2026", "2026-10-01", "1969-01", "\0"])
      await expect(report(company, month, NOVEMBER)).rejects.toMatchObject({
        code: "invalid_request",
      });
  });
});

test("reports the number of endpoints, and the day on which a month was closed", async () => {
  await october();
  await endpoint(company, "b", { partner: "Sage 300" });
  await endpoint(company, "w", { status: "webhook", verdict: "webhook" });
  await changed(company, "b", [[OCTOBER, "fresh"]]);
  await changed(company, "w", [[OCTOBER, "webhook"]]);
  const atMs = NOVEMBER + 3 * HOUR_MS;
  expect(await report(company, "2026-10", atMs)).toMatchObject({
    closed: false,
    closed_on: null,
    endpoint_count: 2,
  });
  await rollUp(company, atMs);
  // An endpoint that changes partner still counts once.
  await store.asOwner(
    `update report_endpoint_days set partner_name = 'Kahua' where company = '${company}'
       and endpoint_id = 'b' and day > '2026-10-20'`,
  );
  expect(await report(company, "2026-10", atMs + 40 * DAY_MS)).toMatchObject({
    closed: true,
    closed_on: "2026-11-01",
    endpoint_count: 2,
  });
  expect(await report(company, "2026-08", atMs)).toMatchObject({ closed: true, closed_on: null });
});

test("returns a year's days for charts, for a company, a partner or an endpoint", async () => {
  await october();
  await endpoint(company, "b", { partner: "Sage 300" });
  await endpoint(company, "w", { status: "webhook", verdict: "webhook" });
  await changed(company, "b", [[OCTOBER, "fresh"]]);
  await changed(company, "w", [[OCTOBER, "webhook"]]);
  await blind(company, OCTOBER + 20 * DAY_MS, OCTOBER + 21 * DAY_MS);
  await rollUp(company, NOVEMBER + 3 * HOUR_MS);
  const { database } = store;
  const clock = createManualClock(NOVEMBER + 3 * HOUR_MS);
  const snapshots = createSnapshots({ database, clock, log: createLog("silent") });
  const parts = { database, clock, snapshots, config: { reportTimeZone: "UTC" }, connections: [] };
  const days = async (query: Record<string, string>) =>
    ReportDaysView.parse(
      await getReportDays(parts, { company, query: new URLSearchParams(query) }),
    );
  const all = await days({ range: "1y" });
  expect(all).toMatchObject({ range: "1y", from: "2025-11-02", until: "2026-11-01" });
  // Today so far, with one hour not observed yet.
  expect(all.days).toHaveLength(32);
  expect(all.days[31]).toEqual(["2026-11-01", 66.7, 0, 0, 33.3, null]);
  expect(all.days[13]).toEqual(["2026-10-14", 87.5, 12.5, 0, 0, "late"]);
  expect(all.days[20]).toEqual(["2026-10-21", 0, 0, 0, 100, null]);
  expect((await days({ partner: "Procore" })).days[13]?.[2]).toBe(25);
  expect((await days({ endpoint: "b" })).days[13]?.[2]).toBe(0);
  // On a day without observation it isn't known to have been a webhook.
  expect((await days({ endpoint: "w" })).days.map(([day]) => day)).toEqual(["2026-10-21"]);
  await expect(days({ range: "24h" })).rejects.toMatchObject({ code: "invalid_request" });
});

test("reads one row per endpoint for a month, also before it is rolled up", async () => {
  const ENDPOINTS = 200;
  await october();
  const { pool } = store.database;
  await pool.query(
    `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at)
     select $1, 'e' || n, 'e' || n, 'Sage 300', '{"attributes":{"status":"active"}}', 'fresh', $2
     from generate_series(1, $3::int) n`,
    [company, iso(OCTOBER), ENDPOINTS],
  );
  await pool.query(
    `insert into verdict_changes select $1, 'e' || n, $2, 'late', null from generate_series(1, $3::int) n`,
    [company, iso(OCTOBER), ENDPOINTS],
  );
  const atMs = NOVEMBER + 3 * HOUR_MS;
  const used = async (nowMs: number) => {
    const budget = rowBudget();
    const before = budget.left;
    const { endpoint_count: amount } = await report(
      company,
      "2026-10",
      nowMs,
      "UTC",
      store.database,
      budget,
    );
    expect(amount).toBe(ENDPOINTS + 1);
    return before - budget.left;
  };
  // Each day that isn't rolled up is read four times, 50 endpoints a row.
  const rowsOfDays = 31 * 4 * Math.ceil(ENDPOINTS / 50);
  expect(await used(atMs)).toBeLessThan(ENDPOINTS + rowsOfDays + 50);
  await rollUp(company, atMs);
  expect(await used(atMs + DAY_MS)).toBeLessThan(ENDPOINTS + 50);
});

test("reads a month that isn't rolled up with few statements at once", async () => {
  await october();
  const { pool } = store.database;
  let running = 0;
  let most = 0;
  async function query(statement: string, values?: unknown[]) {
    running += 1;
    most = Math.max(most, running);
    return pool.query(statement, values).finally(() => (running -= 1));
  }
  const watched = Object.create(store.database, {
    pool: { value: Object.create(pool, { query: { value: query } }) as Database["pool"] },
  }) as Database;
  await report(company, "2026-10", NOVEMBER, "UTC", watched);
  expect(most).toBeGreaterThan(1);
  expect(most).toBeLessThanOrEqual(8);
});

test("stays open and incomplete while history from before the first check is being loaded", async () => {
  await looked(company, NOVEMBER + 2 * HOUR_MS);
  await endpoint(company, "a");
  await changed(company, "a", [[OCTOBER + 20 * DAY_MS, "fresh"]]);
  const { pool } = store.database;
  await pool.query(`insert into companies (slug, name) values ($1, $1)`, [company]);
  const loading = { closed: false, history_complete: false, recorded_from: "2026-10-21" };
  const nowMs = NOVEMBER + 3 * HOUR_MS;
  expect(await report(company, "2026-09", nowMs)).toMatchObject({ ...loading, observed: 0 });
  const never = await report(company, "2026-02", nowMs);
  expect(never).toMatchObject({ closed: true, history_complete: true, observed: 0 });
  await changed(company, "a", [[OCTOBER + 10 * DAY_MS, "late"]]);
  const more = await report(company, "2026-10", nowMs + 10_000);
  expect(more).toMatchObject({ ...loading, recorded_from: "2026-10-11" });
  await pool.query(
    `insert into incident_states (company, observed_at, last_id, suspects, recorded_since)
     values ($1, $2, 0, '{}', $2)`,
    [company, iso(NOVEMBER)],
  );
  expect(await report(company, "2026-09", nowMs + 20_000)).toMatchObject({
    closed: true,
    history_complete: true,
    observed: 0,
  });
});

test("computes a report once at a time while history is being loaded, for all who poll", async () => {
  await looked(company, NOVEMBER);
  await endpoint(company, "a");
  await store.database.pool.query(`insert into companies (slug, name) values ($1, $1)`, [company]);
  const { pool } = store.database;
  let computed = 0;
  async function query(statement: string, values?: unknown[]) {
    if (statement.includes("as cells")) computed += 1;
    return pool.query(statement, values);
  }
  const database = Object.create(store.database, {
    pool: { value: Object.create(pool, { query: { value: query } }) as Database["pool"] },
  }) as Database;
  const polls = [0, 15_000, 30_000].map((laterMs) =>
    report(company, "2026-10", NOVEMBER + laterMs, "UTC", database),
  );
  // One report of the same company for another month is computed beside it.
  polls.push(report(company, "2026-09", NOVEMBER, "UTC", database));
  const [first, ...others] = await Promise.all(polls);
  expect(others.slice(0, 2)).toEqual([first, first]);
  expect(computed).toBe(2);
});

test("refuses a report that needs more rows than a request may read", async () => {
  await october();
  const given = [company, "2026-10", NOVEMBER, "UTC", store.database] as const;
  const refused = { code: "invalid_request", status: 400 };
  await expect(report(...given, rowBudget(3))).rejects.toMatchObject(refused);
  const { database } = store;
  const clock = createManualClock(NOVEMBER);
  const snapshots = createSnapshots({ database, clock, log: createLog("silent") });
  const parts = { database, clock, snapshots, config: { reportTimeZone: "UTC" }, connections: [] };
  const query = new URLSearchParams();
  await expect(getReportDays(parts, { company, query }, rowBudget(3))).rejects.toMatchObject(
    refused,
  );
  expect((await report(...given)).partners).toHaveLength(1);
});

test("returns days not rolled up yet with the values they will have", async () => {
  await october();
  await endpoint(company, "b", { partner: "Sage 300" });
  await changed(company, "b", [[OCTOBER, "fresh"]]);
  const { database } = store;
  const clock = createManualClock(NOVEMBER + 3 * HOUR_MS);
  const snapshots = createSnapshots({ database, clock, log: createLog("silent") });
  const parts = { database, clock, snapshots, config: { reportTimeZone: "UTC" }, connections: [] };
  const all = async () =>
    Promise.all(
      ["", "partner=Procore", "endpoint=b", "partner=unknown"].map(async (query) => {
        const { days } = await getReportDays(parts, {
          company,
          query: new URLSearchParams(query),
        });
        return days;
      }),
    );
  const before = await all();
  expect(before.map((days) => days.length)).toEqual([32, 32, 32, 0]);
  await rollUp(company, OCTOBER + 15 * DAY_MS + 2 * HOUR_MS);
  expect(await all()).toEqual(before);
  await rollUp(company, NOVEMBER + 3 * HOUR_MS);
  expect(await all()).toEqual(before);
  await clock.advance(5 * 60_000);
  const after = await all();
  expect(after.map((days) => days.slice(0, 31))).toEqual(before.map((days) => days.slice(0, 31)));
});

test("stores sums equal to the rows', also when added by the upgrade", async () => {
  await october();
  await endpoint(company, "b", { partner: "Sage 300" });
  await endpoint(company, "w", { status: "webhook", verdict: "webhook" });
  await changed(company, "b", [
    [OCTOBER, "fresh"],
    [OCTOBER + 14 * DAY_MS, "failing", "fresh"],
    [OCTOBER + 16 * DAY_MS, "stale", "failing"],
  ]);
  await changed(company, "w", [[OCTOBER, "webhook"]]);
  await rollUp(company, NOVEMBER + 3 * HOUR_MS);
  const { database } = store;
  const read = async () =>
    Promise.all(
      [null, "Procore", "Sage 300", "unknown"].map((partnerName) =>
        readDaySums(database, company, { partnerName, endpointId: null }, [
          "2026-10-01",
          "2026-10-31",
        ]),
      ),
    );
  const written = await read();
  expect(written[2]?.slice(13, 17).map(({ worst }) => worst)).toEqual([
    null,
    "failing",
    "failing",
    "stale",
  ]);
  // As left by an earlier backup.
  await store.asOwner(`update report_days set sums = null where company = '${company}'`);
  expect(await read()).toEqual(written);
  const [, upgrade = ""] = readFileSync(
    "lib/server/store/migrations/0025_report_day_sums.sql",
    "utf8",
  ).split("--> statement-breakpoint");
  await store.asOwner(upgrade);
  expect(await read()).toEqual(written);
});

test("retains every day that isn't rolled up yet", async () => {
  await october();
  const { database } = store;
  const cutoffMs = NOVEMBER + 90 * DAY_MS;
  expect(await readRolledUpUntil(database, company)).toBe(0);
  await rollUp(company, OCTOBER + 15 * DAY_MS + 2 * HOUR_MS);
  const rolledUpMs = await readRolledUpUntil(database, company);
  expect(iso(rolledUpMs)).toBe("2026-10-16T00:00:00.000Z");
  while ((await deleteExpired(database, company, Math.min(cutoffMs, rolledUpMs), 100)) > 0);
  expect(await rollUp(company, NOVEMBER + 3 * HOUR_MS)).toBe(16);
  expect(await report(company, "2026-10", NOVEMBER + 3 * HOUR_MS)).toMatchObject({
    closed: true,
    observed: 100,
    total: { on_time: 99.2, overdue: 0.8 },
  });
});

test("uses the current name of a time zone stored under an earlier one", async () => {
  await october();
  await rollUp(company, NOVEMBER + 3 * HOUR_MS, "Asia/Katmandu");
  const { time_zone } = await report(company, "2026-10", NOVEMBER + 3 * HOUR_MS, "Asia/Kathmandu");
  expect(time_zone).toBe("Asia/Kathmandu");
});

test("uses days of another time zone, including its clock change", async () => {
  const begin = Date.parse("2026-09-30T22:00:00Z");
  await looked(company, NOVEMBER + 2 * HOUR_MS);
  await endpoint(company, "a", { firstSeenMs: begin });
  await changed(company, "a", [
    [begin, "fresh"],
    // The whole of 25 October, which has 25 hours there.
    [Date.parse("2026-10-24T22:00:00Z"), "stale", "fresh"],
    [Date.parse("2026-10-25T23:00:00Z"), "fresh", "stale"],
  ]);
  expect(await rollUp(company, NOVEMBER + 3 * HOUR_MS, "Europe/Oslo")).toBe(31);
  const { time_zone, partners } = await report(
    company,
    "2026-10",
    NOVEMBER + 3 * HOUR_MS,
    "Europe/Oslo",
  );
  expect(time_zone).toBe("Europe/Oslo");
  expect(partners[0]).toMatchObject({
    longest_overdue_seconds: 25 * 3600,
    longest_overdue_day: "2026-10-25",
  });
  expect(partners[0]?.days.slice(23, 26)).toEqual([
    [0, 0, 0, null],
    [100, 0, 0, "stale"],
    [0, 0, 0, null],
  ]);
});
