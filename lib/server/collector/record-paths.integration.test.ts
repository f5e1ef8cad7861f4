import { randomUUID } from "node:crypto";
import { inArray } from "drizzle-orm";
import { expect } from "vitest";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { NO_INCIDENTS, type IncidentsState } from "@/lib/domain/incidents/incident";
import { iso } from "@/lib/domain/time/instant";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";
import type { Database, Writer } from "@/lib/server/store/database";
import { Deposed, fenced } from "@/lib/server/store/fence";
import { deadlineFolds } from "@/lib/server/store/schema/deadlines";
import { leads } from "@/lib/server/store/schema/leads";
import { databaseTest } from "@/lib/server/store/test-database";
import { readEndpointHistories } from "@/lib/server/store/sync/endpoint-history";
import type { CompanyState, EndpointRecord } from "@/lib/server/store/sync/records";
import { isUnchanged } from "@/lib/server/store/sync/write-at-once";
import { writeSnapshot } from "@/lib/server/store/sync/write-snapshot";
import { completed } from "@/lib/domain/steps";
import { applySnapshot, findChanges, type CallSample } from "./observe";
import { watchIncidents } from "./watch-incidents";

const START_MS = Date.parse("2026-03-02T00:00:00Z");
const CHECK_MS = 10 * MINUTE_MS;
const ENDPOINTS = 8;
const FOLD_VERSION = 3;
const TABLES = [
  ["company_state", "1"],
  ["endpoints", "endpoint_id"],
  ["runs", "endpoint_id, started_at"],
  ["landings", "endpoint_id, landed_at"],
  ["verdict_changes", "endpoint_id, changed_at"],
  ["endpoint_facts", "endpoint_id, seen_at"],
  ["call_samples", "endpoint_id, sampled_at"],
  ["incidents", "id"],
  ["incident_events", "incident_id, seq"],
  ["incident_states", "1"],
  ["deadline_folds", "1"],
] as const;

const test = databaseTest();

/** What the API serves: endpoints of several cadences that fail, stop and disappear for hours. */
function rowsAt(nowMs: number): Map<string, ReadSyncStatus> {
  const hours = (nowMs - START_MS) / (60 * MINUTE_MS);
  const rows = new Map<string, ReadSyncStatus>();
  for (let n = 0; n < ENDPOINTS; n += 1) {
    if (n === 3 && hours >= 6 && hours < 9) continue;
    const cadence = [15, 30, 60, 240][n % 4] ?? 60;
    const stopsMs = n === 5 ? START_MS + 4 * 60 * MINUTE_MS : Infinity;
    const untilMs = Math.min(nowMs, stopsMs);
    const landedMs = untilMs - (untilMs % (cadence * MINUTE_MS));
    const isFailing = n === 2 && hours >= 10 && hours < 14;
    rows.set(`e${n}`, {
      id: `e${n}`,
      type: "sync_status",
      attributes: {
        endpoint_key: `key_${n}`,
        partner_name: `Partner ${n % 3}`,
        status: n === 7 && hours >= 12 ? "inactive" : "active",
        last_updated_at: iso(landedMs),
        next_sync_at: iso(landedMs + cadence * MINUTE_MS),
        last_sync_status: isFailing ? "failed" : "completed",
        last_sync_started_at: iso(landedMs - MINUTE_MS),
        last_sync_finished_at: iso(landedMs),
        last_sync_duration_seconds: 60,
        frequency_minutes: cadence,
        api_calls_last_24h: Math.floor(hours) * (n + 1),
      },
    });
  }
  return rows;
}

/** @param isWhole compares and derives everything at each check, and writes it in a transaction of several statements */
function createRecorder(database: Database, writer: Writer, company: string, isWhole: boolean) {
  let recorded: ReadonlyMap<string, EndpointRecord> = new Map();
  const samples = new Map<string, CallSample>();
  let incidents: IncidentsState = NO_INCIDENTS;
  let missingForAPoll: ReadonlySet<string> = new Set();
  let version = 0;
  let previousAsOfMs: number | null = null;
  return async (rows: ReadonlyMap<string, ReadSyncStatus>, nowMs: number) => {
    const found = completed(findChanges(recorded, rows, nowMs));
    if (isWhole) found.endpointIds = new Set(rows.keys());
    const histories = await readEndpointHistories(database, company, [...found.endpointIds]);
    const { endpoints, changes } = completed(
      applySnapshot({
        recorded,
        samples,
        rows,
        found,
        histories,
        blindGaps: [],
        gap: null,
        asOfMs: nowMs,
        previousAsOfMs,
        apiNowMs: nowMs,
        missingForAPoll,
      }),
    );
    const ofIncidents = completed(
      watchIncidents(incidents, endpoints, changes, INCIDENT_SETTINGS, []),
    );
    const state: CompanyState = {
      version,
      asOfMs: nowMs,
      lastAttemptMs: nowMs,
      reason: null,
      rhythmSeconds: CHECK_MS / 1000,
      nextRefreshMs: nowMs + CHECK_MS,
      apiClockOffsetMs: 0,
      databaseClockOffsetMs: null,
      totalPages: 1,
      rateLimit: null,
      budget: { used: 1, limit: 60 },
    };
    const all = {
      ...changes,
      incidents: ofIncidents,
      promises: [],
      deadlines: {
        fold: { version: FOLD_VERSION, closedUntilMs: previousAsOfMs ?? START_MS },
        closedUntilMs: nowMs,
        closed: [],
        received: [],
        risks: [],
      },
      observedBeforeMs: incidents.observedAtMs,
    };
    expect(await writeSnapshot(writer, company, state, all)).toBe(true);
    for (const { endpointId, value } of changes.callSamples)
      samples.set(endpointId, { atMs: nowMs, value });
    missingForAPoll = new Set([...endpoints.keys()].filter((id) => !rows.has(id)));
    recorded = endpoints;
    incidents = ofIncidents.state;
    previousAsOfMs = nowMs;
    version += 1;
    return isUnchanged(all);
  };
}

async function addFolds(database: Database, companies: readonly string[], version: number) {
  const closedUntil = new Date(START_MS);
  await database.orm
    .insert(deadlineFolds)
    .values(companies.map((company) => ({ company, closedUntil, version })));
}

async function leaderOf(database: Database) {
  const term = randomUUID();
  await database.orm
    .insert(leads)
    .values({ of: "collector", term, since: new Date() })
    .onConflictDoUpdate({ target: leads.of, set: { term } });
  return { term, writer: fenced(database, { of: "collector", term, onDeposed: () => undefined }) };
}

test("the record of a day is the same whether or not checks only look at what changed", async ({
  db: { database },
}) => {
  const { writer } = await leaderOf(database);
  await addFolds(database, ["quick", "whole"], FOLD_VERSION);
  const quick = createRecorder(database, writer, "quick", false);
  const whole = createRecorder(database, { orm: database.orm }, "whole", true);
  let unchanged = 0;
  let served = rowsAt(START_MS);
  for (let nowMs = START_MS; nowMs < START_MS + DAY_MS; nowMs += CHECK_MS) {
    const rows = rowsAt(nowMs);
    // Most checks get the very rows of the one before, as if the page hadn't changed.
    if (JSON.stringify([...rows]) !== JSON.stringify([...served])) served = rows;
    if (await quick(served, nowMs)) unchanged += 1;
    await whole(rowsAt(nowMs), nowMs);
  }
  expect(unchanged).toBeGreaterThan(20);
  for (const [table, order] of TABLES) {
    const [first, second] = await Promise.all(
      ["quick", "whole"].map(async (company) => {
        const { rows } = await database.pool.query<{ row: object }>(
          `select to_jsonb(t) - 'company' as row from ${table} t where company = $1 order by ${order}`,
          [company],
        );
        return rows;
      }),
    );
    expect(first?.length).toBeGreaterThan(0);
    expect({ table, rows: first }).toEqual({ table, rows: second });
  }
});

test("days aren't said to be closed when a deadline has changed since, nor those of another company", async ({
  db: { database },
}) => {
  const { writer } = await leaderOf(database);
  await addFolds(database, ["changed"], FOLD_VERSION + 1);
  await addFolds(database, ["other"], FOLD_VERSION);
  const record = createRecorder(database, writer, "changed", false);
  const rows = rowsAt(START_MS);
  await record(rows, START_MS);
  expect(await record(rows, START_MS + 1_000)).toBe(true);
  const folds = await database.orm
    .select()
    .from(deadlineFolds)
    .where(inArray(deadlineFolds.company, ["changed", "other"]));
  expect(folds.map(({ closedUntil }) => closedUntil.getTime())).toEqual([START_MS, START_MS]);
});

test("a deposed leader's check that changed nothing isn't recorded either", async ({
  db: { database },
}) => {
  const { writer } = await leaderOf(database);
  const record = createRecorder(database, writer, "northgate", false);
  const rows = rowsAt(START_MS);
  await record(rows, START_MS);
  await record(rows, START_MS + 1_000);
  await database.orm.update(leads).set({ term: randomUUID() });
  const version = async () =>
    (
      await database.pool.query(
        "select version, as_of from company_state where company = 'northgate'",
      )
    ).rows;
  const before = await version();
  await expect(record(rows, START_MS + 2_000)).rejects.toThrow(Deposed);
  expect(await version()).toEqual(before);
});
