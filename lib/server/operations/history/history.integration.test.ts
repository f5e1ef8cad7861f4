import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fillRecord } from "@/bench/record";
import {
  ApiCallsView,
  BoardHistory,
  BoardThenView,
  EndpointHistory,
  PartnerHistory,
  RunPage,
  ThenView,
} from "@/lib/contracts/history";
import {
  historyAxis,
  landingsOf,
  mergePeriods,
  outcomeLetter,
  outcomeSlots,
} from "@/lib/domain/history";
import { toWebResponse } from "@/lib/server/http/handler-response";
import { createSnapshots, type CompanySnapshot } from "@/lib/server/collector/snapshots";
import { createLog } from "@/lib/server/log";
import { createManualClock } from "@/lib/server/manual-clock";
import type { Database } from "@/lib/server/store/database";
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import { readAbsences } from "@/lib/server/store/history/recorded-endpoints";
import { rowBudget } from "@/lib/server/store/most-rows";
import { thinCalls } from "@/lib/server/store/sync/thin-calls";
import { getApiCalls, getApiCallsCsv } from "./get-api-calls";
import { getBoardAt } from "./get-board-at";
import { getBoardHistory } from "./get-board-history";
import { findRemovedEndpoint, findRemovedPartner } from "./find-removed";
import { getEndpointHistory } from "./get-endpoint-history";
import { getPartnerHistory } from "./get-partner-history";
import { getPartnerAt } from "./get-partner-at";
import { listRuns } from "./list-runs";
import { MINUTE_MS, HOUR_MS, DAY_MS } from "@/lib/domain/time/units";

const NOW_MS = Date.parse("2026-03-02T12:07:00.000Z");

let test: TestDatabase;
beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

const iso = (ms: number) => new Date(ms).toISOString();
const query = (given: Record<string, string> = {}) => new URLSearchParams(given);

function runtimeAt(nowMs = NOW_MS, snapshot: CompanySnapshot | null = null) {
  const clock = createManualClock(nowMs);
  const { database } = test;
  const snapshots = createSnapshots({ database, clock, log: createLog("silent") });
  if (snapshot !== null) snapshots.publish(snapshot);
  return { database, clock, snapshots, config: { retentionDays: 90 } };
}

const withExternalId = (company: string) => ({
  ...runtimeAt(),
  connections: [{ company, name: "Company", externalId: "CRM-7" }],
});

/** Writes a record by hand; instants are on the API's clock, which equals ours here. */
async function record(
  company: string,
  given: {
    asOfMs?: number;
    endpoints?: {
      id: string;
      partner?: string;
      firstSeenMs?: number;
      lastReportedMs?: number;
      removedMs?: number;
    }[];
    runs?: { id?: string; startedMs: number; finishedMs: number | null; status: string | null }[];
    landings?: { id?: string; landedMs: number }[];
    changes?: { id?: string; atMs: number; verdict: string | null; previous?: string | null }[];
    samples?: { id?: string; atMs: number; value: number }[];
    gaps?: { fromMs: number; untilMs: number; reason?: string }[];
  },
): Promise<void> {
  const { pool } = test.database;
  await pool.query(
    `insert into company_state (company, version, as_of, last_attempt_at, rhythm_seconds, next_refresh_at,
       api_clock_offset_ms, total_pages, budget)
     values ($1, 1, $2, $2, 60, $2, 0, 1, '{"used":0,"limit":60}')`,
    [company, iso(given.asOfMs ?? NOW_MS - 30_000)],
  );
  const endpoints = given.endpoints ?? [{ id: "a" }];
  for (const { id, partner = "Procore", ...times } of endpoints) {
    await pool.query(
      `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, frequency_minutes,
         raw, attributes_seen_ms, verdict, first_seen_at, last_reported_at, removed_at)
       values ($1, $2, $2 || ' key', $3, 60, $4, $8, 'late', $5, $6, $7)`,
      [
        company,
        id,
        partner,
        { id, colour: "green", attributes: { status: "active", mood: "good" } },
        iso(times.firstSeenMs ?? NOW_MS - 40 * DAY_MS),
        times.lastReportedMs === undefined ? null : iso(times.lastReportedMs),
        times.removedMs === undefined ? null : iso(times.removedMs),
        { status: NOW_MS - DAY_MS },
      ],
    );
  }
  for (const run of given.runs ?? [])
    await pool.query(`insert into runs values ($1, $2, $3, $4, $5, $6, $3, 'observed')`, [
      company,
      run.id ?? "a",
      iso(run.startedMs),
      run.finishedMs === null ? null : iso(run.finishedMs),
      run.status,
      run.finishedMs === null ? null : (run.finishedMs - run.startedMs) / 1000,
    ]);
  for (const { id, landedMs } of given.landings ?? [])
    await pool.query(`insert into landings values ($1, $2, $3, 'observed')`, [
      company,
      id ?? "a",
      iso(landedMs),
    ]);
  for (const change of given.changes ?? [])
    await pool.query(`insert into verdict_changes values ($1, $2, $3, $4, $5)`, [
      company,
      change.id ?? "a",
      iso(change.atMs),
      change.verdict,
      change.previous ?? null,
    ]);
  for (const { id, atMs, value } of given.samples ?? [])
    await pool.query(`insert into call_samples values ($1, $2, $3, $4, 'observed')`, [
      company,
      id ?? "a",
      iso(atMs),
      value,
    ]);
  for (const gap of given.gaps ?? [])
    await pool.query(`insert into gaps values ($1, $2, $3, $4)`, [
      company,
      iso(gap.fromMs),
      iso(gap.untilMs),
      gap.reason ?? "unreachable",
    ]);
}

const partnerOf = async (company: string, given: Record<string, string> = {}, nowMs = NOW_MS) =>
  PartnerHistory.parse(
    await getPartnerHistory(runtimeAt(nowMs), {
      company,
      partnerName: "Procore",
      query: query(given),
    }),
  );
const endpointOf = async (company: string, given: Record<string, string> = {}) =>
  EndpointHistory.parse(
    await getEndpointHistory(runtimeAt(), { company, endpointId: "a", query: query(given) }),
  );
const runsOf = async (company: string, given: Record<string, string> = {}) =>
  RunPage.parse(await listRuns(runtimeAt(), { company, endpointId: "a", query: query(given) }));
const thenOf = async (company: string, atMs: number) =>
  ThenView.parse(
    await getPartnerAt(runtimeAt(), {
      company,
      partnerName: "Procore",
      query: query({ at: iso(atMs) }),
    }),
  );

describe("recorded history", () => {
  it("agrees between strip, landings and run table for random runs and gaps", async () => {
    const axis = historyAxis("24h", NOW_MS);
    const instant = fc
      .integer({ min: -120, max: (NOW_MS - axis.fromMs) / 1000 / 60 })
      .map((minutes) => axis.fromMs + minutes * MINUTE_MS);
    const runs = fc.uniqueArray(
      fc.record({
        startedMs: instant,
        lastsMs: fc.integer({ min: 1, max: 30 * MINUTE_MS }),
        status: fc.constantFrom("completed", "failed", "timed_out", "rate_limited", null, "odd"),
      }),
      { selector: ({ startedMs }) => startedMs, minLength: 1, maxLength: 40 },
    );
    const gaps = fc.uniqueArray(
      fc.record({ fromMs: instant, lengthMs: fc.integer({ min: 1, max: 5 * HOUR_MS }) }),
      { selector: ({ fromMs }) => fromMs, maxLength: 4 },
    );
    let round = 0;
    await fc.assert(
      fc.asyncProperty(runs, gaps, async (givenRuns, givenGaps) => {
        const company = `random-${(round += 1)}`;
        const landed = new Set(
          givenRuns
            .filter(({ status }) => status === "completed")
            .map(({ startedMs, lastsMs }) => startedMs + lastsMs)
            .filter((landedMs) => landedMs < axis.untilMs),
        );
        const periods = givenGaps.map(({ fromMs, lengthMs }) => ({
          fromMs,
          untilMs: fromMs + lengthMs,
        }));
        await record(company, {
          runs: givenRuns.map(({ startedMs, lastsMs, status }) => ({
            startedMs,
            finishedMs: startedMs + lastsMs,
            status,
          })),
          landings: [...landed].map((landedMs) => ({ landedMs })),
          gaps: periods,
        });
        const unobserved = mergePeriods(periods, axis);
        const slots = outcomeSlots(
          axis,
          givenRuns.map(({ startedMs, status }) => ({
            startedMs,
            letter: outcomeLetter(status, true),
          })),
          unobserved,
        );
        const view = await endpointOf(company);
        expect(view.slots).toBe(slots);
        expect(view.unobserved).toEqual(unobserved.map((gap) => [gap.fromMs, gap.untilMs]));
        const known = [...landed].toSorted((a, b) => a - b);
        expect(view.landed_before_ms).toBe(known.findLast((ms) => ms < axis.fromMs) ?? null);
        expect(view.landings.reduce((sum, { count }) => sum + count, 0)).toBe(
          known.filter((ms) => ms >= axis.fromMs).length,
        );
        if (view.landings.every(({ count }) => count <= 2))
          expect(landingsOf(null, view.landings)).toEqual(known.filter((ms) => ms >= axis.fromMs));

        const table = await runsOf(company, { per_page: "100", order: "asc" });
        expect(table.data.map((run) => [Date.parse(run.started_at), run.status])).toEqual(
          givenRuns
            .toSorted((a, b) => a.startedMs - b.startedMs)
            .map(({ startedMs, status }) => [startedMs, status]),
        );
        const within = givenRuns.filter((run) => run.startedMs >= axis.fromMs);
        const seen = view.runs.flatMap(({ counts }) => Object.values(counts));
        expect(seen.reduce((sum, count) => sum + count, 0)).toBe(within.length);
        expect(view.durations.count).toBe(
          within.filter(({ status }) => status === "completed").length,
        );
      }),
      { numRuns: 12 },
    );
  });

  it("includes a landing before the axis, and a landing whose run moved the data", async () => {
    await record("landings", {
      runs: [
        {
          startedMs: NOW_MS - 2 * HOUR_MS,
          finishedMs: NOW_MS - 2 * HOUR_MS + 9_000,
          status: "completed",
        },
        { startedMs: NOW_MS - HOUR_MS, finishedMs: NOW_MS - HOUR_MS + 3_000, status: "failed" },
      ],
      landings: [{ landedMs: NOW_MS - 3 * DAY_MS }, { landedMs: NOW_MS - 2 * HOUR_MS + 9_000 }],
    });
    const view = await endpointOf("landings");
    expect(view.landed_before_ms).toBe(NOW_MS - 3 * DAY_MS);
    expect((await runsOf("landings")).data.map((run) => run.landed_at)).toEqual([
      null,
      iso(NOW_MS - 2 * HOUR_MS + 9_000),
    ]);
  });

  it("returns raw rows unchanged, and durations by nearest rank", async () => {
    await record("durations", {
      runs: [10, 20, 30, 40].map((seconds, at) => ({
        startedMs: NOW_MS - HOUR_MS + at * MINUTE_MS,
        finishedMs: NOW_MS - HOUR_MS + at * MINUTE_MS + seconds * 1000,
        status: "completed",
      })),
    });
    const view = await endpointOf("durations", { range: "7d" });
    const attributes = { status: "active", mood: "good" };
    expect(view.raw).toEqual({ id: "a", colour: "green", attributes });
    expect(view.raw_seen).toEqual({ status: iso(NOW_MS - DAY_MS), mood: null });
    expect(view.durations).toEqual({ count: 4, p50_seconds: 20, p95_seconds: 40, max_seconds: 40 });
  });

  it("separates durations of completed runs from other attempts", async () => {
    const run = (at: number, seconds: number, status: string) => ({
      startedMs: NOW_MS - HOUR_MS + at * MINUTE_MS,
      finishedMs: NOW_MS - HOUR_MS + at * MINUTE_MS + seconds * 1000,
      status,
    });
    await record("mixed-durations", {
      runs: [
        ...[0, 1, 2, 3, 4].map((at) => run(at, 1, "rate_limited")),
        run(5, 41, "completed"),
        run(6, 43, "completed"),
        run(7, 600, "timed_out"),
      ],
    });
    const view = await endpointOf("mixed-durations", { range: "7d" });
    expect(view.durations).toEqual({ count: 2, p50_seconds: 41, p95_seconds: 43, max_seconds: 43 });
    const longest = view.runs.map(({ max_seconds, other_max_seconds }) => [
      max_seconds,
      other_max_seconds,
    ]);
    expect(Math.max(...longest.map(([own]) => own ?? 0))).toBe(43);
    expect(Math.max(...longest.map(([, other]) => other ?? 0))).toBe(600);
    const counts = view.runs.map((slot) => slot.counts);
    expect(counts.reduce((sum, { rate_limited }) => sum + rate_limited, 0)).toBe(5);
  });
});

describe("unobserved time", () => {
  it("covers the time before an endpoint was first seen, gaps, and the time since it was last reported", async () => {
    const first = NOW_MS - 5 * HOUR_MS;
    await record("unobserved", {
      endpoints: [{ id: "a", firstSeenMs: first, lastReportedMs: NOW_MS - HOUR_MS }],
      gaps: [{ fromMs: NOW_MS - 4 * HOUR_MS, untilMs: NOW_MS - 3 * HOUR_MS }],
    });
    const { fromMs, untilMs } = historyAxis("24h", NOW_MS);
    const view = await partnerOf("unobserved");
    expect(view.endpoints[0]?.unobserved).toEqual([
      [fromMs, first],
      [NOW_MS - 4 * HOUR_MS, NOW_MS - 3 * HOUR_MS],
      [NOW_MS - HOUR_MS, untilMs],
    ]);
    expect(view.gaps).toEqual([
      {
        from: iso(NOW_MS - 4 * HOUR_MS),
        until: iso(NOW_MS - 3 * HOUR_MS),
        reason: "unreachable",
      },
    ]);
  });

  it("covers the time while an endpoint was removed", async () => {
    await record("removed", {
      changes: [
        { atMs: NOW_MS - 30 * HOUR_MS, verdict: null, previous: "unknown" },
        { atMs: NOW_MS - 20 * HOUR_MS, verdict: "fresh" },
        { atMs: NOW_MS - 2 * HOUR_MS, verdict: null, previous: "fresh" },
        { atMs: NOW_MS - HOUR_MS, verdict: "late" },
      ],
    });
    const { fromMs } = historyAxis("24h", NOW_MS);
    const [endpoint] = (await partnerOf("removed")).endpoints;
    expect(endpoint?.unobserved).toEqual([
      [fromMs, NOW_MS - 20 * HOUR_MS],
      [NOW_MS - 2 * HOUR_MS, NOW_MS - HOUR_MS],
    ]);
    // It came back, so the start of its lateness is unknown.
    expect(endpoint?.verdict_since).toBeNull();
  });

  it("covers the time since the last snapshot as an open gap", async () => {
    await record("blind", { asOfMs: NOW_MS - HOUR_MS });
    const view = await partnerOf("blind");
    expect(view.gaps).toEqual([{ from: iso(NOW_MS - HOUR_MS), until: null, reason: "stopped" }]);
    expect(view.endpoints[0]?.slots.slice(-5)).toMatch(/^u+$/);
    const live = await partnerOf("blind", {}, NOW_MS - HOUR_MS + 2 * MINUTE_MS);
    expect(live.gaps).toEqual([]);
    expect(live.endpoints[0]?.slots.at(-1)).toBe(".");
  });

  it("takes a verdict whose change retention deleted from the next change", async () => {
    await record("dropped", {
      changes: [{ atMs: NOW_MS - HOUR_MS, verdict: "late", previous: "fresh" }],
    });
    const [endpoint] = (await partnerOf("dropped")).endpoints;
    expect(endpoint?.verdicts).toMatch(/^5{91}2{5}$/);
    expect(endpoint?.verdict_since).toBe(iso(NOW_MS - HOUR_MS));
  });
});

describe("API calls", () => {
  const every15 = (id: string, fromMs: number, untilMs: number, value: number) =>
    Array.from({ length: Math.floor((untilMs - fromMs) / (15 * MINUTE_MS)) + 1 }, (_, at) => ({
      id,
      atMs: fromMs + at * 15 * MINUTE_MS,
      value,
    }));

  it("are summed over the endpoints of one instant; a missing reading leaves no sum", async () => {
    const begin = NOW_MS - 6 * HOUR_MS;
    await record("calls", {
      endpoints: [
        { id: "a", firstSeenMs: begin },
        { id: "b", firstSeenMs: NOW_MS - 3 * HOUR_MS },
        { id: "c", partner: "Other" },
      ],
      samples: [
        ...every15("a", begin, NOW_MS, 10),
        // An hour of readings is missing.
        ...every15("b", NOW_MS - 3 * HOUR_MS, NOW_MS - 2 * HOUR_MS, 5),
        ...every15("b", NOW_MS - HOUR_MS, NOW_MS, 6),
      ],
      gaps: [{ fromMs: NOW_MS - 5 * HOUR_MS, untilMs: NOW_MS - 4.4 * HOUR_MS }],
    });
    const { calls } = await partnerOf("calls");
    const at = (hoursAgo: number) =>
      calls.findLast(([atMs]) => atMs <= NOW_MS - hoursAgo * HOUR_MS)?.[1];
    expect([at(8), at(5.5), at(4.6), at(3.5), at(2.2), at(1.1), at(0)]).toEqual([
      null,
      10,
      null,
      10,
      15,
      null,
      16,
    ]);
  });

  it("are the same whether or not earlier ones were kept", async () => {
    const company = "read again";
    const begin = NOW_MS - 8 * DAY_MS;
    await record(company, {
      asOfMs: NOW_MS,
      endpoints: [
        { id: "a", firstSeenMs: begin },
        { id: "b", partner: "Other", firstSeenMs: NOW_MS - 3 * HOUR_MS },
      ],
      samples: [
        ...every15("a", begin, NOW_MS - 5 * MINUTE_MS, 10),
        ...every15("b", NOW_MS - 3 * HOUR_MS, NOW_MS - 5 * MINUTE_MS, 5),
      ],
      gaps: [{ fromMs: NOW_MS - 5 * HOUR_MS, untilMs: NOW_MS - 4.4 * HOUR_MS }],
    });
    const { pool } = test.database;
    const ask = async (nowMs: number, range: string, database: Database) =>
      ApiCallsView.parse(
        await getApiCalls({ ...runtimeAt(nowMs), database }, { company, query: query({ range }) }),
      );
    const kept: Database = Object.create(test.database);
    for (let minutes = 0; minutes <= 100; minutes += 20) {
      const nowMs = NOW_MS + minutes * MINUTE_MS;
      await pool.query("update company_state set as_of = $2 where company = $1", [
        company,
        iso(nowMs),
      ]);
      for (const id of ["a", "b"])
        await pool.query("insert into call_samples values ($1, $2, $3, $4, 'observed')", [
          company,
          id,
          iso(nowMs - MINUTE_MS),
          minutes,
        ]);
      for (const range of ["24h", "7d", "30d"]) {
        const again = await ask(nowMs, range, kept);
        expect(again).toEqual(await ask(nowMs, range, Object.create(test.database)));
        expect(again.series[0]?.points.at(-1)?.[1]).toBe(2 * minutes);
      }
    }
  });

  it("aren't read again where the last check had read them", async () => {
    const company = "read once";
    const begin = NOW_MS - 8 * DAY_MS;
    await record(company, {
      asOfMs: NOW_MS,
      endpoints: [{ id: "a", firstSeenMs: begin }],
      samples: every15("a", begin, NOW_MS, 10),
    });
    const database: Database = Object.create(test.database);
    const ask = async (nowMs: number) =>
      ApiCallsView.parse(
        await getApiCalls(
          { ...runtimeAt(nowMs), database },
          { company, query: query({ range: "24h" }) },
        ),
      ).series[0]?.points.slice(1, -1);
    const before = await ask(NOW_MS);
    // As retention deletes them, but within the range.
    await test.database.pool.query("delete from call_samples where company = $1", [company]);
    const after = await ask(NOW_MS + 2 * MINUTE_MS);
    expect(after).toEqual(before);
  });

  it("are compared with the week before, for the company, a partner or an endpoint", async () => {
    const WEEK_MS = 7 * DAY_MS;
    await record("weeks", {
      endpoints: [{ id: "a" }, { id: "b" }],
      samples: ["a", "b"].flatMap((id) => [
        ...every15(id, NOW_MS - WEEK_MS - 25 * HOUR_MS, NOW_MS - WEEK_MS + HOUR_MS, 5),
        ...every15(id, NOW_MS - 25 * HOUR_MS, NOW_MS, 2),
      ]),
    });
    const runtime = runtimeAt();
    const ask = async (given: Record<string, string>) =>
      ApiCallsView.parse(
        await getApiCalls(runtime, { company: "weeks", query: query({ range: "24h", ...given }) }),
      );
    for (const [given, before, now] of [
      [{}, 10, 4],
      [{ partner: "Procore" }, 10, 4],
      [{ endpoint: "b" }, 5, 2],
    ] as const) {
      const { series, week_before } = await ask(given);
      const points = series[0]?.points ?? [];
      expect(week_before?.map(([atMs]) => atMs)).toEqual(points.map(([atMs]) => atMs));
      expect(week_before?.at(-2)?.[1]).toBe(before);
      expect(points.at(-2)?.[1]).toBe(now);
    }
  });

  it("are ranked by the snapshot, with the lines of the selection", async () => {
    await record("ranked", {
      endpoints: [{ id: "a" }, { id: "b" }, { id: "c", partner: "Other" }],
      samples: ["a", "b", "c"].flatMap((id) =>
        every15(id, NOW_MS - 25 * HOUR_MS, NOW_MS, id === "b" ? 3 : 1),
      ),
    });
    const rows = [
      ["a", "Procore", 7],
      ["b", "Procore", 9],
      ["c", "Other", 40],
    ] as const;
    const snapshot = {
      company: "ranked",
      state: { asOfMs: NOW_MS, apiClockOffsetMs: 0, rhythmSeconds: 60 },
      rows: rows.map(([id, partner_name, api_calls_last_24h]) => ({
        id,
        partner_name,
        endpoint_key: `${id} key`,
        api_calls_last_24h,
        known: { reported: true },
      })),
    } as unknown as CompanySnapshot;
    const runtime = runtimeAt(NOW_MS, snapshot);
    const ask = async (given: Record<string, string>) =>
      ApiCallsView.parse(await getApiCalls(runtime, { company: "ranked", query: query(given) }));

    const all = await ask({});
    expect(all.total).toBe(56);
    // The record covers less than a week.
    expect(all.partners[0]?.week_ago).toBeNull();
    expect(all.week_before?.every(([, value]) => value === null)).toBe(true);
    expect((await ask({ range: "30d" })).week_before).toBeNull();
    expect(all.partners).toMatchObject([
      { partner_name: "Other", value: 40, day_ago: 1 },
      {
        partner_name: "Procore",
        value: 16,
        day_ago: 4,
        endpoints: [{ id: "b", value: 9, day_ago: 3 }, { id: "a" }],
      },
    ]);
    expect(all.series.map(({ kind, key, points }) => [kind, key, points.at(-1)?.[1]])).toEqual([
      ["total", null, 5],
      ["partner", "Other", 1],
      ["partner", "Procore", 4],
    ]);
    const partner = await ask({ partner: "Procore", range: "24h" });
    expect(partner.series.map(({ kind, key }) => [kind, key])).toEqual([
      ["partner", "Procore"],
      ["endpoint", "b"],
      ["endpoint", "a"],
    ]);
    const endpoint = await ask({ endpoint: "a" });
    expect(endpoint.series.map(({ kind, key }) => [kind, key])).toEqual([["endpoint", "a"]]);
    await expect(ask({ partner: "Unknown" })).rejects.toMatchObject({ code: "not_found" });
  });

  /** The rows of the last snapshot, all of Procore. */
  const snapshotOf = (company: string, calls: Readonly<Record<string, number>>) =>
    ({
      company,
      state: { asOfMs: NOW_MS, apiClockOffsetMs: 0, rhythmSeconds: 60 },
      rows: Object.entries(calls).map(([id, api_calls_last_24h]) => ({
        id,
        partner_name: "Procore",
        endpoint_key: `${id} key`,
        api_calls_last_24h,
        known: { reported: true },
      })),
    }) as unknown as CompanySnapshot;
  const callsOf = async (company: string, given: Record<string, string>) =>
    ApiCallsView.parse(
      await getApiCalls(runtimeAt(NOW_MS, snapshotOf(company, { a: 7, b: 9 })), {
        company,
        query: query(given),
      }),
    );

  it("come with the runs of the same 24 hours, and whether all of them are known", async () => {
    const run = (id: string, hoursAgo: number, status: string | null) => ({
      id,
      startedMs: NOW_MS - hoursAgo * HOUR_MS,
      finishedMs: status === "in_progress" ? null : NOW_MS - hoursAgo * HOUR_MS + MINUTE_MS,
      status,
    });
    const runs = [
      run("a", 25, "rate_limited"),
      run("a", 23, "completed"),
      run("a", 2, "rate_limited"),
      run("a", 1, "rate_limited"),
      run("a", 0.01, "in_progress"),
      run("b", 3, "failed"),
    ];
    const endpoints = [{ id: "a" }, { id: "b", firstSeenMs: NOW_MS - 4 * HOUR_MS }];
    await record("runs", { endpoints, runs });
    const [partner] = (await callsOf("runs", {})).partners;
    const of = (id: string) => partner?.endpoints.find((one) => one.id === id)?.runs;
    expect(of("a")).toEqual({ started: 4, completed: 1, rate_limited: 2, is_complete: true });
    // It didn't exist for all of the 24 hours.
    expect(of("b")).toEqual({ started: 1, completed: 0, rate_limited: 0, is_complete: false });
    expect(partner?.runs).toEqual({
      started: 5,
      completed: 1,
      rate_limited: 2,
      is_complete: false,
    });

    const gaps = [{ fromMs: NOW_MS - 10 * HOUR_MS, untilMs: NOW_MS - 9 * HOUR_MS }];
    await record("runs with a gap", { runs: runs.slice(0, 5), gaps });
    expect((await callsOf("runs with a gap", {})).partners[0]?.endpoints).toMatchObject([
      { id: "b", runs: { started: 0, is_complete: false } },
      { id: "a", runs: { started: 4, is_complete: false } },
    ]);

    expect((await callsOf("runs", {})).rate_limited).toBeNull();
    const { rate_limited } = await callsOf("runs", { partner: "Procore", range: "24h" });
    expect(rate_limited?.step_minutes).toBe(15);
    expect(rate_limited?.runs.map(([fromMs, amount]) => [NOW_MS - fromMs, amount])).toEqual([
      [2 * HOUR_MS + 7 * MINUTE_MS, 1],
      [HOUR_MS + 7 * MINUTE_MS, 1],
    ]);
    const week = await callsOf("runs", { endpoint: "a" });
    expect(week.rate_limited?.runs.reduce((sum, [, amount]) => sum + amount, 0)).toBe(3);
    expect((await callsOf("runs", { endpoint: "b" })).rate_limited?.runs).toEqual([]);
  });

  it("have a small line for each partner, with the week before at the same places", async () => {
    await record("small lines", {
      endpoints: [{ id: "a" }, { id: "b" }, { id: "gone", partner: "Other" }],
      samples: ["a", "b"].flatMap((id) => [
        ...every15(id, NOW_MS - 8 * DAY_MS, NOW_MS - 7 * DAY_MS, 5),
        ...every15(id, NOW_MS - DAY_MS, NOW_MS, 2),
      ]),
    });
    const { small_lines } = await callsOf("small lines", {});
    const [procore, other] = small_lines?.partners ?? [];
    expect(small_lines?.at).toHaveLength(42);
    expect(small_lines?.at.at(-1)).toBe(NOW_MS);
    expect(procore?.partner_name).toBe("Procore");
    expect(procore?.values).toHaveLength(42);
    expect(procore?.values.slice(-8)).toEqual([null, 4, 4, 4, 4, 4, 4, 4]);
    expect(procore?.week_before.slice(-8)).toEqual([null, 10, 10, 10, 10, 10, 10, 10]);
    expect(other?.values.every((value) => value === null)).toBe(true);
    for (const given of [{ range: "24h" }, { range: "30d" }, { partner: "Procore" }])
      expect((await callsOf("small lines", given)).small_lines).toBeNull();
  });

  it("have a limited number of lines, whatever the number of partners", async () => {
    const ids = Array.from({ length: 60 }, (_, at) => `e${at}`);
    await record("many partners", {
      endpoints: ids.map((id) => ({ id, partner: `Partner ${id}` })),
    });
    const { series, small_lines } = await callsOf("many partners", {});
    expect(series).toHaveLength(21);
    expect(small_lines?.partners).toHaveLength(50);
  });

  it("are compared with the figure 24 hours later on the past 28 days", async () => {
    // 10% up and down; the second endpoint is known for two weeks only.
    const samples = Array.from({ length: 29 }, (_, day) => ({
      atMs: NOW_MS - 7 * MINUTE_MS - day * DAY_MS,
      value: day % 2 === 0 ? 100 : 110,
    }));
    const endpoints = [
      { id: "a" },
      { id: "b", partner: "Other", firstSeenMs: NOW_MS - 13.5 * DAY_MS },
    ];
    await record("pace", {
      endpoints,
      samples: [...samples, ...samples.slice(0, 14).map((sample) => ({ ...sample, id: "b" }))],
    });
    expect((await callsOf("pace", {})).pace).toBeNull();
    const { pace } = await callsOf("pace", { partner: "Procore" });
    expect(pace?.pairs).toBe(28);
    expect(pace?.typical).toBeCloseTo((0.1 + 1 / 11) / 2);
    expect((await callsOf("pace", { endpoint: "a" })).pace).toEqual(pace);
    // 13 pairs.
    expect((await callsOf("pace", { endpoint: "b" })).pace).toBeNull();
  });

  it("are compared on thinned days too, at any minute", async () => {
    const nowMs = NOW_MS + 33 * MINUTE_MS;
    const hourMs = Date.parse("2026-03-02T12:00:00Z");
    const samples = Array.from({ length: 29 }, (_, day) => day).flatMap((day) =>
      [-55, -40, -25, -10, 5, 20, 35, 50].map((minutes) => ({
        atMs: hourMs - day * DAY_MS + minutes * MINUTE_MS,
        value: day % 2 === 0 ? 100 : 110,
      })),
    );
    await record("thinned pace", { asOfMs: nowMs - 30_000, samples });
    const pace = async () => {
      const runtime = runtimeAt(nowMs, snapshotOf("thinned pace", { a: 100 }));
      const given = { company: "thinned pace", query: query({ endpoint: "a" }) };
      return (await getApiCalls(runtime, given)).pace;
    };
    const before = await pace();
    expect(before?.pairs).toBe(28);
    await thinCalls(test.database, "thinned pace", ["a"], {
      fromMs: hourMs - 30 * DAY_MS,
      untilMs: hourMs - 14 * DAY_MS,
    });
    expect(await pace()).toEqual(before);
  });

  it("are exported as CSV without formulas", async () => {
    const partner = '=HYPERLINK("x","y")';
    await record("csv", {
      endpoints: [{ id: "a", partner }],
      samples: [{ atMs: NOW_MS, value: 4 }],
    });
    const response = toWebResponse(
      await getApiCallsCsv(withExternalId("csv"), {
        company: "csv",
        query: query({ range: "24h" }),
      }),
    );
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-disposition")).toBe(
      'attachment; filename="api-calls-csv-24h.csv"',
    );
    const lines = (await response.text()).split("\r\n");
    expect(lines[0]).toBe(
      "at,partner_name,endpoint_id,endpoint_key,api_calls_last_24h,external_id",
    );
    expect(lines.at(-2)).toBe(`${iso(NOW_MS)},"'=HYPERLINK(""x"",""y"")",,,4,CRM-7`);
    expect(lines[1]).toMatch(/,,,,CRM-7$/);
  });
});

describe("a partner at an instant", () => {
  it("shows verdict, landing and run as of then", async () => {
    const at = NOW_MS - 2 * HOUR_MS;
    await record("then", {
      changes: [
        { atMs: NOW_MS - 5 * HOUR_MS, verdict: "fresh" },
        { atMs: NOW_MS - 3 * HOUR_MS, verdict: "late", previous: "fresh" },
        { atMs: NOW_MS - HOUR_MS, verdict: "fresh", previous: "late" },
      ],
      landings: [{ landedMs: NOW_MS - 4 * HOUR_MS }, { landedMs: NOW_MS - HOUR_MS }],
      runs: [{ startedMs: at - MINUTE_MS, finishedMs: at + MINUTE_MS, status: "completed" }],
    });
    expect(await thenOf("then", at)).toMatchObject({
      confidence: "live",
      gap: null,
      endpoints: [
        {
          id: "a",
          verdict: "late",
          last_seen: null,
          landed_at: iso(NOW_MS - 4 * HOUR_MS),
          frequency_minutes: 60,
          last_run: { status: "in_progress", finished_at: null, duration_seconds: null },
        },
      ],
    });
    expect((await thenOf("then", at + MINUTE_MS)).endpoints[0]?.last_run?.status).toBe("completed");
  });

  it.each([
    ["none", null],
    ["an earlier time", iso(NOW_MS - 6 * HOUR_MS)],
  ])("has no data that the API had withdrawn by then: it reports %s", async (name, reported) => {
    const company = `then ${name}`;
    await record(company, { landings: [{ landedMs: NOW_MS - 4 * HOUR_MS }] });
    await test.database.pool.query(
      `update endpoints set raw = jsonb_set(raw, '{attributes,last_updated_at}', $2),
         attributes_seen_ms = jsonb_build_object('last_updated_at', $3::bigint) where company = $1`,
      [company, JSON.stringify(reported), NOW_MS - 2 * HOUR_MS],
    );
    const landedAt = async (atMs: number) => (await thenOf(company, atMs)).endpoints[0]?.landed_at;
    expect(await landedAt(NOW_MS - 3 * HOUR_MS)).toBe(iso(NOW_MS - 4 * HOUR_MS));
    expect(await landedAt(NOW_MS - 2 * HOUR_MS)).toBe(reported);
    expect(await landedAt(NOW_MS)).toBe(reported);
  });

  it("has no verdict inside a gap, only the last one before it", async () => {
    const from = NOW_MS - 4 * HOUR_MS;
    await record("then-gap", {
      changes: [{ atMs: NOW_MS - 5 * HOUR_MS, verdict: "fresh", previous: "late" }],
      gaps: [{ fromMs: from, untilMs: from + HOUR_MS }],
    });
    const blind = await thenOf("then-gap", from + 10 * MINUTE_MS);
    expect(blind).toMatchObject({ confidence: "blind", gap: { reason: "unreachable" } });
    expect(blind.endpoints[0]).toMatchObject({
      verdict: null,
      last_seen: { verdict: "fresh", at: iso(from) },
    });
    expect((await thenOf("then-gap", from + MINUTE_MS)).confidence).toBe("live");
    expect((await thenOf("then-gap", from + 4 * MINUTE_MS)).confidence).toBe("delayed");
  });

  it("knows nothing before the endpoint was first seen", async () => {
    await record("then-before", { endpoints: [{ id: "a", firstSeenMs: NOW_MS - HOUR_MS }] });
    expect(await thenOf("then-before", NOW_MS - 2 * HOUR_MS)).toMatchObject({
      confidence: "blind",
      endpoints: [{ verdict: null, last_seen: null, landed_at: null, last_run: null }],
    });
  });
});

describe("the whole board at an instant", () => {
  const boardAt = async (company: string, at: string, nowMs = NOW_MS) =>
    BoardThenView.parse(await getBoardAt(runtimeAt(nowMs), { company, query: query({ at }) }));

  it("has every endpoint listed then, in its state, and no other", async () => {
    await record("board-then", {
      endpoints: [
        { id: "a" },
        { id: "b", partner: "Aconex" },
        { id: "new", firstSeenMs: NOW_MS - HOUR_MS },
        { id: "gone", removedMs: NOW_MS - 6 * HOUR_MS },
      ],
      changes: [
        { id: "a", atMs: NOW_MS - 5 * HOUR_MS, verdict: "fresh" },
        { id: "a", atMs: NOW_MS - 3 * HOUR_MS, verdict: "failing", previous: "fresh" },
        { id: "b", atMs: NOW_MS - HOUR_MS, verdict: "late", previous: "fresh" },
        { id: "gone", atMs: NOW_MS - 6 * HOUR_MS, verdict: null, previous: "stale" },
      ],
      landings: [{ landedMs: NOW_MS - 4 * HOUR_MS }],
    });
    const then = await boardAt("board-then", iso(NOW_MS - 2 * HOUR_MS));
    expect(then).toMatchObject({ confidence: "live", gap: null });
    expect(then.endpoints).toMatchObject([
      { id: "b", partner_name: "Aconex", verdict: "fresh", landed_at: null },
      {
        id: "a",
        partner_name: "Procore",
        verdict: "failing",
        landed_at: iso(NOW_MS - 4 * HOUR_MS),
      },
    ]);
    const before = await boardAt("board-then", iso(NOW_MS - 7 * HOUR_MS));
    expect(before.endpoints.map(({ id, verdict }) => [id, verdict])).toContainEqual([
      "gone",
      "stale",
    ]);
  });

  it("has no verdict inside a gap, and dates the last known ones", async () => {
    const from = NOW_MS - 4 * HOUR_MS;
    await record("board-then-gap", {
      changes: [{ atMs: NOW_MS - 5 * HOUR_MS, verdict: "fresh", previous: "late" }],
      gaps: [{ fromMs: from, untilMs: from + HOUR_MS }],
    });
    expect(await boardAt("board-then-gap", iso(from + 10 * MINUTE_MS))).toMatchObject({
      confidence: "blind",
      gap: { from: iso(from), until: iso(from + HOUR_MS) },
      endpoints: [{ verdict: null, last_seen: { verdict: "fresh", at: iso(from) } }],
    });
  });

  it("covers nothing before its record or beyond retention", async () => {
    await record("board-then-before", {
      endpoints: [{ id: "a", firstSeenMs: NOW_MS - HOUR_MS }],
      changes: [{ atMs: NOW_MS - MINUTE_MS, verdict: "late", previous: "fresh" }],
    });
    const unknown = { confidence: "blind", endpoints: [] };
    expect(await boardAt("board-then-before", iso(NOW_MS - 2 * HOUR_MS))).toMatchObject({
      ...unknown,
      recorded_from: iso(NOW_MS - HOUR_MS),
    });
    const laterMs = NOW_MS + 100 * DAY_MS;
    expect(await boardAt("board-then-before", iso(NOW_MS - MINUTE_MS / 2), laterMs)).toMatchObject({
      ...unknown,
      recorded_from: iso(laterMs - 90 * DAY_MS),
    });
    expect(await boardAt("board-then-never", iso(NOW_MS))).toMatchObject({
      ...unknown,
      recorded_from: null,
    });
  });

  it.each(["", "yesterday", "0000-01-01T00:00:00Z", iso(NOW_MS + 1)])(
    "refuses %j by parameter name",
    async (at) => {
      await expect(boardAt("board-then-never", at)).rejects.toMatchObject({
        code: "invalid_request",
        message: expect.stringMatching(/^at must /) as string,
      });
    },
  );
});

describe("the run table", () => {
  it("filters, sorts, pages and counts", async () => {
    const at = (minutes: number) => NOW_MS - HOUR_MS + minutes * MINUTE_MS;
    await record("table", {
      runs: [
        { startedMs: at(0), finishedMs: at(0) + 5_000, status: "completed" },
        { startedMs: at(1), finishedMs: null, status: "in_progress" },
        { startedMs: at(2), finishedMs: at(2) + 9_000, status: "failed" },
        { startedMs: at(3), finishedMs: at(3) + 5_000, status: "completed" },
        { startedMs: at(4), finishedMs: null, status: "in_progress" },
      ],
    });
    const minutes = async (given: Record<string, string>) =>
      (await runsOf("table", given)).data.map(
        (run) => (Date.parse(run.started_at) - at(0)) / MINUTE_MS,
      );
    expect(await minutes({})).toEqual([4, 3, 2, 1, 0]);
    expect(await minutes({ sort: "duration", order: "desc" })).toEqual([2, 3, 0, 4, 1]);
    expect(await minutes({ sort: "duration", order: "asc" })).toEqual([3, 0, 2, 4, 1]);
    expect(await minutes({ sort: "status", order: "asc" })).toEqual([3, 0, 2, 4, 1]);
    expect(await minutes({ status: "other" })).toEqual([1]);
    expect(await minutes({ status: "in_progress" })).toEqual([4]);
    expect(await minutes({ per_page: "2", page: "2" })).toEqual([2, 1]);
    expect(await minutes({ page: "9" })).toEqual([]);
    const page = await runsOf("table", { status: "completed", per_page: "1" });
    expect(page.meta).toEqual({ page: 1, per_page: 1, total_count: 2, total_pages: 2 });
    expect(page.counts).toMatchObject({ completed: 2, failed: 1, in_progress: 1, other: 1 });
    expect((await runsOf("table", { status: "other" })).data[0]?.end_missed).toBe(true);
  });
});

describe("the board's history", () => {
  it("is computed once per snapshot, and returns 304 for a matching ETag", async () => {
    await record("board", {
      endpoints: [{ id: "a" }, { id: "gone", removedMs: NOW_MS - HOUR_MS }],
      runs: [{ startedMs: NOW_MS - HOUR_MS, finishedMs: NOW_MS, status: "timed_out" }],
      // Seen again in its earlier state.
      changes: [
        { atMs: NOW_MS - 3 * HOUR_MS, verdict: "due", previous: "late" },
        { atMs: NOW_MS - 2 * HOUR_MS, verdict: "late", previous: "due" },
        { atMs: NOW_MS - HOUR_MS, verdict: "late" },
      ],
      samples: [{ atMs: NOW_MS - MINUTE_MS, value: 12 }],
    });
    const runtime = runtimeAt();
    const ask = async (ifNoneMatch: string | null = null) =>
      toWebResponse(
        await getBoardHistory(runtime, {
          company: "board",
          query: query({ range: "24h" }),
          ifNoneMatch,
        }),
      );
    const first = await ask();
    const view = BoardHistory.parse(await first.json());
    expect(view.endpoints).toMatchObject([
      {
        id: "a",
        runs: 1,
        not_completed: 1,
        verdict: "late",
        verdict_since: iso(NOW_MS - 2 * HOUR_MS),
      },
    ]);
    expect(view.endpoints[0]?.slots).toMatch(/^\.{91}t\.{4}$/);
    expect(view.endpoints[0]?.calls).toEqual([...Array.from({ length: 23 }, () => null), 12]);
    expect(first.headers.get("cache-control")).toBe("private, no-store");

    await test.database.pool.query(`delete from runs where company = 'board'`);
    const second = await ask(first.headers.get("etag"));
    expect(second.status).toBe(304);
    await runtime.clock.advance(15 * MINUTE_MS);
    expect((await ask(first.headers.get("etag"))).status).toBe(200);
  });
});

describe("the start of a verdict", () => {
  it.each([
    [
      "it came back",
      [
        { atMs: NOW_MS - 9, verdict: "late" },
        { atMs: NOW_MS - 5, verdict: null, previous: "late" },
        { atMs: NOW_MS - 2, verdict: "late" },
      ],
    ],
    ["it was new", [{ atMs: NOW_MS - 2, verdict: "late" }]],
    ["its change is kept no longer", []],
  ])("is unknown where %s", async (what, changes) => {
    const company = `board ${what}`;
    await record(company, { changes });
    const answer = await getBoardHistory(runtimeAt(), {
      company,
      query: query(),
      ifNoneMatch: null,
    });
    const view = BoardHistory.parse(await toWebResponse(answer).json());
    expect(view.endpoints).toMatchObject([{ verdict: "late", verdict_since: null }]);
  });
});

describe("invalid queries are refused by parameter name", () => {
  it.each([
    [{ range: "2d" }, "range"],
    [{ page: "0" }, "page"],
    [{ page: "1.5" }, "page"],
    [{ per_page: "101" }, "per_page"],
    [{ sort: "name" }, "sort"],
    [{ order: "up" }, "order"],
    [{ status: "unknown" }, "status"],
    [{ at: "yesterday" }, "at"],
    [{ at: "2199-01-01T00:00:00Z" }, "at"],
    [{ at: "0000-01-01T00:00:00Z" }, "at"],
    [{ endpoint: "\0", at: "2026-01-01" }, "endpoint"],
  ])("%j", async (given, name) => {
    await record(`refused-${JSON.stringify(given)}`, {});
    const company = `refused-${JSON.stringify(given)}`;
    const reading =
      name === "at" || name === "endpoint"
        ? getPartnerAt(runtimeAt(), { company, partnerName: "Procore", query: query(given) })
        : name === "range"
          ? getPartnerHistory(runtimeAt(), { company, partnerName: "Procore", query: query(given) })
          : listRuns(runtimeAt(), { company, endpointId: "a", query: query(given) });
    await expect(reading).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(new RegExp(`^${name} `)),
    });
  });

  it("returns 404 for an endpoint or partner that is not on record", async () => {
    const runtime = runtimeAt();
    const company = "nothing";
    const given = { company, partnerName: "x", endpointId: "x", query: query() };
    for (const ask of [getPartnerHistory, getEndpointHistory, listRuns])
      await expect(ask(runtime, given)).rejects.toMatchObject({ code: "not_found" });
    const then = getPartnerAt(runtime, { ...given, query: query({ at: "2026-01-01" }) });
    await expect(then).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("growing tables", () => {
  it("are read through indexes only, without sequential scans", async () => {
    const company = "large";
    const size = { company, endpoints: 100, partners: 10, days: 10, cadenceMinutes: 60 };
    await fillRecord(test.database, size, NOW_MS);
    await test.database.pool.query("analyze");
    const before = await sequentialReads();
    const runtime = runtimeAt();
    const given = { company, partnerName: "Partner 3", endpointId: "e3" };
    for (const range of ["24h", "7d", "90d"]) {
      await getPartnerHistory(runtime, { ...given, query: query({ range }) });
      await getEndpointHistory(runtime, { ...given, query: query({ range }) });
      await getApiCalls(runtime, { company, query: query({ range }) });
      await getApiCalls(runtime, { company, query: query({ range, partner: "Partner 3" }) });
    }
    await listRuns(runtime, { ...given, query: query({ sort: "duration" }) });
    await getPartnerAt(runtime, { ...given, query: query({ at: iso(NOW_MS - DAY_MS) }) });
    await getBoardHistory(runtime, { company, query: query(), ifNoneMatch: null });
    expect(await sequentialReads()).toEqual(before);

    // Proves that the measurement detects a sequential scan.
    await test.database.pool.query("select count(status) from runs");
    expect(await sequentialReads()).not.toEqual(before);
  });

  it("are read by statements of at most 200 days of endpoints together", async () => {
    const endpoints = Array.from({ length: 60 }, (_, at) => ({ id: `e${at}` }));
    const runs = endpoints.map(({ id }) => {
      const startedMs = NOW_MS - HOUR_MS;
      return { id, startedMs, finishedMs: startedMs + MINUTE_MS, status: "completed" };
    });
    await record("wide", { endpoints, runs });
    const runtime = runtimeAt();
    const { pool } = test.database;
    const asked: { table: string; days: number }[] = [];
    const noting = (text: string, values: unknown[] = []) => {
      const [, table] =
        /from (runs|landings|verdict_changes)\s+where [^)]* >= \$3/.exec(text) ?? [];
      const [, ids, from, until] = values as [string, string[], string, string];
      if (table !== undefined)
        asked.push({ table, days: (ids.length * (Date.parse(until) - Date.parse(from))) / DAY_MS });
      return pool.query(text, values);
    };
    const database = Object.create(test.database, {
      pool: { value: Object.create(pool, { query: { value: noting } }) },
    }) as Database;
    const given = { company: "wide", partnerName: "Procore" };
    for (const range of ["24h", "7d", "90d"]) {
      const asking = { ...given, query: query({ range }) };
      const { endpoints: shown } = await getPartnerHistory({ ...runtime, database }, asking);
      expect(shown.filter(({ slots }) => slots.includes("c"))).toHaveLength(60);
      await getApiCalls({ ...runtime, database }, { company: "wide", query: asking.query });
    }
    expect(new Set(asked.map(({ table }) => table))).toEqual(
      new Set(["runs", "landings", "verdict_changes"]),
    );
    expect(Math.max(...asked.map(({ days }) => days))).toBeLessThanOrEqual(200);
  });

  /** Sequential scans of each table, by all sessions of this database so far. */
  async function sequentialReads() {
    const { pool } = test.database;
    await pool.query("select pg_stat_force_next_flush()");
    const { rows } = await pool.query(
      `select relname, seq_scan from pg_stat_user_tables
       where relname in ('runs', 'landings', 'verdict_changes', 'call_samples') order by 1`,
    );
    return rows;
  }
});

describe("a request that would read too many rows", () => {
  const PROCORE = { company: "bounded", partnerName: "Procore" };
  const A = { company: "bounded", endpointId: "a" };
  const AT = query({ at: iso(NOW_MS - HOUR_MS) });
  const BOARD = { company: "bounded", query: query(), ifNoneMatch: null };
  beforeAll(() => record("bounded", { endpoints: [{ id: "a" }, { id: "b" }, { id: "c" }] }));

  it.each([
    [
      "a partner's history",
      (most) => getPartnerHistory(runtimeAt(), { ...PROCORE, query: query() }, rowBudget(most)),
    ],
    [
      "an endpoint's history",
      (most) => getEndpointHistory(runtimeAt(), { ...A, query: query() }, rowBudget(most)),
    ],
    [
      "a partner's past",
      (most) => getPartnerAt(runtimeAt(), { ...PROCORE, query: AT }, rowBudget(most)),
    ],
    [
      "the board's past",
      (most) => getBoardAt(runtimeAt(), { company: "bounded", query: AT }, rowBudget(most)),
    ],
    ["the board's history", (most) => getBoardHistory(runtimeAt(), BOARD, rowBudget(most))],
    [
      "API calls",
      (most) => getApiCalls(runtimeAt(), { company: "bounded", query: query() }, rowBudget(most)),
    ],
    [
      "API calls as CSV",
      (most) =>
        getApiCallsCsv(
          withExternalId("bounded"),
          { company: "bounded", query: query({ partner: "Procore" }) },
          rowBudget(most),
        ),
    ],
  ] satisfies [string, (most: number) => Promise<unknown>][])("is refused: %s", async (_, ask) => {
    await expect(ask(4)).rejects.toMatchObject({ code: "invalid_request", status: 400 });
    await ask(100);
  });

  it("refuses a partner of hundreds of endpoints over months before it reads their past", async () => {
    await record("crowd", { endpoints: [{ id: "first" }] });
    await test.database.pool.query(
      `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, raw, verdict, first_seen_at)
       select company, 'e' || n, 'e' || n, partner_name, raw, verdict, first_seen_at
       from endpoints cross join generate_series(1, 600) as n where company = 'crowd'`,
    );
    const given = { company: "crowd", partnerName: "Procore" };
    const budget = rowBudget();
    await expect(
      getPartnerHistory(runtimeAt(), { ...given, query: query({ range: "90d" }) }, budget),
    ).rejects.toMatchObject({
      code: "invalid_request",
      message:
        "601 feeds over 90 days is too much to load at once. Choose a shorter time range or a single feed.",
    });
    // The endpoints and the company's state.
    expect(rowBudget().left - budget.left).toBe(602);
    const { endpoints } = await getPartnerHistory(runtimeAt(), { ...given, query: query() });
    expect(endpoints).toHaveLength(601);
    const callsOver = (range: string) =>
      getApiCalls(runtimeAt(), { company: "crowd", query: query({ partner: "Procore", range }) });
    expect(await callsOver("90d")).toMatchObject({ rate_limited: null });
    expect(await callsOver("7d")).toMatchObject({ rate_limited: { runs: [] } });
  });

  it("reads the endpoints once for all lines of API calls", async () => {
    await record("bounded calls", { endpoints: [{ id: "a" }, { id: "b" }, { id: "c" }] });
    const given = { company: "bounded calls", query: query({ partner: "Procore" }) };
    const budget = rowBudget();
    const before = budget.left;
    await getApiCalls(runtimeAt(), given, budget);
    // The state, the values and the absences of each of five readings; the state, tallies and absences of the runs; the
    // rate-limited ones; and the endpoints for the company and for the partner.
    expect(before - budget.left).toBe(5 * (1 + 3 + 1) + 3 + 1 + 2 * 3);
  });

  it("doesn't count how often an endpoint was removed before the range or within it", async () => {
    const flapping = (fromMs: number) =>
      Array.from({ length: 300 }, (_, at) => ({
        atMs: fromMs + at * MINUTE_MS,
        verdict: at % 2 === 0 ? null : "fresh",
      }));
    const changes = [...flapping(NOW_MS - 30 * DAY_MS), ...flapping(NOW_MS - 10 * HOUR_MS)];
    await record("bounded flapping", { endpoints: [{ id: "a" }], changes });
    const given = { company: "bounded flapping", query: query() };
    await getApiCalls(runtimeAt(), given, rowBudget(100));
    await getBoardHistory(runtimeAt(), { ...given, ifNoneMatch: null }, rowBudget(100));
    const ids = ["a"];
    const within = { fromMs: NOW_MS - 20 * DAY_MS, untilMs: NOW_MS - DAY_MS };
    const { database } = test;
    expect(await readAbsences(database, given.company, ids, within)).toEqual(new Map());
    const one = { fromMs: NOW_MS - 10 * HOUR_MS + 30_000, untilMs: NOW_MS - 10 * HOUR_MS + 60_000 };
    expect(await readAbsences(database, given.company, ids, one)).toEqual(
      new Map([["a", [{ fromMs: NOW_MS - 10 * HOUR_MS, untilMs: one.untilMs }]]]),
    );
  });
});

describe("what the API no longer lists", () => {
  const OF = { company: "unlisted", apiClockOffsetMs: 5_000 };
  beforeAll(() =>
    record("unlisted", {
      endpoints: [
        { id: "a", lastReportedMs: NOW_MS - HOUR_MS, removedMs: NOW_MS - HOUR_MS + 3 * MINUTE_MS },
        { id: "b", removedMs: NOW_MS - HOUR_MS },
        { id: "c", partner: "Aconex" },
      ],
    }),
  );
  const feed = (id: string, lastListedMs: number | null) => ({
    id,
    endpointKey: `${id} key`,
    partnerName: "Procore",
    lastListedMs,
    cadenceMs: HOUR_MS,
  });
  const A = feed("a", NOW_MS - HOUR_MS + 5_000);

  it("is found by its partner's exact name, of its own company only", async () => {
    expect(await findRemovedPartner(test, OF, "Procore")).toEqual([A, feed("b", null)]);
    for (const name of ["Procor", "", "Pro\0core"])
      expect(await findRemovedPartner(test, OF, name)).toEqual([]);
    expect(await findRemovedPartner(test, { ...OF, company: "other" }, "Procore")).toEqual([]);
  });

  it("is found by its id under any partner, and by its key under its own", async () => {
    const find = (partnerName: string | null, endpoint: string) =>
      findRemovedEndpoint(test, OF, { partnerName, endpoint });
    expect(await find("Procore", "a")).toEqual(A);
    expect(await find(null, "a")).toEqual(A);
    expect(await find("Procore", "A KEY")).toEqual(A);
    expect(await find("Aconex", "a key")).toBeNull();
    expect(await find("Procore", "z")).toBeNull();
    expect(await find("Procore", "\0")).toBeNull();
  });
});
