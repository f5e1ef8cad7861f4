import { NO_DEADLINE_CHANGES } from "@/lib/server/store/deadlines/write-days";
import { NO_INCIDENT_CHANGES } from "./no-incident-changes-fixture";
import { describe, expect } from "vitest";
import type { ReadSyncStatus } from "@/lib/contracts/v3";
import {
  readDemoHistoryState,
  recordMissedStart,
  writeDemoHistory,
  type DemoHistoryChunk,
} from "./demo-history";
import { readEndpointHistories, readGaps } from "./endpoint-history";
import { readCompany, readLatestSamples, readVersions } from "./read-company";
import { saveCompanies, writeAttempt, writeSnapshot } from "./write-snapshot";
import type { CompanyState, EndpointRecord, SnapshotChanges } from "./records";
import { deleteExpired } from "./retention";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { DAY_MS } from "@/lib/domain/time/units";

const NOW_MS = Date.parse("2026-03-02T12:00:00.123Z");

const test = freshDatabaseTest();

const state = (version: number, asOfMs: number | null = NOW_MS): CompanyState => ({
  version,
  asOfMs,
  lastAttemptMs: NOW_MS,
  reason: asOfMs === null ? "unreachable" : null,
  rhythmSeconds: 60,
  nextRefreshMs: NOW_MS + 60_000,
  apiClockOffsetMs: -12.5,
  databaseClockOffsetMs: null,
  totalPages: 3,
  rateLimit: { limit: 60, remaining: 58, resetAtMs: NOW_MS + 1000 },
  budget: { used: 2, limit: 60 },
});

function endpoint(id: string, changes: Partial<EndpointRecord> = {}): EndpointRecord {
  const row: ReadSyncStatus & { colour: string } = {
    id,
    colour: "green",
    attributes: {
      endpoint_key: "rfis",
      partner_name: "Procore",
      status: "hibernating",
      last_updated_at: "2026-03-02T13:50:00+02:00",
      next_sync_at: null,
      last_sync_status: null,
      last_sync_started_at: "0000-01-01T00:00:00Z",
      last_sync_finished_at: null,
      last_sync_duration_seconds: 1.5,
      frequency_minutes: 60,
      api_calls_last_24h: 3,
    },
  };
  return {
    row,
    attributesSeenMs: { status: NOW_MS, api_calls_last_24h: NOW_MS - 60_000 },
    known: {
      typical_duration_seconds: 12.5,
      failures_in_a_row: 2,
      last_finished_status: "failed",
      last_finished_at: "2026-03-02T11:00:00.000Z",
      learned_frequency_minutes: 30,
      learned_week: null,
      reported: true,
    },
    failingSinceMs: NOW_MS - 3_600_000,
    lastFinishedStartedMs: NOW_MS - 3_700_000,
    verdict: "unknown",
    promise: null,
    firstSeenMs: NOW_MS,
    lastReportedMs: null,
    missedSnapshots: 0,
    removedMs: null,
    ...changes,
  };
}

const changed = (given: Partial<SnapshotChanges> = {}): SnapshotChanges => ({
  endpoints: [],
  runs: [],
  landings: [],
  facts: [],
  verdictChanges: [],
  callSamples: [],
  gap: null,
  incidents: NO_INCIDENT_CHANGES,
  deadlines: NO_DEADLINE_CHANGES,
  promises: [],
  observedBeforeMs: null,
  apiNowMs: NOW_MS,
  ...given,
});

async function count(db: TestDatabase, table: string, where = "true"): Promise<number> {
  const { rows } = await db.database.pool.query<{ n: number }>(
    `select count(*)::int as n from ${table} where ${where}`,
  );
  return rows[0]?.n ?? -1;
}

describe("record", () => {
  test("reads back what was written: the state, and rows as received", async ({ db }) => {
    const record = endpoint("a");
    const changes = changed({ endpoints: [{ id: "a", record }] });
    expect(await writeSnapshot(db.database, "main", state(0), changes)).toBe(true);
    expect(await readCompany(db.database, "main")).toEqual({
      state: state(1),
      ageMs: null,
      endpoints: new Map([["a", record]]),
    });
    expect(await readVersions(db.database)).toEqual(new Map([["main", 1]]));
    expect(await readCompany(db.database, "other")).toEqual({
      state: null,
      ageMs: null,
      endpoints: new Map(),
    });
  });

  test("writes nothing of a snapshot when another process has published in between", async ({
    db,
  }) => {
    expect(await writeAttempt(db.database, "main", state(0, null))).toBe(true);
    const changes = changed({ endpoints: [{ id: "a", record: endpoint("a") }] });
    expect(await writeSnapshot(db.database, "main", state(0), changes)).toBe(false);
    expect(await writeAttempt(db.database, "main", state(7))).toBe(false);
    expect((await readCompany(db.database, "main")).endpoints.size).toBe(0);
    expect(await writeSnapshot(db.database, "main", state(1), changes)).toBe(true);
  });

  test("is written completely or not at all", async ({ db }) => {
    const twice = { endpointId: "a", landedMs: Number.NaN };
    const changes = changed({
      endpoints: [{ id: "a", record: endpoint("a") }],
      landings: [twice],
    });
    await expect(writeSnapshot(db.database, "main", state(0), changes)).rejects.toThrow("landings");
    expect(await readCompany(db.database, "main")).toEqual({
      state: null,
      ageMs: null,
      endpoints: new Map(),
    });
  });

  test("updates a run when it ends, and stores a landing once, with its first check", async ({
    db,
  }) => {
    const run = { endpointId: "a", startedMs: NOW_MS - 60_000, durationSeconds: null };
    const landing = { endpointId: "a", landedMs: NOW_MS - 1000 };
    const writes = [
      changed({
        runs: [{ ...run, finishedMs: null, status: "in_progress" }],
        landings: [landing],
      }),
      changed({
        runs: [{ ...run, finishedMs: NOW_MS, status: "completed" }],
        landings: [landing],
        apiNowMs: NOW_MS + 60_000,
      }),
    ];
    for (const [version, changes] of writes.entries())
      await writeSnapshot(db.database, "main", state(version), changes);
    const { rows } = await db.database.pool.query("select landed_at, seen_at from landings");
    expect(rows).toEqual([{ landed_at: new Date(NOW_MS - 1000), seen_at: new Date(NOW_MS) }]);
    expect(await readEndpointHistories(db.database, "main", ["a", "b"])).toEqual(
      new Map([
        [
          "a",
          {
            runs: [
              {
                startedMs: NOW_MS - 60_000,
                finishedMs: NOW_MS,
                status: "completed",
                durationSeconds: null,
              },
            ],
            landingsMs: [NOW_MS - 1000],
          },
        ],
        ["b", { runs: [], landingsMs: [] }],
      ]),
    );
  });

  test("accepts more endpoints than fit into one statement", async ({ db }) => {
    const endpoints = Array.from({ length: 1_201 }, (_, index) => ({
      id: `e${index}`,
      record: endpoint(`e${index}`),
    }));
    const callSamples = endpoints.map(({ id }, value) => ({ endpointId: id, value }));
    const changes = changed({ endpoints, callSamples });
    await writeSnapshot(db.database, "main", state(0), changes);
    expect((await readCompany(db.database, "main")).endpoints.size).toBe(1_201);
    const samples = await readLatestSamples(db.database, "main");
    expect(samples.get("e1200")).toEqual({ atMs: NOW_MS, value: 1_200 });
  });

  test("stores a company's latest name", async ({ db }) => {
    await saveCompanies(db.database, [], 0);
    await saveCompanies(db.database, [{ slug: "main", name: "Main" }], 0);
    await saveCompanies(db.database, [{ slug: "main", name: "Northgate" }], 0);
    expect(await count(db, "companies", "slug = 'main' and name = 'Northgate'")).toBe(1);
  });
});

describe("retention", () => {
  test("deletes old history in batches, then removed endpoints, and nothing else", async ({
    db,
  }) => {
    const ids = ["a", "b", "gone"];
    const old = Array.from({ length: 25 }, (_, index) => NOW_MS - 91 * DAY_MS - index * 60_000);
    const writeAll = (times: readonly number[]) =>
      changed({
        runs: ids.flatMap((endpointId) =>
          times.map((startedMs) => ({
            endpointId,
            startedMs,
            finishedMs: null,
            status: "completed",
            durationSeconds: 1,
          })),
        ),
        landings: ids.flatMap((endpointId) => times.map((landedMs) => ({ endpointId, landedMs }))),
      });
    const gone = endpoint("gone", { removedMs: NOW_MS - 91 * DAY_MS, missedSnapshots: 4 });
    await writeSnapshot(db.database, "main", state(0), {
      ...writeAll([...old, NOW_MS]),
      endpoints: [
        { id: "a", record: endpoint("a") },
        { id: "b", record: endpoint("b") },
        { id: "gone", record: gone },
      ],
      callSamples: [{ endpointId: "a", value: 1 }],
      verdictChanges: [{ endpointId: "a", verdict: "fresh", previous: null, isRescheduled: false }],
      gap: {
        fromMs: NOW_MS - 95 * DAY_MS,
        untilMs: NOW_MS - 94 * DAY_MS,
        reason: "unreachable",
      },
      apiNowMs: NOW_MS - 91 * DAY_MS,
    });
    await writeSnapshot(db.database, "other", state(0), writeAll(old));

    const cutoffMs = NOW_MS - 90 * DAY_MS;
    const batches: number[] = [];
    for (let rows = -1; rows !== 0; batches.push(rows))
      rows = await deleteExpired(db.database, "main", cutoffMs, 20);
    expect(Math.max(...batches)).toBe(20);
    expect(batches.reduce((sum, rows) => sum + rows, 0)).toBe(75 + 75 + 1 + 1 + 1 + 1);
    expect(await count(db, "runs", "company = 'main'")).toBe(3);
    expect(await count(db, "landings", "company = 'main'")).toBe(3);
    expect(await readGaps(db.database, "main")).toEqual([]);
    expect([...(await readCompany(db.database, "main")).endpoints.keys()]).toEqual(["a", "b"]);
    expect(await count(db, "runs", "company = 'other'")).toBe(75);
  });
});

describe("demo history", () => {
  const run = {
    endpointId: "a",
    startedAt: NOW_MS - 60_000,
    finishedAt: NOW_MS,
    status: "failed",
    durationSeconds: 60,
    firstSeenAt: NOW_MS - 30_000,
  };
  const part = { fromMs: NOW_MS - 60_000, untilMs: NOW_MS, isOldest: true };
  const chunk: DemoHistoryChunk = {
    runs: [run, { ...run, startedAt: NOW_MS, finishedAt: null, durationSeconds: null }],
    landings: [{ endpointId: "a", landedAt: NOW_MS, seenAt: NOW_MS + 20_000 }],
    callSamples: [{ endpointId: "a", at: NOW_MS, value: 42 }],
    verdictChanges: [
      {
        endpointId: "a",
        at: NOW_MS - 60_000,
        verdict: "late",
        previous: null,
        isRescheduled: false,
      },
    ],
  };

  test("is written once, and marked", async ({ db }) => {
    expect(await writeDemoHistory(db.database, "demo", part, [chunk])).toBe(true);
    const later = {
      ...chunk,
      landings: [{ endpointId: "a", landedAt: NOW_MS + 1, seenAt: NOW_MS + 1 }],
    };
    expect(await writeDemoHistory(db.database, "demo", part, [later])).toBe(false);
    for (const [table, rows] of Object.entries({ runs: 2, landings: 1, call_samples: 1 }))
      expect(await count(db, table, "company = 'demo' and origin = 'demo'")).toBe(rows);
    expect(await count(db, "verdict_changes", "company = 'demo' and verdict = 'late'")).toBe(1);
    const histories = await readEndpointHistories(db.database, "demo", ["a"]);
    expect(histories.get("a")?.runs).toEqual([
      { startedMs: NOW_MS, finishedMs: null, status: "failed", durationSeconds: null },
      { startedMs: NOW_MS - 60_000, finishedMs: NOW_MS, status: "failed", durationSeconds: 60 },
    ]);
  });

  test("is written in parts, the newest first, each once", async ({ db }) => {
    const write = (given: typeof part, chunks: DemoHistoryChunk[]) =>
      writeDemoHistory(db.database, "demo", given, chunks);
    const stateOf = () => readDemoHistoryState(db.database.orm, "demo");
    expect(await stateOf()).toEqual({ isComplete: false, oldestMs: null });
    const newest = { ...part, isOldest: false };
    const running = { ...run, finishedAt: null, status: "in_progress", durationSeconds: null };
    const oldest = { fromMs: NOW_MS - 3_600_000, untilMs: newest.fromMs, isOldest: true };
    const earlier = {
      ...chunk,
      runs: [{ ...running, firstSeenAt: NOW_MS - 50_000 }],
      callSamples: [{ endpointId: "a", at: oldest.fromMs, value: 1 }],
    };
    expect(await write(newest, [chunk])).toBe(true);
    expect(await write(newest, [chunk])).toBe(false);
    expect(await stateOf()).toEqual({ isComplete: false, oldestMs: NOW_MS });
    expect(await write(oldest, [earlier])).toBe(true);
    expect(await write(oldest, [earlier])).toBe(false);
    expect(await stateOf()).toEqual({ isComplete: true, oldestMs: oldest.fromMs });
    const [seen] = (
      await db.database.pool.query<{ status: string; first_seen_at: Date }>(
        "select status, first_seen_at from runs where company = 'demo' order by started_at limit 1",
      )
    ).rows;
    expect(seen?.status).toBe("failed");
    expect(seen?.first_seen_at.getTime()).toBe(NOW_MS - 50_000);
  });

  test("is followed by a gap if the process ended before the first snapshot", async ({ db }) => {
    const gapsOf = async () =>
      (
        await db.database.pool.query<{ from_at: Date; until_at: Date }>(
          "select from_at, until_at from gaps where company = 'demo'",
        )
      ).rows.map((gap) => [gap.from_at.getTime(), gap.until_at.getTime()]);
    await recordMissedStart(db.database, "demo", NOW_MS);
    expect(await gapsOf()).toEqual([]);
    await writeDemoHistory(db.database, "demo", part, [chunk]);
    await recordMissedStart(db.database, "demo", NOW_MS + 3_600_000);
    await recordMissedStart(db.database, "demo", NOW_MS + 7_200_000);
    expect(await gapsOf()).toEqual([[NOW_MS, NOW_MS + 7_200_000]]);
    await writeSnapshot(db.database, "demo", state(0), changed({}));
    await recordMissedStart(db.database, "demo", NOW_MS + 9_000_000);
    expect(await gapsOf()).toEqual([[NOW_MS, NOW_MS + 7_200_000]]);
  });

  test("never replaces observed data", async ({ db }) => {
    const observed = {
      endpointId: "a",
      startedMs: run.startedAt,
      finishedMs: NOW_MS,
      status: "completed",
      durationSeconds: 60,
    };
    await writeSnapshot(db.database, "demo", state(0), changed({ runs: [observed] }));
    await writeDemoHistory(db.database, "demo", part, [chunk]);
    expect(await count(db, "runs", "status = 'completed' and origin = 'observed'")).toBe(1);
    expect(await count(db, "runs", "origin = 'demo'")).toBe(1);
  });

  test("leaves nothing behind on failure, and can be written again", async ({ db }) => {
    async function* breaking() {
      yield chunk;
      await Promise.resolve();
      throw new Error("the generator broke");
    }
    await expect(writeDemoHistory(db.database, "demo", part, breaking())).rejects.toThrow("broke");
    expect(await count(db, "runs")).toBe(0);
    expect(await writeDemoHistory(db.database, "demo", part, [chunk])).toBe(true);
  });

  test("accepts many rows", async ({ db }) => {
    const landings = Array.from({ length: 12_001 }, (_, index) => ({
      endpointId: `e${index % 60}`,
      landedAt: NOW_MS - index * 60_000,
      seenAt: NOW_MS - index * 60_000 + 20_000,
    }));
    await writeDemoHistory(db.database, "demo", part, [
      { runs: [], landings, callSamples: [], verdictChanges: [] },
    ]);
    expect(await count(db, "landings")).toBe(12_001);
  });
});
