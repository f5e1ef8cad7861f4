import { afterEach, beforeEach, describe, expect } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import type { ServedSyncStatus } from "@/lib/contracts/v3";
import {
  NO_INCIDENTS,
  type EndedIncident,
  type Member,
  type OpenIncident,
} from "@/lib/domain/incidents/incident";
import { replay } from "@/lib/domain/incidents/replay";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { readPastPeriod } from "@/lib/server/store/incidents/recorded-past";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import type { Look } from "./killed.fixture";
import { createKilledLeader } from "./killed/leader-fixture";
import { GAP_POLLS } from "./watched-company";
import { MINUTE_MS } from "@/lib/domain/time/units";

/**
 * `kill -9` of the leader at every step of a check: its incidents must match the record. `SOAK_REPEATS=20 npx
 * vitest run --project long lib/server/collector/killed` does that at each check of the scenario, 20 times.
 */
const REPEATS = Number(process.env["SOAK_REPEATS"] ?? "1");
const REPEATED = Array.from({ length: REPEATS }, (_, index) => index + 1);
const START_MS = Date.parse("2026-11-20T10:00:00Z");
const at = (minute: number) => START_MS + minute * MINUTE_MS;
const iso = (minute: number) => new Date(at(minute)).toISOString();
const COMPANY = "northgate";
const POLL_SECONDS = 360;
/** A third of a poll interval plus one percent. */
const CHECK_MS = 121_200;
/** From the end of a process to the first check of the next one. */
const RESTART_MS = 1_000;
/** No process runs during this time: the record has a gap. */
const AWAY = { from: 33, until: 55 };
const END = 72;
/** Steps of a check at which the leader is killed: the `first`, then every `each`th one. */
type Killing = { first: number; each: number };
/**
 * By default, kills in the first check from each of these minutes on. They open, join, return, end and observe
 * again.
 */
const KILLED: readonly (Killing & { from: number })[] = [
  { from: 0, first: 3, each: 1 },
  { from: 17, first: 3, each: 5 },
  { from: 31, first: 4, each: 5 },
  { from: AWAY.until, first: 2, each: 5 },
];
const EVERYWHERE: Killing = { first: 1, each: 1 };

/** Steps at which a check can end: before any of its writes, or after all of them. */
const STEPS = [
  "answered",
  "insert company_state",
  "update company_state",
  "select pg_notify($1, $2)",
  "insert endpoints",
  "insert endpoint_facts",
  "insert runs",
  "insert landings",
  "insert verdict_changes",
  "insert call_samples",
  "insert gaps",
  "insert incident_states",
  "select incident_care",
  "insert incidents",
  "select incidents",
  "select incident_events",
  "insert incident_events",
  "commit",
  "recorded",
];

type Run = { at: number; status: "failed" | "completed"; lands?: boolean };
/**
 * Scenario of some endpoints, by minute; all others are on time. A company's first check reports no earlier
 * trouble that the record couldn't show, so it starts with a failed run.
 */
const STORY: Readonly<Record<string, { pausedAt?: number; runs: readonly Run[] }>> = {
  "sc-5": {
    runs: [
      { at: -5, status: "failed" },
      { at: 6, status: "completed", lands: true },
    ],
  },
  "sc-6": {
    runs: [
      { at: -20, status: "completed", lands: true },
      { at: 2, status: "failed" },
      { at: 5, status: "failed" },
      { at: 10, status: "completed" },
      { at: 13, status: "failed" },
      { at: 16.5, status: "failed" },
      { at: 21, status: "completed", lands: true },
    ],
  },
  "sc-40": { pausedAt: 8, runs: [{ at: -5, status: "failed" }] },
  "sc-60": {
    runs: [
      { at: -20, status: "completed", lands: true },
      { at: 24, status: "failed" },
      { at: 28, status: "failed" },
      { at: 40, status: "completed", lands: true },
    ],
  },
  "sc-90": {
    runs: [
      { at: -20, status: "completed", lands: true },
      { at: 58, status: "failed" },
      { at: 62, status: "failed" },
    ],
  },
};

/** Two pages. */
const ROWS = sampleRows(101, START_MS).map(({ attributes, ...row }) => ({
  ...row,
  attributes: { ...attributes, frequency_minutes: 240, next_sync_at: iso(240) },
}));

function rowsAt(nowMs: number): ServedSyncStatus[] {
  return ROWS.map((row) => {
    const story = STORY[row.id];
    if (story === undefined) return row;
    const ended = story.runs.filter((run) => at(run.at) <= nowMs);
    const last = ended.at(-1);
    const landed = ended.findLast(({ lands }) => lands === true);
    return {
      ...row,
      attributes: {
        ...row.attributes,
        status: at(story.pausedAt ?? Infinity) <= nowMs ? "inactive" : "active",
        last_updated_at: landed === undefined ? null : iso(landed.at),
        last_sync_status: last?.status ?? null,
        last_sync_started_at: last === undefined ? null : iso(last.at - 1),
        last_sync_finished_at: last === undefined ? null : iso(last.at),
      },
    };
  });
}

const test = freshDatabaseTest();
let api: MisbehavingUpstream;
let nowMs: number;
let leader: ReturnType<typeof createKilledLeader>;

beforeEach(async () => {
  nowMs = START_MS;
  leader = createKilledLeader();
  api = await startMisbehavingUpstream({ nowMs: () => nowMs });
});
afterEach(async () => {
  await leader.kill();
  await api.close();
});

const query = async <Row extends Record<string, unknown>>(db: TestDatabase, statement: string) =>
  (await db.database.pool.query<Row>(statement)).rows;

/** Triggers one check. @returns the step at which the leader died; null: the check completed */
function look(db: TestDatabase, killAt: Look["killAt"]): Promise<string | null> {
  api.setRows(rowsAt(nowMs));
  const { baseUrl, clientId, clientSecret } = api;
  const plan = {
    api: { baseUrl, clientId, clientSecret },
    company: COMPANY,
    pollSeconds: POLL_SECONDS,
  };
  return leader.look(db, plan, { nowMs, killAt });
}

/** Incident data written by a check, and the version that shows whether it was written. */
async function written(db: TestDatabase): Promise<{ version: string | null }> {
  const [row] = await query<{ version: string | null }>(
    db,
    `select (select version from company_state),
       (select json_agg(one) from incident_states one) as states,
       (select json_agg(one order by id) from incidents one) as incidents,
       (select json_agg(one order by incident_id, seq) from incident_events one) as events,
       (select count(*) from verdict_changes) as changes`,
  );
  if (row === undefined) throw new Error("nothing was read");
  return row;
}

/** Runs the scenario check by check. @returns the steps at which the leader died */
async function live(
  db: TestDatabase,
  killingAt: (minute: number) => Killing | undefined,
): Promise<string[]> {
  const diedAt: string[] = [];
  let isRestarted = false;
  while (nowMs < at(END)) {
    if (nowMs >= at(AWAY.from) && nowMs < at(AWAY.until)) {
      await leader.kill();
      isRestarted = false;
      nowMs = at(AWAY.until);
    }
    // A leader that has just started continues from a recent record.
    const killing = isRestarted ? undefined : killingAt((nowMs - START_MS) / MINUTE_MS);
    const before = await written(db);
    for (let turn = 0; ; turn += 1) {
      const died = await look(
        db,
        killing === undefined ? null : killing.first + turn * killing.each,
      );
      if (died !== null) {
        diedAt.push(died);
        nowMs += RESTART_MS;
      }
      const after = await written(db);
      if (after.version !== before.version) break;
      // A check is written completely or not at all.
      expect(after).toEqual(before);
      expect(died).not.toBe("recorded");
    }
    isRestarted = !leader.isRunning();
    if (!isRestarted) nowMs += CHECK_MS;
  }
  return diedAt;
}

/** Incidents derived from the record, independent of those written live. */
async function replayed(db: TestDatabase) {
  const [state] = await query<{ at: Date }>(db, "select observed_at as at from incident_states");
  if (state === undefined) throw new Error("nothing was observed");
  const period = await readPastPeriod(db.database, COMPANY, {
    fromMs: START_MS,
    untilMs: state.at.getTime() + 1,
    sinceMs: null,
    seenWithinMs: GAP_POLLS * POLL_SECONDS * 1000,
  });
  return replay(NO_INCIDENTS, period, INCIDENT_SETTINGS);
}

async function expectWhatTheRecordTells(db: TestDatabase): Promise<void> {
  const expected = await replayed(db);
  const incidents = await query<{ members: Member[] }>(
    db,
    `select id, partner_name as partner, began_at, opened_at, ended_at, ending, verdict, worst_verdict, flaps, members
     from incidents order by id`,
  );
  expect(incidents).toEqual(
    [...expected.ended, ...expected.state.open]
      .toSorted((a, b) => a.id - b.id)
      .map((one: OpenIncident | EndedIncident) => ({
        id: one.id,
        partner: one.partner,
        began_at: new Date(one.beganMs),
        opened_at: new Date(one.openedMs),
        ended_at: "ending" in one ? new Date(one.endedMs) : null,
        ending: "ending" in one ? one.ending : null,
        verdict: one.verdict,
        worst_verdict: one.worstVerdict,
        flaps: one.flaps,
        members: one.members,
      })),
  );
  const events = await query<{ kind: string; ms: number }>(
    db,
    `select incident_id, seq, kind, endpoint_id, detail, date_part('epoch', at) * 1000 as ms
     from incident_events order by incident_id, seq`,
  );
  const seqs = new Map<number, number>();
  const expectedEvents = expected.events
    .map(({ incidentId, atMs, kind, ...more }) => {
      const { endpointId = null, ...rest } = more as { endpointId?: string; partner?: string };
      delete rest.partner;
      const seq = (seqs.get(incidentId) ?? 0) + 1;
      seqs.set(incidentId, seq);
      return {
        incident_id: incidentId,
        seq,
        kind,
        endpoint_id: endpointId,
        detail: rest,
        ms: atMs,
      };
    })
    .toSorted((a, b) => a.incident_id - b.incident_id || a.seq - b.seq);
  // Changes due to time alone are reported by the next check.
  for (const [index, { kind, ms }] of events.entries()) {
    const early = expectedEvents[index];
    if (kind !== "ended" || early?.kind !== "ended") continue;
    expect(ms - early.ms).toBeGreaterThanOrEqual(0);
    expect(ms - early.ms).toBeLessThan(2 * CHECK_MS);
    early.ms = ms;
  }
  expect(events).toEqual(expectedEvents);
}

/** Members marked as recovered without evidence in the record. */
const withoutEvidence = (db: TestDatabase) =>
  query(
    db,
    `select incidents.id, member from incidents, jsonb_array_elements(members) member
     where member ->> 'ending' in ('data_received', 'run_completed') and not case member ->> 'ending'
       when 'data_received' then exists (select from landings
         where endpoint_id = member ->> 'endpointId'
           and date_part('epoch', landed_at) * 1000 = (member ->> 'endedMs')::float8
           and landed_at > began_at)
       else exists (select from runs
         where endpoint_id = member ->> 'endpointId' and status = 'completed'
           and date_part('epoch', finished_at) * 1000 = (member ->> 'endedMs')::float8)
       end`,
  );

describe.each(REPEATED)("kill -9 of the leader, run %i", () => {
  test(
    "leaves the incidents derived from the record, without duplicates, losses or unproven recoveries",
    { timeout: 900_000 },
    async ({ db }) => {
      const due = [...KILLED];
      const diedAt = await live(db, (minute) => {
        if (REPEATS > 1) return EVERYWHERE;
        return minute >= (due[0]?.from ?? Infinity) ? due.shift() : undefined;
      });
      const ends = await query(db, "select partner_name, ending, flaps from incidents order by id");
      expect(ends).toEqual([
        { partner_name: "Autodesk Build", ending: "paused", flaps: 0 },
        { partner_name: "Procore", ending: "recovered", flaps: 1 },
        { partner_name: "Primavera P6", ending: "recovered", flaps: 0 },
        { partner_name: "Sage 300", ending: null, flaps: 0 },
      ]);
      await expectWhatTheRecordTells(db);
      expect(await withoutEvidence(db)).toEqual([]);
      expect(new Set(diedAt)).toEqual(new Set(STEPS));
    },
  );
});
