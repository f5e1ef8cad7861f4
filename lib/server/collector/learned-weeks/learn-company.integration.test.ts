import { afterEach, beforeEach, expect, test } from "vitest";
import { startChecks, COMPANY, type Checks } from "@/lib/server/collector/deadlines/check-fixture";
import { rule } from "@/lib/domain/deadlines/deadline-fixture";
import { weekdayOf } from "@/lib/domain/learned-week/week-span";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { verdict } from "@/lib/domain/verdict";
import {
  readRememberedWeeks,
  readWeeksAt,
  readWeeksInForce,
} from "@/lib/server/store/learned-weeks/learned-weeks";
import { watchStatements } from "@/lib/server/store/statements/statements-fixture";
import { switchLearnedWeek } from "@/lib/server/store/learned-weeks/write-weeks";
import { readCircumstances } from "@/lib/server/store/sync/read-circumstances";
import { readCompany } from "@/lib/server/store/sync/read-company";
import { attributesOf } from "@/lib/server/store/sync/records";
import { renameCompany } from "@/lib/server/store/sync/rename-company";
import { learnCompany } from "./learn-company";
import { openWeeks, type OpenWeeks } from "./open-weeks";

/** A Monday, five weeks after the record began. */
const START_MS = Date.parse("2026-04-06T00:00:00Z");
const WEEKEND = [{ from: "sat 00:00", until: "mon 00:00" }];

let checks: Checks;
let id: string;
beforeEach(async () => {
  checks = await startChecks(START_MS, 2);
  [id = ""] = checks.ids;
});
afterEach(() => checks.stop());

/** Hourly landings, five minutes past the hour. */
async function land(fromMs: number, untilMs: number, rests: (date: string) => boolean) {
  const landings: string[] = [];
  for (let ms = fromMs + 5 * MINUTE_MS; ms < untilMs; ms += HOUR_MS)
    if (!rests(iso(ms).slice(0, 10))) landings.push(iso(ms));
  await checks.database.pool.query(
    `insert into landings (company, endpoint_id, landed_at, origin)
     select $1, $2, unnest($3::timestamptz[]), 'observed' on conflict do nothing`,
    [COMPANY, id, landings],
  );
  checks.set(id, { last_updated_at: landings.at(-1) ?? null, next_sync_at: null });
}
const isWeekend = (date: string) => weekdayOf(date) > 4;

const learn = (nowMs: number) =>
  learnCompany(
    {
      database: checks.database,
      writer: checks.database,
      clock: { sleep: () => Promise.resolve() },
      signal: new AbortController().signal,
    },
    COMPANY,
    { timeZone: "UTC", nowMs },
  );
const recorded = async () => (await readCompany(checks.database, COMPANY)).endpoints.get(id);
const week = async () => (await recorded())?.known.learned_week ?? null;
/** As a view of the past shows it. */
const weekAt = async (atMs: number, most = 10) =>
  (await readWeeksAt(checks.database, [COMPANY], atMs, most))(COMPANY)(id, HOUR_MS);

async function learned() {
  await land(START_MS - 35 * DAY_MS, START_MS, isWeekend);
  await checks.checkAt(START_MS + MINUTE_MS);
  expect(await week()).toBeNull();
  await learn(START_MS + MINUTE_MS);
  await checks.checkAt(START_MS + 2 * MINUTE_MS);
}

test("learns from the record, and applies it with the next check, also after a restart", async () => {
  await learned();
  expect(await week()).toMatchObject({
    time_zone: "UTC",
    spans: WEEKEND,
    since: iso(START_MS + MINUTE_MS),
  });
  // Friday's last data was 48 h of quiet time and 7 min ago.
  expect((await recorded())?.verdict).toBe("fresh");
  await checks.restart();
  await checks.checkAt(START_MS + 3 * MINUTE_MS);
  expect(await week()).toMatchObject({ spans: WEEKEND });
  const one = await recorded();
  if (one === undefined) throw new Error("not recorded");
  const live = verdict(attributesOf(one.row), one.known, START_MS + 3 * MINUTE_MS);
  expect(live.reasons.map(({ code }) => code)).toEqual(["on_time", "learned_quiet"]);
});

test("adds no statement to a check in which no week changed", async () => {
  await learned();
  await checks.checkAt(START_MS + 3 * MINUTE_MS);
  const statements = watchStatements(checks.database);
  await checks.checkAt(START_MS + 4 * MINUTE_MS);
  expect(statements.map(({ name }) => name)).toEqual([
    "reserve_upstream_request",
    "read_circumstances",
    expect.stringMatching(/^write_/),
  ]);
});

test("is late on a Monday that is missed", async () => {
  await learned();
  await checks.checkAt(START_MS + 5 * MINUTE_MS);
  expect((await recorded())?.verdict).toBe("due");
  const one = await recorded();
  if (one === undefined) throw new Error("not recorded");
  const { graceMs } = verdict(attributesOf(one.row), one.known, START_MS).terms;
  await checks.checkAt(START_MS + 6 * MINUTE_MS + (graceMs ?? 0));
  expect((await recorded())?.verdict).toBe("late");
});

test("is gone after data in two quiet spans, and recorded with the time that it was in force", async () => {
  await learned();
  await land(START_MS, START_MS + 7 * DAY_MS, () => false);
  await learn(START_MS + 7 * DAY_MS);
  expect((await readRememberedWeeks(checks.database, COMPANY)).get(id)).toMatchObject({
    week: { timeZone: "UTC" },
    broken: { fromMs: START_MS + 5 * DAY_MS, untilMs: START_MS + 7 * DAY_MS },
  });
  await land(START_MS + 7 * DAY_MS, START_MS + 14 * DAY_MS, () => false);
  await learn(START_MS + 14 * DAY_MS);
  expect((await readRememberedWeeks(checks.database, COMPANY)).get(id)).toMatchObject({
    week: null,
    goneMs: START_MS + 12 * DAY_MS + 65 * MINUTE_MS,
  });
  await checks.checkAt(START_MS + 14 * DAY_MS + MINUTE_MS);
  expect(await week()).toBeNull();
  const { rows } = await checks.database.pool.query<{ until: Date | null }>(
    "select until_at as until from learned_weeks where company = $1 order by from_at",
    [COMPANY],
  );
  expect(rows.at(-1)?.until?.getTime()).toBe(START_MS + 14 * DAY_MS);
});

test("learns nothing from time that wasn't observed or in which the feed was paused", async () => {
  await checks.database.pool.query(
    "insert into gaps (company, from_at, until_at, reason) values ($1, $2, $3, 'unreachable')",
    [COMPANY, iso(START_MS - 16 * DAY_MS), iso(START_MS - 14 * DAY_MS)],
  );
  await checks.database.pool.query(
    `insert into verdict_changes (company, endpoint_id, changed_at, verdict, previous)
     values ($1, $2, $3, 'paused', 'fresh'), ($1, $2, $4, 'fresh', 'paused')`,
    [COMPANY, id, iso(START_MS - 9 * DAY_MS), iso(START_MS - 7 * DAY_MS)],
  );
  await learned();
  expect(await week()).toBeNull();
});

test("isn't applied while data of a missed promise is awaited, also in the next window", async () => {
  await learned();
  const scope = { partnerName: "Procore", endpointId: id, endpointKey: id };
  const values = { ...scope, rule: rule({ by: "00:10" }), targetPercent: null, note: null };
  await checks.change({ kind: "make", values, subject: id });
  await checks.checkAt(START_MS + 12 * MINUTE_MS);
  expect(checks.shown(id)?.state).toBe("missed");
  await checks.checkAt(START_MS + 13 * MINUTE_MS);
  expect(await week()).toBeNull();
  expect((await recorded())?.verdict).toBe("stale");
  // Also beside a leader of an older version, which leaves it in its rows.
  const { pool } = checks.database;
  await pool.query("update endpoints set learned_week = '{}', verdict = 'fresh'");
  expect(await week()).toBeNull();
  await pool.query("update endpoints set learned_week = null, verdict = 'stale'");
  // The window of the next day begins with the day.
  const nextMs = START_MS + DAY_MS + MINUTE_MS;
  for (const atMs of [nextMs, nextMs + 4 * MINUTE_MS]) await checks.checkAt(atMs);
  expect(checks.shown(id)?.state).not.toBe("missed");
  expect(await week()).toBeNull();
  await checks.restart();
  await checks.checkAt(nextMs + 5 * MINUTE_MS);
  expect(await week()).toBeNull();
  expect((await recorded())?.verdict).toBe("stale");
  // Its data comes.
  checks.set(id, { last_updated_at: iso(nextMs + 6 * MINUTE_MS) });
  for (const minutes of [7, 8]) await checks.checkAt(nextMs + minutes * MINUTE_MS);
  expect(await week()).toMatchObject({ spans: WEEKEND });
  // A view of the past knows when it was applied.
  expect(await weekAt(START_MS + 11 * MINUTE_MS)).toMatchObject({ spans: WEEKEND });
  for (const atMs of [START_MS + 12 * MINUTE_MS, nextMs]) expect(await weekAt(atMs)).toBeNull();
  expect(await weekAt(nextMs + 8 * MINUTE_MS)).toMatchObject({ spans: WEEKEND });
  expect(await weekAt(nextMs + 8 * MINUTE_MS, 0)).toBeNull();
});

test("isn't applied at another cadence, and isn't learned from data of another one", async () => {
  await learned();
  checks.set(id, { frequency_minutes: 1440 });
  await checks.checkAt(START_MS + 3 * MINUTE_MS);
  expect(await week()).toBeNull();
  await learn(START_MS + DAY_MS);
  expect((await readRememberedWeeks(checks.database, COMPANY)).get(id)?.week).toBeNull();
  checks.set(id, { frequency_minutes: 60 });
  await checks.checkAt(START_MS + DAY_MS);
  await learn(START_MS + 2 * DAY_MS);
  expect((await readRememberedWeeks(checks.database, COMPANY)).get(id)?.week).toBeNull();
});

test("learns no rest from a fault that recurs", async () => {
  const saturdays = Array.from({ length: 5 }, (_, at) => START_MS - (2 + 7 * at) * DAY_MS);
  await checks.database.pool.query(
    `insert into runs (company, endpoint_id, started_at, status, first_seen_at, origin)
     select $1, $2, at, 'timed_out', at, 'observed' from unnest($3::timestamptz[]) as at`,
    [COMPANY, id, saturdays.map((ms) => iso(ms + HOUR_MS))],
  );
  await learned();
  expect(await week()).toBeNull();
});

test("learns no rest from time in which the feed was failing", async () => {
  for (const back of [2, 9, 16, 23, 30])
    await checks.database.pool.query(
      `insert into verdict_changes (company, endpoint_id, changed_at, verdict, previous)
       values ($1, $2, $3, 'failing', 'fresh'), ($1, $2, $4, 'fresh', 'failing')`,
      [COMPANY, id, iso(START_MS - back * DAY_MS), iso(START_MS - (back - 2) * DAY_MS)],
    );
  await learned();
  expect(await week()).toBeNull();
});

test("isn't applied nine days after the last look, nor if that look is ahead of the clock", async () => {
  await learned();
  const lookedMs = START_MS + MINUTE_MS;
  await checks.checkAt(lookedMs + 9 * DAY_MS - MINUTE_MS);
  expect(await week()).toMatchObject({ spans: WEEKEND });
  await checks.checkAt(lookedMs + 9 * DAY_MS);
  expect(await week()).toBeNull();
  const inThePast = async () => {
    expect(await weekAt(lookedMs - 1)).toBeNull();
    expect(await weekAt(lookedMs + 9 * DAY_MS - 1)).toMatchObject({ spans: WEEKEND });
    expect(await weekAt(lookedMs + 9 * DAY_MS)).toBeNull();
  };
  await inThePast();
  await learn(lookedMs + 12 * DAY_MS);
  await checks.checkAt(lookedMs + 9 * DAY_MS + MINUTE_MS);
  expect(await week()).toBeNull();
  await inThePast();
});

test.for<[string, string, unknown[]]>([
  ["no look followed", "update company_state set as_of = $1", [iso(START_MS + 10 * DAY_MS)]],
  [
    "the cadence changed",
    "update endpoints set raw = jsonb_set(raw, '{attributes,frequency_minutes}', '1440')",
    [],
  ],
  ["it ended", "update learned_weeks set until_at = $1", [iso(START_MS + HOUR_MS)]],
  ["its record is gone", "delete from learned_weeks", []],
  ["an older version judged without it", "update endpoints set verdict = 'stale'", []],
])("isn't applied after a restart when %s meanwhile", async ([, statement, values]) => {
  await learned();
  expect(await week()).toMatchObject({ spans: WEEKEND });
  await checks.database.pool.query(statement, values);
  expect(await week()).toBeNull();
});

test("follows what changed since, and reads all after an older state was restored", async () => {
  await learned();
  const { database } = checks;
  const within = { fromMs: START_MS, untilMs: START_MS };
  const open = async (weeks: OpenWeeks | null) => {
    const progress = (await readCircumstances(database, COMPANY, within)).weeks;
    return openWeeks(database, COMPANY, { weeks, recorded: new Map() }, progress);
  };
  const first = await open(null);
  expect([...first.weeks.keys()]).toEqual([id]);
  expect((await open(first)).weeks).toBe(first.weeks);
  const nowMs = START_MS + HOUR_MS;
  const switched = { change: { person: checks.person, nowMs }, subject: id, atMs: nowMs };
  await switchLearnedWeek(database, { company: COMPANY, endpointId: id }, false, switched);
  const second = await open(first);
  expect([...second.weeks.keys()]).toEqual([]);
  await database.pool.query("update learned_weeks set until_at = null, version = 1");
  await database.pool.query("update learned_week_progress set version = 1");
  expect([...(await open(second)).weeks.keys()]).toEqual([id]);
});

test("is in force again after a look at an instant that the clock shows twice", async () => {
  await learned();
  const nowMs = START_MS + MINUTE_MS;
  const change = { change: { person: checks.person, nowMs }, subject: id, atMs: nowMs };
  const own = { company: COMPANY, endpointId: id };
  for (const isOn of [false, true]) await switchLearnedWeek(checks.database, own, isOn, change);
  expect((await readWeeksInForce(checks.database, COMPANY)).size).toBe(0);
  await learn(nowMs);
  expect((await readWeeksInForce(checks.database, COMPANY)).size).toBe(1);
});

test("ends while the endpoint is removed, and is learned again from what was seen", async () => {
  await learned();
  await checks.database.pool.query(
    "update endpoints set removed_at = $2 where company = $1 and endpoint_id = $3",
    [COMPANY, iso(START_MS), id],
  );
  await learn(START_MS + HOUR_MS);
  expect((await readWeeksInForce(checks.database, COMPANY)).size).toBe(0);
  await checks.database.pool.query(
    "update endpoints set removed_at = null where company = $1 and endpoint_id = $2",
    [COMPANY, id],
  );
  await learn(START_MS + 2 * HOUR_MS);
  expect((await readWeeksInForce(checks.database, COMPANY)).get(id)?.sinceMs).toBe(
    START_MS + 2 * HOUR_MS,
  );
});

test("isn't learned while switched off", async () => {
  await learned();
  const { person } = checks;
  const off = { company: COMPANY, endpointId: id };
  const nowMs = checks.clock.nowMs();
  await switchLearnedWeek(checks.database, off, false, {
    change: { person, nowMs },
    subject: id,
    atMs: nowMs,
  });
  await learn(START_MS + DAY_MS);
  expect((await readRememberedWeeks(checks.database, COMPANY)).get(id)).toMatchObject({
    week: null,
    isOff: true,
  });
});

test("a look that is interrupted at any statement is completed by the next one", async () => {
  const { database } = checks;
  await land(START_MS - 35 * DAY_MS, START_MS, isWeekend);
  await checks.checkAt(START_MS + MINUTE_MS);
  let left = Infinity;
  watchStatements(database, ({ text }) => {
    if (text !== "rollback" && (left -= 1) < 0) throw new Error("interrupted");
  });
  const TABLES = ["learned_weeks", "learned_week_feeds", "learned_week_progress"];
  const state = async () => {
    const all: unknown[] = [];
    for (const name of TABLES)
      all.push((await database.pool.query(`select to_jsonb(t) - 'version' from ${name} t`)).rows);
    return all;
  };
  const lookMs = START_MS + MINUTE_MS;
  await learn(lookMs);
  const whole = await state();
  expect(whole.map((rows) => (rows as unknown[]).length)).toEqual([1, 1, 1]);
  let interrupted = 0;
  for (let isDone = false; !isDone; interrupted += 1) {
    for (const name of TABLES) await database.pool.query(`delete from ${name}`);
    left = interrupted;
    isDone = await learn(lookMs).then(
      () => true,
      () => false,
    );
    left = Infinity;
    // Nothing says that the record was looked at before all of it was.
    const { rows } = await database.pool.query<{ weeks: number; isLooked: boolean }>(
      `select count(*)::int as weeks, exists (
         select from learned_week_progress where looked_until is not null
       ) as "isLooked" from learned_weeks`,
    );
    if (rows[0]?.isLooked === true) expect(rows[0].weeks).toBe(1);
    await learn(lookMs);
    expect(await state()).toEqual(whole);
  }
  expect(interrupted).toBeGreaterThan(12);
});

test("belongs to the company under its new slug", async () => {
  await learned();
  const moved = await renameCompany(checks.database, { from: COMPANY, to: "north" }, START_MS);
  expect(moved).toBeGreaterThan(0);
  expect((await readCompany(checks.database, "north")).endpoints.get(id)?.known).toMatchObject({
    learned_week: { spans: WEEKEND },
  });
  expect((await readWeeksInForce(checks.database, COMPANY)).size).toBe(0);
});
