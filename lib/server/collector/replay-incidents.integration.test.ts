import pino from "pino";
import { beforeEach, describe, expect } from "vitest";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { NO_INCIDENTS } from "@/lib/domain/incidents/incident";
import type { Database, Writer } from "@/lib/server/store/database";
import { createManualClock } from "@/lib/server/manual-clock";
import { readIncidentsState, writeIncidents } from "@/lib/server/store/incidents/incident-records";
import { isPastReplayed } from "@/lib/server/store/incidents/recorded-past";
import { countIncidents, isPastUnreplayed } from "@/lib/server/store/report/incidents";
import { createPerson } from "@/lib/server/store/people/people";
import { expectations } from "@/lib/server/store/schema/quiet";
import { databaseTest } from "@/lib/server/store/test-database";
import { LeadershipLost } from "./check-record";
import { createReplay } from "./replay-incidents";
import { HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

const BEGIN_MS = Date.parse("2026-10-01T00:00:00Z");
/** The first check with incident detection. */
const LIVE_MS = BEGIN_MS + 5 * DAY_MS;
const at = (hours: number) => BEGIN_MS + hours * HOUR_MS;
const iso = (ms: number) => new Date(ms).toISOString();
const log = pino({ level: "silent" });
const stopping = new AbortController();

const test = databaseTest();
let database: Database;
let count = 0;
let company = "";
test.beforeAll(async ({ db }) => {
  ({ database } = db);
});
beforeEach(() => {
  count += 1;
  company = `company-${count}`;
});

const query = async <Row extends Record<string, unknown>>(text: string, values: unknown[] = []) =>
  (await database.pool.query<Row>(text, values)).rows;

async function endpoint(
  id: string,
  {
    partner = "Procore",
    seen = {},
    changes,
    landings = [],
  }: {
    partner?: string;
    seen?: Record<string, number>;
    changes: readonly (readonly [hours: number, verdict: string | null])[];
    /** When data was received, and when a check showed it, where that is recorded. */
    landings?: readonly (number | readonly [hours: number, seenHours: number])[];
  },
): Promise<void> {
  await query(
    `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, frequency_minutes, raw, verdict,
       first_seen_at, attributes_seen_ms)
     values ($1, $2, $2, $3, 60, $4, 'fresh', $5, $6)`,
    [company, id, partner, { id, attributes: { status: "active" } }, iso(BEGIN_MS), seen],
  );
  let previous: string | null = null;
  for (const [hours, verdict] of changes) {
    await query(`insert into verdict_changes values ($1, $2, $3, $4, $5)`, [
      company,
      id,
      iso(at(hours)),
      verdict,
      previous,
    ]);
    previous = verdict;
  }
  for (const landing of landings) {
    const [hours, seenHours = null] = typeof landing === "number" ? [landing] : landing;
    await query(`insert into landings values ($1, $2, $3, 'observed', $4)`, [
      company,
      id,
      iso(at(hours)),
      seenHours === null ? null : iso(at(seenHours)),
    ]);
  }
}

/** Five days: data that was late twice, a pause, a gap with an ending in it, and ongoing trouble. */
async function fiveDays(): Promise<void> {
  await query(`insert into companies (slug, name) values ($1, $1)`, [company]);
  await endpoint("a", {
    changes: [
      [0, "fresh"],
      [10, "late"],
      [11, "stale"],
      [14, "fresh"],
      [40, "stale"],
      [50, "fresh"],
    ],
    landings: [8, 13.99, 38, 47],
  });
  await query(`insert into gaps values ($1, $2, $3, 'unreachable')`, [
    company,
    iso(at(45)),
    iso(at(50)),
  ]);
  await endpoint("b", {
    partner: "Kahua",
    changes: [
      [0, "fresh"],
      [60, "stale"],
      [70, "paused"],
    ],
    landings: [57],
  });
  await endpoint("c", {
    partner: "Sage",
    changes: [
      [0, "stale"],
      [20, "fresh"],
      [100, "stale"],
    ],
    landings: [19.99],
  });
}

/** The first check with incident detection finds the ongoing trouble. */
async function goLive(): Promise<void> {
  await database.orm.transaction((tx) =>
    writeIncidents(
      tx,
      company,
      {
        state: { observedAtMs: LIVE_MS, lastId: 1, open: [], suspects: {} },
        changed: [
          {
            id: 1,
            partner: "Sage",
            beganMs: at(99.5),
            openedMs: LIVE_MS,
            verdict: "stale",
            worstVerdict: "stale",
            flaps: 0,
            calmMs: null,
            members: [
              {
                endpointId: "c",
                endpointKey: "c",
                verdict: "stale",
                trouble: "stale",
                beganMs: at(99.5),
                joinedMs: LIVE_MS,
                landedMs: at(19.9),
                landedBeforeMs: at(19.9),
                receivedMs: null,
                endedMs: null,
                ending: null,
              },
            ],
          },
        ],
        ended: [],
        events: [
          {
            incidentId: 1,
            partner: "Sage",
            atMs: LIVE_MS,
            kind: "opened",
            endpointId: "c",
            to: "stale",
          },
        ],
      },
      LIVE_MS,
    ),
  );
}

/** As after a start: loaded from the record. */
async function opened() {
  return {
    slug: company,
    state: { rhythmSeconds: 60 },
    incidents: await readIncidentsState(database, company),
    isPastReplayed: await isPastReplayed(database, company),
  };
}

function replayOf({
  writer = database,
  startsInMs = 60_000,
  isLow = false,
}: { writer?: Writer; startsInMs?: number; isLow?: boolean } = {}) {
  return createReplay({
    database,
    writer,
    clock: createManualClock(LIVE_MS),
    log,
    disk: { isLow: () => Promise.resolve(isLow) },
    schedule: { startsInMs: () => startsInMs },
    incidents: INCIDENT_SETTINGS,
  });
}

const report = () =>
  query(
    `select i.id, partner_name as partner, began_at, opened_at, ended_at, ending, flaps, owner_id,
       array(select kind || ' ' || to_char(at at time zone 'UTC', 'DD HH24:MI') from incident_events e
         where e.company = i.company and incident_id = i.id order by seq) as events
     from incidents i where company = $1 order by id`,
    [company],
  );

describe("the record from before incident detection", () => {
  test("becomes incidents once, without changing existing ones", async () => {
    await fiveDays();
    await goLive();
    const [live] = await report();
    const one = await opened();
    expect(one.isPastReplayed).toBe(false);
    await replayOf()(one, stopping.signal);
    expect(one).toMatchObject({ isPastReplayed: true, incidents: { lastId: 5 } });
    const after = await report();
    expect(after).toEqual([
      live,
      {
        id: 2,
        partner: "Procore",
        began_at: new Date(at(10)),
        opened_at: new Date(at(10.25)),
        ended_at: new Date(at(13.99)),
        ending: "recovered",
        flaps: 0,
        owner_id: null,
        events: ["opened 01 10:15", "worsened 01 11:00", "left 01 14:00", "ended 01 14:10"],
      },
      {
        id: 3,
        partner: "Sage",
        began_at: new Date(at(0)),
        opened_at: new Date(at(0)),
        ended_at: new Date(at(19.99)),
        ending: "recovered",
        flaps: 0,
        owner_id: null,
        events: ["opened 01 00:00", "left 01 20:00", "ended 01 20:10"],
      },
      {
        id: 4,
        partner: "Procore",
        began_at: new Date(at(40)),
        opened_at: new Date(at(40)),
        ended_at: new Date(at(47)),
        ending: "recovered",
        flaps: 0,
        owner_id: null,
        events: ["opened 02 16:00", "blind 02 21:00", "seen_again 03 02:00", "ended 03 02:10"],
      },
      {
        id: 5,
        partner: "Kahua",
        began_at: new Date(at(60)),
        opened_at: new Date(at(60)),
        ended_at: new Date(at(70)),
        ending: "paused",
        flaps: 0,
        owner_id: null,
        events: ["opened 03 12:00", "left 03 22:00", "ended 03 22:10"],
      },
    ]);

    await replayOf()(await opened(), stopping.signal);
    await replayOf()({ ...(await opened()), isPastReplayed: false }, stopping.signal);
    expect(await report()).toEqual(after);
  });

  test("respects planned quiet times of the past", async () => {
    await fiveDays();
    const madeById = await createPerson(database.orm, {
      email: `${company}@example.com`,
      name: "Ana",
      grants: [],
      passwordHash: null,
    });
    await database.orm.insert(expectations).values({
      company,
      partnerName: "Kahua",
      reason: "ERP upgrade",
      fromAt: new Date(at(62)),
      untilAt: new Date(at(66)),
      madeById,
      madeByName: "Ana",
      madeAt: new Date(at(61)),
    });
    await goLive();
    const one = await opened();
    await replayOf()(one, stopping.signal);
    const kahua = (await report()).filter(({ partner }) => partner === "Kahua");
    expect(kahua).toMatchObject([
      {
        ending: "expected",
        began_at: new Date(at(60)),
        ended_at: new Date(at(62)),
        events: ["opened 03 12:00", "left 03 14:00", "ended 03 14:10"],
      },
      {
        ending: "paused",
        // It never recovered in between.
        began_at: new Date(at(60)),
        ended_at: new Date(at(70)),
        events: ["opened 03 18:00", "left 03 22:00", "ended 03 22:10"],
      },
    ]);
  });

  test("resumes where a process ended, with the same result", async () => {
    await fiveDays();
    await goLive();
    await replayOf()(await opened(), stopping.signal);
    const whole = await report();

    count += 1;
    company = `company-${count}`;
    await fiveDays();
    await goLive();
    let starts = 0;
    for (; !(await isPastReplayed(database, company)); starts += 1)
      await replayOf({ startsInMs: 0 })(await opened(), stopping.signal);
    expect(starts).toBe(5);
    expect(await report()).toEqual(whole);
  });

  test("isn't duplicated when the response to a write was lost, or another process wrote", async () => {
    await fiveDays();
    await goLive();
    const losing: Writer = {
      orm: {
        async transaction(work) {
          await database.orm.transaction(work);
          throw new Error("the connection is gone");
        },
      },
    };
    const one = await opened();
    const stale = await opened();
    await expect(replayOf({ writer: losing })(one, stopping.signal)).rejects.toThrow(
      LeadershipLost,
    );
    const after = await report();
    expect(after).toHaveLength(5);
    // Its ids are outdated, so it has to reload the record.
    await query(`update incident_states set recorded_since = null where company = $1`, [company]);
    await expect(replayOf()(stale, stopping.signal)).rejects.toThrow(LeadershipLost);
    expect(await report()).toEqual(after);
  });

  test("waits for the first check, and for disk space", async () => {
    await fiveDays();
    const early = await opened();
    await replayOf()(early, stopping.signal);
    await goLive();
    await replayOf({ isLow: true })(await opened(), stopping.signal);
    expect(early.isPastReplayed).toBe(false);
    expect(await report()).toHaveLength(1);
  });

  test("ends incidents by data reported late, received on an earlier day than shown", async () => {
    await query(`insert into companies (slug, name) values ($1, $1)`, [company]);
    const changes = [
      [0, "fresh"],
      [23, "stale"],
      [50, "fresh"],
    ] as const;
    await endpoint("late", { changes, landings: [8, [22, 50]] });
    await endpoint("timely", { partner: "Kahua", changes, landings: [8, [22, 22]] });
    await endpoint("weeks", { partner: "Aconex", changes, landings: [-500, [-400, 50]] });
    await goLive();
    await replayOf()(await opened(), stopping.signal);
    expect(
      await query(
        `select partner_name as partner, ending, members->0->>'ending' as member,
           (members->0->>'receivedMs')::float8 as received
         from incidents where company = $1 and ended_at is not null order by 1`,
        [company],
      ),
    ).toEqual([
      { partner: "Aconex", ending: "recovered", member: "data_received", received: at(-400) },
      { partner: "Kahua", ending: "eased", member: "eased", received: null },
      { partner: "Procore", ending: "recovered", member: "data_received", received: at(22) },
    ]);
  });

  test("ignores the time when an endpoint belonged to another partner", async () => {
    await query(`insert into companies (slug, name) values ($1, $1)`, [company]);
    await endpoint("moved", {
      seen: { partner_name: at(30), status: BEGIN_MS },
      changes: [
        [0, "fresh"],
        [10, "stale"],
        [14, "fresh"],
        [40, "stale"],
        [50, "fresh"],
      ],
      landings: [8, 13.99, 38, 49.99],
    });
    await goLive();
    await replayOf()(await opened(), stopping.signal);
    expect((await report()).map(({ began_at }) => began_at)).toEqual([
      new Date(at(99.5)),
      new Date(at(40)),
    ]);
  });

  test("keeps incidents from a version that didn't store its start", async () => {
    await fiveDays();
    await goLive();
    await query(
      `update incident_states set first_observed_at = null, observed_at = observed_at + interval '1 day'
       where company = $1`,
      [company],
    );
    await replayOf({ startsInMs: 0 })(await opened(), stopping.signal);
    expect(
      await query(`select first_observed_at as at from incident_states where company = $1`, [
        company,
      ]),
    ).toEqual([{ at: new Date(LIVE_MS) }]);
  });

  test("is empty for a new company", async () => {
    await query(`insert into companies (slug, name) values ($1, $1)`, [company]);
    expect(await isPastReplayed(database, company)).toBe(true);
    await database.orm.transaction((tx) =>
      writeIncidents(
        tx,
        company,
        {
          state: { ...NO_INCIDENTS, observedAtMs: LIVE_MS },
          changed: [],
          ended: [],
          events: [],
        },
        LIVE_MS,
      ),
    );
    expect(await isPastUnreplayed(database, company)).toBe(false);
    expect(await countIncidents(database, company, { fromMs: at(0), untilMs: LIVE_MS })).toBeNull();
    expect(
      await countIncidents(database, company, { fromMs: at(0), untilMs: LIVE_MS + 1 }),
    ).toEqual({});
  });
});

describe("report", () => {
  test("counts each incident on the day it was opened, once the replay is finished", async () => {
    await fiveDays();
    const day = (n: number) => ({
      fromMs: BEGIN_MS + n * DAY_MS,
      untilMs: BEGIN_MS + (n + 1) * DAY_MS,
    });
    expect(await isPastUnreplayed(database, company)).toBe(true);
    await goLive();
    expect(await countIncidents(database, company, day(0))).toBeNull();
    await replayOf()(await opened(), stopping.signal);
    expect(await isPastUnreplayed(database, company)).toBe(false);
    const counts = [];
    for (let n = -1; n < 6; n += 1) counts.push(await countIncidents(database, company, day(n)));
    expect(counts).toEqual([
      null,
      { Procore: 1, Sage: 1 },
      { Procore: 1 },
      { Kahua: 1 },
      {},
      {},
      { Sage: 1 },
    ]);
  });
});
