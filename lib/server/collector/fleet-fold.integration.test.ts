import { randomUUID } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect } from "vitest";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import { createLog } from "@/lib/server/log";
import { createManualClock } from "@/lib/server/manual-clock";
import type { Database, Writer } from "@/lib/server/store/database";
import { Deposed, fenced } from "@/lib/server/store/fence";
import { fleetProgress } from "@/lib/server/store/schema/fleet-incidents";
import { leads } from "@/lib/server/store/schema/leads";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { createFleetIncidents } from "./fleet-fold";
import {
  createFleetRecord,
  readFleets,
  type Found,
} from "@/lib/server/store/fleet-incidents/fleet-record-fixture";

const START_MS = Date.parse("2026-11-19T12:00:00Z");
const at = (minute: number) => START_MS + minute * MINUTE_MS;
const COMPANIES = ["a", "b", "c", "d", "e", "f"];
const DOWN: Found = { Procore: "failing" };
/** As JSON of PostgreSQL has it. */
const zoned = (time: unknown) => new Date(String(time)).getTime();
const UP: Found = { Procore: "fresh" };

const test = freshDatabaseTest();

/** An instance that folds when told to. @param onFolded throws to kill it before it writes */
function instance(database: Database, onFolded = () => {}, writer: Writer = database) {
  const clock = createManualClock(START_MS);
  const fleet = createFleetIncidents({
    database,
    clock,
    random: () => 0.5,
    newId: randomUUID,
    log: createLog("silent"),
    disk: { isLow: () => Promise.resolve(false) },
    pollSeconds: 60,
    onFolded,
  });
  return {
    /** Folds what is recorded up to a minute. */
    fold: async (minute: number) => {
      await clock.advance(at(minute) + 5_000 - clock.nowMs());
      await fleet.work(writer);
    },
  };
}

const FLEETS = "fleet_members, fleet_incidents, fleet_progress";
const RECORD =
  "incident_events, incidents, incident_states, gaps, endpoints, verdict_changes, company_state";

/** Records checks of all companies in each minute, and returns what is on record then. */
async function record(
  db: TestDatabase,
  script: Script,
  folding: (minute: number) => Promise<void>,
) {
  const { check } = createFleetRecord(db.database);
  for (let minute = 0; minute <= script.last; minute += 1) {
    for (const [index, company] of COMPANIES.entries()) {
      const found = script.found(company, minute);
      // The checks of a minute take a while.
      if (found !== null) await check(company, at(minute) + index * 1_000, found);
    }
    await folding(minute + 1);
  }
}

test("a leader that was replaced notes no progress, also while nothing changes", async ({
  db: { database },
}) => {
  const { check } = createFleetRecord(database);
  const [of, term] = ["fleetIncidents", randomUUID()] as const;
  await database.orm.insert(leads).values({ of, term, since: new Date(START_MS) });
  const deposed: Deposed[] = [];
  const writer = fenced(database, { of, term, onDeposed: (why) => void deposed.push(why) });
  const { fold } = instance(database, () => {}, writer);
  const progress = async () => {
    const [row] = await database.orm.select().from(fleetProgress);
    return row?.untilAt.getTime();
  };
  await check("a", at(0), UP);
  // The first ones fold the days before.
  for (const minute of [1, 2, 3]) await fold(minute);
  expect(await progress()).toBe(at(3) + 2_000);

  await database.orm.update(leads).set({ term: randomUUID() });
  await expect(fold(4)).rejects.toThrow(Deposed);
  expect(deposed).toHaveLength(1);
  expect(await progress()).toBe(at(3) + 2_000);
});

/** @returns what a check finds; null: the company can't be read then */
type Script = { last: number; found: (company: string, minute: number) => Found | null };

const is = (company: string, companies: string) => companies.includes(company);

describe("fleet incidents", () => {
  test("open with the third company, keep track of each, and end with the last", async ({ db }) => {
    const { fold } = instance(db.database);
    const down = (company: string, minute: number) =>
      (is(company, "ab") && minute >= 3 && minute < 30) ||
      (is(company, "c") && minute >= 5 && minute < 40) ||
      (is(company, "d") && minute >= 20 && minute < 25);
    const states: unknown[] = [];
    await record(db, { last: 60, found: (...of) => (down(...of) ? DOWN : UP) }, async (minute) => {
      await fold(minute);
      const { fleets } = await readFleets(db.database);
      const open = fleets.map(({ closed_at: closed, members }) => [
        members.length,
        closed === null,
      ]);
      if (JSON.stringify(open) !== JSON.stringify(states.at(-1))) states.push(open);
    });
    expect(states).toEqual([[], [[3, true]], [[4, true]], [[4, false]]]);
    const { fleets } = await readFleets(db.database);
    const time = (minute: number, index: number) =>
      new Date(at(minute) + index * 1_000).toISOString();
    expect(JSON.parse(JSON.stringify(fleets))).toEqual([
      {
        partner: "Procore",
        from_at: time(2, 0),
        opened_at: time(5, 2),
        changed_at: time(50, 2),
        closed_at: time(50, 2),
        // Calm for ten minutes.
        members: [
          ["a", 1, time(5, 2), time(40, 0)],
          ["b", 1, time(5, 2), time(40, 1)],
          ["c", 1, time(5, 2), time(50, 2)],
          ["d", 1, time(20, 3), time(35, 3)],
        ].map(([company, id, ...times]) => [company, id, ...times.map(zoned)]),
      },
    ]);
  });

  test("count companies that have the partner, and that we see", async ({ db }) => {
    const { check } = createFleetRecord(db.database);
    const others = Array.from({ length: 13 }, (_, index) => `other-${index}`);
    const { fold } = instance(db.database);
    const opened = async (minute: number) => {
      await fold(minute);
      return (await readFleets(db.database)).fleets.length;
    };
    const all = async (minute: number, companies: readonly string[], found: Found) => {
      for (const company of companies) await check(company, at(minute), found);
    };
    await all(0, [...others, "a", "b", "c"], UP);
    await all(1, others, UP);
    await all(1, ["a", "b", "c"], DOWN);
    // 3 of 16.
    expect(await opened(2)).toBe(0);
    await all(2, others.slice(1), UP);
    await all(2, ["a", "b", "c"], DOWN);
    await check("other-0", at(2), { Procore: "paused" });
    expect(await opened(3)).toBe(1);
  });

  test("names that are composed differently are one partner", async ({ db }) => {
    const { check } = createFleetRecord(db.database);
    for (const [index, name] of ["Caf\u00e9", "Cafe\u0301", "Caf\u00e9"].entries())
      await check(COMPANIES[index] ?? "", at(0), { [name]: "failing" });
    await instance(db.database).fold(1);
    expect((await readFleets(db.database)).fleets).toMatchObject([{ partner: "Caf\u00e9" }]);
  });

  test("see an ending that was found after a gap, also if it is recorded late", async ({ db }) => {
    const { check } = createFleetRecord(db.database);
    for (const company of ["a", "b", "c"]) await check(company, at(0), DOWN);
    const { fold } = instance(db.database);
    await fold(30);
    const ended = { kind: "ended", ending: "recovered" };
    await db.database.pool.query("update incident_states set observed_at = $1", [new Date(at(20))]);
    await db.database.pool.query(
      `insert into incident_events (company, incident_id, seq, at, kind, detail)
       values ('a', 1, 9, $1, 'seen_again', $2), ('b', 1, 9, $1, 'seen_again', '{"changes": []}')`,
      [new Date(at(20)), { changes: [ended] }],
    );
    await db.database.pool.query(
      "update incidents set ended_at = $1, ending = 'recovered' where company = 'a'",
      [new Date(at(15))],
    );
    await fold(31);
    const [{ members } = { members: [] }] = (await readFleets(db.database)).fleets;
    expect(members.map(([company, , , left]) => [company, left])).toEqual([
      ["a", at(20)],
      ["b", null],
      ["c", null],
    ]);
  });

  test("are kept when our clock was a day ahead and is set back", async ({ db }) => {
    const { check } = createFleetRecord(db.database);
    const ahead = instance(db.database);
    for (const minute of [1_439, 1_440]) await ahead.fold(minute);
    for (const company of ["a", "b", "c"]) await check(company, at(1), DOWN);
    const { fold } = instance(db.database);
    await fold(2);
    expect((await readFleets(db.database)).fleets).toMatchObject([
      { members: [{}, {}, {}], closed_at: null },
    ]);
    for (let minute = 2; minute <= 20; minute += 1)
      for (const company of ["a", "b", "c"]) await check(company, at(minute), UP);
    await fold(21);
    const [fleet] = (await readFleets(db.database)).fleets;
    expect(fleet?.closed_at).not.toBeNull();
  });

  test("don't let the last company go on alone because our clock was set forward", async ({
    db,
  }) => {
    const { check } = createFleetRecord(db.database);
    const { fold } = instance(db.database);
    const checks = async (from: number, until: number, staying: Found, others: Found | null) => {
      for (let minute = from; minute <= until; minute += 1) {
        await check("c", at(minute), staying);
        if (others !== null)
          for (const company of ["a", "b"]) await check(company, at(minute), others);
      }
    };
    await checks(0, 1, DOWN, DOWN);
    await fold(1);
    await checks(2, 20, DOWN, UP);
    await fold(20);
    await checks(21, 40, DOWN, null);
    await fold(40);
    // Set forward by an hour, the APIs are an hour behind.
    await db.database.pool.query("update company_state set api_clock_offset_ms = -3600000");
    await checks(41, 45, DOWN, null);
    await fold(60 + 45);
    const closed = async () => (await readFleets(db.database)).fleets.map((one) => one.closed_at);
    expect(await closed()).toEqual([null]);
    await checks(46, 80, DOWN, null);
    await fold(60 + 80);
    expect(await closed()).toEqual([expect.any(Date)]);
  });

  test("are kept when an API's clock is wrong by months", async ({ db }) => {
    const { check } = createFleetRecord(db.database);
    const { fold } = instance(db.database);
    const aheadMs = 90 * DAY_MS;
    await check("a", at(0) + aheadMs, DOWN);
    await db.database.pool.query("update company_state set api_clock_offset_ms = $1", [aheadMs]);
    for (const company of ["b", "c"]) await check(company, at(0), DOWN);
    await fold(1);
    const [{ members } = { members: [] }] = (await readFleets(db.database)).fleets;
    expect(members.map(([company]) => company)).toEqual(["a", "b", "c"]);
  });

  test("end although they were opened while an API's clock was ahead by months", async ({ db }) => {
    const { check } = createFleetRecord(db.database);
    const { fold } = instance(db.database);
    const setAhead = (ms: number) =>
      db.database.pool.query("update company_state set api_clock_offset_ms = $1", [ms]);
    const aheadMs = 90 * DAY_MS;
    for (const company of ["a", "b", "c"]) await check(company, at(0) + aheadMs, DOWN);
    await setAhead(aheadMs);
    await fold(1);
    await setAhead(0);
    for (let minute = 2; minute <= 20; minute += 1)
      for (const company of ["a", "b", "c"]) await check(company, at(minute), UP);
    await fold(21);
    const fleets = (await readFleets(db.database)).fleets;
    expect(fleets).toMatchObject([{ closed_at: expect.any(Date) as Date, members: [{}, {}, {}] }]);
  });

  test("don't wait for a company that was disconnected", async ({ db }) => {
    const { check } = createFleetRecord(db.database);
    for (const company of ["a", "b", "c"]) await check(company, at(0), DOWN);
    const { fold } = instance(db.database);
    await fold(1);
    await db.database.pool.query(
      "insert into companies (slug, name, left_at) values ('a', 'A', $1)",
      [new Date(at(2))],
    );
    await fold(3);
    const [{ members } = { members: [] }] = (await readFleets(db.database)).fleets;
    expect(members.map(([company, , , left]) => [company, left !== null])).toEqual([
      ["a", true],
      ["b", false],
      ["c", false],
    ]);
  });
});

const minutes = (count: number, kind: string) => Array.from({ length: count }, () => kind);

/** Six companies that go down, recover and can't be read, as they like. */
const histories = fc
  .array(
    fc.array(
      fc.record({
        wait: fc.integer({ min: 0, max: 8 }),
        length: fc.integer({ min: 1, max: 25 }),
        kind: fc.constantFrom("down", "down", "down", "blind", "paused"),
      }),
      { maxLength: 4 },
    ),
    { minLength: COMPANIES.length, maxLength: COMPANIES.length },
  )
  .map((all) =>
    historyOf(
      all.map((parts) =>
        parts.flatMap(({ wait, length, kind }) => [
          ...minutes(wait, "up"),
          ...minutes(length, kind),
        ]),
      ),
    ),
  );

/** What each company does, minute by minute; up afterwards. */
function historyOf(kinds: readonly (readonly string[])[]): Script {
  return {
    last: 50,
    found(company, minute) {
      const kind = kinds[COMPANIES.indexOf(company)]?.[minute];
      if (kind === "blind" && minute > 0) return null;
      return kind === "down" ? DOWN : kind === "paused" ? { Procore: "paused" } : UP;
    },
  };
}

/** The last of three gets into trouble while another is blind, which is seen again in a check that is recorded late. */
const SEEN_LATE = historyOf([
  minutes(20, "down"),
  [],
  [...minutes(19, "down"), ...minutes(3, "up"), ...minutes(7, "blind")],
  [],
  [],
  [...minutes(24, "up"), "down"],
]);

test("a killed leader, another instance and a replay give the same fleet incidents", async ({
  db,
}) => {
  let opened = 0;
  const property = fc.asyncProperty(
    histories,
    fc.array(fc.boolean(), { minLength: 1 }),
    async (script, kills) => {
      await db.asOwner(`truncate ${FLEETS}, ${RECORD}`);
      const live = instance(db.database);
      await record(db, script, (minute) => live.fold(minute));
      const { fleets } = await readFleets(db.database);
      opened += fleets.length;

      await db.asOwner(`truncate ${FLEETS}`);
      await instance(db.database).fold(script.last + 1);
      expect((await readFleets(db.database)).fleets).toEqual(fleets);

      await db.asOwner(`truncate ${FLEETS}, ${RECORD}`);
      let ids: readonly string[] = [];
      await record(db, script, async (minute) => {
        const isKilled = kills[minute % kills.length] === true;
        const dies = () => {
          throw new Error("killed");
        };
        if (isKilled)
          await expect(instance(db.database, dies).fold(minute)).rejects.toThrow("killed");
        else await instance(db.database).fold(minute);
        const now = (await readFleets(db.database)).ids;
        expect(now.slice(0, ids.length)).toEqual(ids);
        ids = now;
      });
      await instance(db.database).fold(script.last + 1);
      expect((await readFleets(db.database)).fleets).toEqual(fleets);
    },
  );
  await fc.assert(property, { numRuns: 3, examples: [[SEEN_LATE, [false]]] });
  expect(opened).toBeGreaterThan(0);
}, 120_000);
