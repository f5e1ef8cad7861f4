import { setTimeout as realTurn } from "node:timers/promises";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import pino from "pino";
import { createLog } from "@/lib/server/log";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import type { Fault } from "@/e2e/upstream/fault";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import type { ServedSyncStatus } from "@/lib/contracts/v3";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import { createUpstream } from "@/lib/server/upstream/client";
import { fixedCompanies } from "@/lib/server/upstream/upstream-fixture";
import { HTTP_LIMITS } from "@/lib/server/upstream/http";
import { createCollector, type CollectorOptions } from "./collector";
import { createSnapshots, type CompanySnapshot } from "./snapshots";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
/** A third of a poll interval plus one percent. */
const LOOK_MS = 20_200;
const log = pino({ level: "silent" });

let clock: ManualClock;
let test: TestDatabase;
let api: MisbehavingUpstream;
let running: { stop(): Promise<void> }[];

beforeEach(async () => {
  clock = createManualClock(START_MS);
  test = await createTestDatabase();
  running = [];
  api = await startMisbehavingUpstream({ rows: sampleRows(12, START_MS), nowMs: clock.nowMs });
});
afterEach(async () => {
  await Promise.all(running.map((instance) => instance.stop()));
  await api.close();
  await test.drop();
});

/** Starts what one process runs to collect. */
async function startInstance(
  options: Partial<CollectorOptions> = {},
  slugs: readonly string[] = ["main"],
) {
  const sentMs: number[] = [];
  const companies = slugs.map((company) => {
    const connection = {
      company,
      name: company,
      baseUrl: api.baseUrl,
      clientId: api.clientId,
      clientSecret: api.clientSecret,
    };
    const upstream = createUpstream({
      connection,
      clock,
      random: () => 0.5,
      log,
      database: test.database,
      requestsPerMinute: 60,
      tokenRequestsPerMinute: 10,
      pollSeconds: 60,
      databaseNowMs: clock.nowMs,
      // Deadlines are in real time; shortened for requests that hang.
      limits: { ...HTTP_LIMITS, wholeMs: 1_500 },
      onRequest: ({ lane }) => void (lane === "background" && sentMs.push(clock.nowMs())),
    });
    return { connection, upstream };
  });
  const snapshots = createSnapshots({ database: test.database, clock, log });
  await snapshots.start();
  const published: CompanySnapshot[] = [];
  const collector = createCollector({
    database: test.database,
    clock,
    random: () => 0.5,
    log,
    companies: fixedCompanies(companies),
    pollSeconds: 60,
    pollsPerWindow: 38,
    retentionDays: 90,
    reportTimeZone: "UTC",
    incidents: INCIDENT_SETTINGS,
    disk: { isLow: () => Promise.resolve(false) },
    onPublish: (snapshot) => {
      published.push(snapshot);
      snapshots.publish(snapshot);
    },
    ...options,
  });
  collector.start();
  const instance = {
    collector,
    snapshots,
    published,
    /** Send time of each request of a check. */
    sentMs,
    async stop() {
      await Promise.all([collector.stop(), snapshots.stop()]);
    },
    /** The current snapshot. */
    shown() {
      const snapshot = snapshots.get("main");
      if (snapshot === null) throw new Error("nothing is shown yet");
      return snapshot;
    },
    row(id: string) {
      return instance.shown().rows.find((row) => row.id === id);
    },
    /** Advances time until the next check has ended, successfully or not. */
    async look() {
      const last = published.at(-1);
      if (last !== undefined)
        await clock.advance(Math.max(0, last.state.nextRefreshMs - clock.nowMs()) + 1);
      await eventually(() => (published.at(-1)?.state.nextRefreshMs ?? 0) > clock.nowMs());
    },
  };
  running.push(instance);
  return instance;
}

/** Runs pending I/O and advances time until `holds`. */
async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await realTurn(5);
    await clock.advance(20);
  }
}

async function query<Row extends Record<string, unknown>>(statement: string): Promise<Row[]> {
  return (await test.database.pool.query<Row>(statement)).rows;
}

/** Changes one of the upstream's current rows. */
function changeRow(id: string, attributes: Partial<ServedSyncStatus["attributes"]>): void {
  const changed = rows();
  const row = changed.find((each) => each.id === id);
  if (row === undefined) throw new Error(`there is no row ${id}`);
  Object.assign(row.attributes, attributes);
  api.setRows(changed);
}
/** 12 rows that are always on time. */
const rows = () => sampleRows(12, clock.nowMs());
const at = (ms: number) => new Date(clock.nowMs() + ms).toISOString();

describe("polling a company", () => {
  it("shows all its rows, and polls again at the interval", async () => {
    const instance = await startInstance();
    await instance.look();
    const { state, rows: shown } = instance.shown();
    expect(shown).toHaveLength(12);
    expect(shown.every((row) => row.verdict === "fresh")).toBe(true);
    expect(state).toMatchObject({ reason: null, rhythmSeconds: 60 });
    const asOfMs = state.asOfMs ?? 0;
    expect(state.nextRefreshMs - asOfMs).toBeGreaterThanOrEqual(LOOK_MS);
    expect(state.nextRefreshMs - asOfMs).toBeLessThan(LOOK_MS + 15_000);

    await instance.look();
    expect(instance.shown().state.asOfMs).toBe(asOfMs + LOOK_MS);
    expect(api.requests.filter(({ path }) => path === "/sync_status")).toHaveLength(2);
  });

  it("records runs, landings, verdicts and calls, and learns from them", async () => {
    const instance = await startInstance();
    await instance.look();
    changeRow("sc-1", {
      last_sync_status: "in_progress",
      last_sync_started_at: at(-1000),
      last_sync_finished_at: null,
    });
    await instance.look();
    expect(instance.row("sc-1")?.known.last_finished_status).toBe("completed");

    changeRow("sc-1", {
      last_sync_status: "failed",
      last_sync_started_at: new Date(START_MS + LOOK_MS).toISOString(),
      last_sync_finished_at: at(0),
      last_sync_duration_seconds: 30,
    });
    await instance.look();
    changeRow("sc-1", {
      last_sync_status: "timed_out",
      last_sync_started_at: at(-1000),
      last_sync_finished_at: at(0),
      last_updated_at: new Date(START_MS - 9 * MINUTE_MS).toISOString(),
      last_sync_duration_seconds: 300,
    });
    await instance.look();
    expect(instance.row("sc-1")).toMatchObject({
      verdict: "failing",
      known: {
        failures_in_a_row: 2,
        last_finished_status: "timed_out",
        // From the completed run, not from the longer one that timed out.
        typical_duration_seconds: 120,
      },
    });
    expect(
      await query("select typical_duration_seconds from endpoints where endpoint_id = 'sc-1'"),
    ).toEqual([{ typical_duration_seconds: 120 }]);
    const statuses = await query<{ status: string }>(
      "select status from runs where endpoint_id = 'sc-1' order by started_at",
    );
    expect(statuses.at(-1)?.status).toBe("timed_out");
    expect(statuses.map(({ status }) => status)).toContain("failed");
    expect(
      await query("select previous, verdict from verdict_changes where endpoint_id = 'sc-1'"),
    ).toContainEqual({ previous: "fresh", verdict: "failing" });
    expect((await query("select 1 from landings")).length).toBeGreaterThan(12);
    expect((await query("select 1 from call_samples")).length).toBeGreaterThanOrEqual(12);
  });

  it("records data of the last page that was received long after the first was read", async () => {
    await api.close();
    const last = "sc-1000";
    const received = at(22 * MINUTE_MS);
    const all = sampleRows(1_000, START_MS);
    const row = all.find(({ id }) => id === last);
    Object.assign(row?.attributes ?? {}, { last_updated_at: received });
    api = await startMisbehavingUpstream({
      rows: all,
      nowMs: clock.nowMs,
      take: () => clock.advance(4 * MINUTE_MS),
    });
    const { published } = await startInstance();
    // A second check may be on its way by then.
    await eventually(() => published.some(({ state }) => state.asOfMs !== null));
    const asOfMs = published.flatMap(({ state }) => state.asOfMs ?? []);
    expect(asOfMs[0]).toBeLessThan(Date.parse(received) - 10 * MINUTE_MS);
    const recorded = await query(
      `select endpoint_id from landings where landed_at = '${received}'`,
    );
    expect(recorded).toEqual([{ endpoint_id: last }]);
  });

  it("keeps a missing row as unknown for three polls, then removes it", async () => {
    const instance = await startInstance();
    await instance.look();
    const reportedMs = instance.shown().state.asOfMs ?? 0;
    const sinceMs = () => (instance.shown().state.asOfMs ?? 0) - reportedMs;
    api.setRows(rows().filter(({ id }) => id !== "sc-7"));
    await instance.look();
    expect(sinceMs()).toBe(LOOK_MS);
    while (instance.row("sc-7") !== undefined) {
      expect(instance.row("sc-7")).toMatchObject({
        verdict: "unknown",
        known: { reported: false },
      });
      await instance.look();
    }
    // The fourth poll without it, each a minute after the previous one; not the fourth check.
    expect(sinceMs()).toBe(12 * LOOK_MS);
    api.setRows(rows());
    await instance.look();
    expect(instance.row("sc-7")).toMatchObject({ verdict: "fresh", known: { reported: true } });
  });

  it("never removes an intermittent row, whenever it is seen", async () => {
    const instance = await startInstance();
    await instance.look();
    for (let look = 0; look < 30; look += 1) {
      // Missing for nine of ten checks, three minutes, like a page cached by the API.
      api.setRows(look % 10 === 9 ? rows() : rows().filter(({ id }) => id !== "sc-7"));
      await instance.look();
      expect(instance.row("sc-7")).toBeDefined();
    }
  });

  it("doesn't remove a row that was missing at the end of an outage because of checks in quick succession", async () => {
    const instance = await startInstance();
    await instance.look();
    await api.setFault({ kind: "error_500" });
    await clock.advance(30 * MINUTE_MS);
    await instance.look();
    await api.setFault(null);
    api.setRows(rows().filter(({ id }) => id !== "sc-7"));
    await instance.look();
    expect(instance.shown().state.reason).toBeNull();
    const firstMs = instance.shown().state.asOfMs ?? 0;
    while (instance.row("sc-7") !== undefined) await instance.look();
    expect((instance.shown().state.asOfMs ?? 0) - firstMs).toBeGreaterThanOrEqual(3 * MINUTE_MS);
  });

  it("neither rewrites nor serialises rows when nothing changed", async () => {
    const instance = await startInstance();
    await instance.look();
    const written = () =>
      query(
        `select 'endpoint', endpoint_id, xmin::text from endpoints
         union all select 'run', endpoint_id, xmin::text from runs
         union all select 'landing', endpoint_id, xmin::text from landings
         union all select 'sample', endpoint_id, xmin::text from call_samples
         union all select 'verdict', endpoint_id, xmin::text from verdict_changes
         order by 1, 2`,
      );
    const before = await written();
    const { state, rows: shown } = instance.shown();
    for (const _ of [1, 2, 3]) await instance.look();
    expect(await written()).toEqual(before);
    expect(instance.shown().rows).toBe(shown);
    expect(instance.shown().state.version).toBe(state.version + 3);
    expect(instance.shown().state.asOfMs).toBe((state.asOfMs ?? 0) + 3 * LOOK_MS);
  });

  it("doesn't mistake unrecorded rows for recorded ones", async () => {
    let isLow = false;
    const instance = await startInstance({ disk: { isLow: () => Promise.resolve(isLow) } });
    await instance.look();
    isLow = true;
    changeRow("sc-1", { api_calls_last_24h: 77 });
    await instance.look();
    expect(instance.row("sc-1")?.api_calls_last_24h).toBe(77);
    isLow = false;
    api.setRows(sampleRows(12, START_MS));
    await instance.look();
    expect(instance.row("sc-1")?.api_calls_last_24h).not.toBe(77);
  });

  it("reads 1,000 endpoints completely, and reports the longer interval", async () => {
    api.setRows(sampleRows(1_000, clock.nowMs()));
    const instance = await startInstance({ pollsPerWindow: 8 });
    await instance.look();
    expect(instance.shown().rows).toHaveLength(1_000);
    expect(instance.shown().state).toMatchObject({ totalPages: 10, rhythmSeconds: 79 });
    expect(api.requests.filter(({ path }) => path === "/sync_status")).toHaveLength(10);
    const asOfMs = instance.shown().state.asOfMs ?? 0;
    await instance.look();
    // Includes the extra one percent.
    expect(instance.shown().state.asOfMs).toBe(asOfMs + 79_538);
  });
});

describe("companies of one host", () => {
  const slugs = ["a", "b", "c"];

  /** Advances time from event to event, each with everything that follows from it. */
  async function pass(ms: number): Promise<void> {
    const untilMs = clock.nowMs() + ms;
    // Companies; reports, learned weeks and retention; the leader's heartbeat and the snapshots.
    const sleepers = slugs.length + 3 + 2;
    while (clock.nowMs() < untilMs) {
      await clock.untilSleeping(sleepers);
      await clock.advance(Math.min(clock.sleeping()[0] ?? 0, untilMs - clock.nowMs()));
    }
  }

  /** Start times of all checks within the given minutes, by company. */
  async function looksOf(published: readonly CompanySnapshot[], minutes: number) {
    await eventually(() => new Set(published.map(({ company }) => company)).size === slugs.length);
    await pass(MINUTE_MS);
    const from = published.length;
    await pass(minutes * MINUTE_MS);
    return slugs.map((slug) => [
      ...new Set(
        published
          .slice(from)
          .filter(({ company }) => company === slug)
          .map(({ state }) => state.asOfMs ?? 0),
      ),
    ]);
  }
  const apart = (atMs: readonly number[]) =>
    atMs.slice(1).map((each, index) => each - (atMs[index] ?? 0));

  it("are each checked at the interval, evenly spread", async () => {
    const instance = await startInstance({}, slugs);
    const looks = await looksOf(instance.published, 3);
    for (const of of looks) {
      expect(of.length).toBeGreaterThanOrEqual(8);
      for (const ms of apart(of)) expect(Math.abs(ms - LOOK_MS)).toBeLessThanOrEqual(1);
    }
    const all = looks.flat().toSorted((a, b) => a - b);
    for (const ms of apart(all)) expect(ms).toBeGreaterThan(LOOK_MS / 4);
  });

  it("share the budget equally when their lists exhaust it, without exceeding it in any minute", async () => {
    api.setRows(sampleRows(500, clock.nowMs()));
    const { published, sentMs } = await startInstance({}, slugs);
    const looks = await looksOf(published, 3);
    // 35 pages for checks, 15 pages each: two checks in a window of 63 s.
    for (const of of looks) {
      expect(of.length).toBeGreaterThanOrEqual(5);
      for (const ms of apart(of)) expect(Math.abs(ms - 31_815)).toBeLessThan(100);
    }
    const densest = Math.max(
      ...sentMs.map((from) => sentMs.filter((ms) => ms >= from && ms < from + MINUTE_MS).length),
    );
    expect(densest).toBeGreaterThan(28);
    expect(densest).toBeLessThanOrEqual(38);
    expect(published.every(({ state }) => state.reason === null)).toBe(true);
  });

  it("slow down at once when a list grows, and speed up after it was short for five minutes", async () => {
    const instance = await startInstance();
    await instance.look();
    const asOfMs = () => instance.shown().state.asOfMs ?? 0;
    const nextLookMs = async () => {
      const before = asOfMs();
      await instance.look();
      return asOfMs() - before;
    };
    expect(await nextLookMs()).toBe(LOOK_MS);
    api.setRows(sampleRows(1_500, clock.nowMs()));
    expect(await nextLookMs()).toBe(LOOK_MS);
    expect(await nextLookMs()).toBe(31_815);
    api.setRows(rows());
    const shortMs = asOfMs();
    await nextLookMs();
    while (asOfMs() - shortMs < 5 * MINUTE_MS) expect(await nextLookMs()).toBe(31_815);
    await nextLookMs();
    expect(await nextLookMs()).toBe(LOOK_MS);
    expect(instance.shown().state.rhythmSeconds).toBe(60);
  });
});

describe("failing upstream", () => {
  const faults: [Fault, string][] = [
    [{ kind: "down" }, "unreachable"],
    [{ kind: "reset" }, "unreachable"],
    [{ kind: "error_500" }, "unreachable"],
    [{ kind: "html_502" }, "unreachable"],
    [{ kind: "hang" }, "unreachable"],
    [{ kind: "half_open" }, "unreachable"],
    [{ kind: "redirect" }, "invalid_response"],
    [{ kind: "malformed_json" }, "invalid_response"],
    [{ kind: "wrong_types" }, "invalid_response"],
    [{ kind: "empty_with_total" }, "invalid_response"],
    [{ kind: "changing_total" }, "invalid_response"],
    [{ kind: "kept_by_cache", ageSeconds: 600 }, "invalid_response"],
    [{ kind: "gzip_bomb" }, "invalid_response"],
    [{ kind: "expensive_body", shape: "empty_rows" }, "invalid_response"],
    [{ kind: "expensive_body", shape: "deep_arrays", bytes: 4_000_000 }, "invalid_response"],
    [{ kind: "expensive_body", shape: "one_text", bytes: 4_000_000 }, "invalid_response"],
    [{ kind: "long_text", member: "partner_name", length: 70_000 }, "invalid_response"],
    [{ kind: "long_text", member: "id", length: 513 }, "invalid_response"],
    [{ kind: "enormous_total" }, "invalid_response"],
    [{ kind: "unauthorized" }, "unauthorized"],
    [{ kind: "forbidden" }, "forbidden"],
    [{ kind: "rate_limited", headers: "none" }, "rate_limited"],
  ];
  it.each(faults)(
    "%o: keeps the 12 rows, reports the reason, and recovers",
    async (fault, reason) => {
      const instance = await startInstance();
      await instance.look();
      const { rows: before, state } = instance.shown();

      await api.setFault(fault, { path: "/sync_status" });
      const seen = instance.published.length;
      await instance.look();
      for (const { rows: shown, state: published } of instance.published.slice(seen)) {
        expect(shown).toEqual(before);
        expect(published).toMatchObject({ asOfMs: state.asOfMs, reason });
      }
      expect(instance.shown().state).toMatchObject({ reason, asOfMs: state.asOfMs });

      await api.setFault(null);
      api.setRows(rows());
      await instance.look();
      expect(instance.shown().state.reason).toBeNull();
      expect(instance.shown().rows).toHaveLength(12);
      expect(instance.shown().state.asOfMs).toBeGreaterThan(state.asOfMs ?? 0);
    },
  );

  it("records and reads back unusual names", async () => {
    await api.setFault({ kind: "odd_values" });
    const instance = await startInstance();
    await instance.look();
    const { rows: shown, state } = instance.shown();
    expect(state.reason).toBeNull();
    expect(new Set(shown.map((row) => row.partner_name))).toEqual(
      new Set(["Pro\ufffdcore \ufffd"]),
    );
    expect(await query("select count(*)::int as count from endpoints")).toEqual([{ count: 12 }]);
    await instance.look();
    expect(instance.shown().state).toMatchObject({ reason: null, version: state.version + 1 });
    const restarted = createSnapshots({ database: test.database, clock, log });
    running.push(restarted);
    await restarted.start();
    expect(restarted.get("main")?.rows).toEqual(instance.shown().rows);
  });

  it("shows names without bidirectional control characters, and stores the original", async () => {
    changeRow("sc-1", { partner_name: "Pro\u202Ecore", endpoint_key: "\u2067late\u2069" });
    const instance = await startInstance();
    await instance.look();
    const named = { partner_name: "Procore", endpoint_key: "late" };
    expect(instance.row("sc-1")).toMatchObject(named);
    expect(
      await query(
        `select partner_name, endpoint_key, raw -> 'attributes' ->> 'partner_name' as given
           from endpoints where endpoint_id = 'sc-1'`,
      ),
    ).toEqual([{ ...named, given: "Pro\u202Ecore" }]);
    const restarted = createSnapshots({ database: test.database, clock, log });
    running.push(restarted);
    await restarted.start();
    expect(restarted.get("main")?.rows).toEqual(instance.shown().rows);
  });

  const shifts: [Fault, string | null][] = [
    // Rows were repeated and none lost: the deduplicated set is complete.
    [{ kind: "shifting_pages" }, null],
    // The repeated row replaces another one, which is missing.
    [{ kind: "duplicate_ids" }, "invalid_response"],
  ];
  it.each(shifts)("%o: never shows pages that lack a row", async (fault, reason) => {
    api.setRows(sampleRows(250, clock.nowMs()));
    const instance = await startInstance();
    await instance.look();
    await api.setFault(fault);
    await instance.look();
    expect(instance.shown().rows).toHaveLength(250);
    expect(instance.shown().rows.every(({ known }) => known.reported)).toBe(true);
    expect(instance.shown().state.reason).toBe(reason);
  });

  it("is retried after a whole poll interval, and polled at the usual interval after recovery", async () => {
    const instance = await startInstance();
    await instance.look();
    await api.setFault({ kind: "html_502" }, { path: "/sync_status" });
    await instance.look();
    const failedMs = instance.shown().state.lastAttemptMs;
    const { nextRefreshMs } = instance.shown().state;
    expect(nextRefreshMs - failedMs).toBeGreaterThanOrEqual(MINUTE_MS);
    expect(nextRefreshMs - failedMs).toBeLessThan(MINUTE_MS + 15_000);
    await instance.look();
    expect(instance.shown().state.lastAttemptMs).toBe(failedMs + MINUTE_MS);
    await api.setFault(null);
    await instance.look();
    const asOfMs = failedMs + 2 * MINUTE_MS;
    expect(instance.shown().state).toMatchObject({ reason: null, asOfMs, rhythmSeconds: 60 });
    await instance.look();
    expect(instance.shown().state.asOfMs).toBe(asOfMs + LOOK_MS);
  });

  it("is checked once per poll for five minutes after a rate limit, whatever room was assumed", async () => {
    const instance = await startInstance();
    await instance.look();
    await api.setFault({ kind: "rate_limited", headers: "retry_after", seconds: 5 });
    await instance.look();
    await api.setFault(null);
    await instance.look();
    const backMs = instance.shown().state.asOfMs ?? 0;
    for (let look = 1; look <= 4; look += 1) {
      await instance.look();
      expect(instance.shown().state.asOfMs).toBe(backMs + look * 60_600);
    }
    await instance.look();
    const quickMs = instance.shown().state.asOfMs ?? 0;
    await instance.look();
    expect(instance.shown().state.asOfMs).toBe(quickMs + LOOK_MS);
  });

  it("isn't retried before the time given by a 429", async () => {
    const instance = await startInstance();
    await instance.look();
    await api.setFault({ kind: "rate_limited", headers: "retry_after", seconds: 100 });
    await instance.look();
    const { state } = instance.shown();
    expect(state.reason).toBe("rate_limited");
    expect(state.nextRefreshMs - clock.nowMs()).toBeGreaterThan(95_000);
  });

  it("isn't retried before the time given by a 503, which is no rate limit", async () => {
    const instance = await startInstance();
    await instance.look();
    const before = api.requests.length;
    await api.setFault({ kind: "unavailable", seconds: 100 });
    await instance.look();
    const { state } = instance.shown();
    expect(state.reason).toBe("unreachable");
    expect(state.nextRefreshMs - clock.nowMs()).toBeGreaterThan(95_000);
    expect(api.requests.length - before).toBe(1);
  });

  it("reports a rate limit while waiting for the end of an exhausted window", async () => {
    const instance = await startInstance();
    await instance.look();
    await api.setFault({ kind: "spent", seconds: 100 }, { path: "/sync_status", times: 1 });
    await instance.look();
    // For a minute at most, whatever the response says.
    const spentUntilMs = clock.nowMs() + MINUTE_MS;
    const { asOfMs } = instance.shown().state;
    await clock.advance(2 * LOOK_MS);
    await eventually(() => instance.shown().state.reason === "rate_limited");
    expect(instance.shown().state.asOfMs).toBe(asOfMs);
    expect(instance.shown().state.nextRefreshMs).toBeGreaterThan(spentUntilMs);
    await clock.advance(spentUntilMs + LOOK_MS + 3_000 - clock.nowMs());
    await eventually(() => instance.shown().state.reason === null);
    expect(instance.shown().state.asOfMs).toBeGreaterThan(asOfMs ?? 0);
  });

  it("is logged when a failure begins, changes and ends, not with each check", async () => {
    const lines: string[] = [];
    const write = (line: string) => void lines.push(line);
    const instance = await startInstance({ log: createLog("info", { write }) });
    await instance.look();
    await api.setFault({ kind: "error_500" }, { path: "/sync_status" });
    for (let look = 0; look < 4; look += 1) await instance.look();
    await api.setFault({ kind: "malformed_json" }, { path: "/sync_status" });
    for (let look = 0; look < 2; look += 1) await instance.look();
    await api.setFault(null);
    await instance.look();
    const said = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => String(msg).startsWith("the upstream returned"));
    expect(said).toMatchObject([
      { level: "warn", company: "main", reason: "unreachable", err: { httpStatus: 500 } },
      { level: "warn", company: "main", reason: "invalid_response" },
      { company: "main", failures: 6, msg: "the upstream returned a snapshot again" },
    ]);
    expect(lines.join("")).not.toContain('"stack"');
  });

  it("records a gap with its reason after recovery, but not for one or two polls", async () => {
    const instance = await startInstance();
    await instance.look();
    await api.setFault({ kind: "error_500" });
    await instance.look();
    await api.setFault(null);
    await instance.look();
    expect(await query("select 1 from gaps")).toEqual([]);

    await api.setFault({ kind: "error_500" });
    const lastGoodMs = instance.shown().state.asOfMs ?? 0;
    await instance.look();
    await instance.look();
    await instance.look();
    await api.setFault(null);
    await instance.look();
    const [gap, ...more] = await query<{ from_at: Date; until_at: Date; reason: string }>(
      "select * from gaps",
    );
    expect(more).toEqual([]);
    expect(gap).toMatchObject({ reason: "unreachable" });
    // The record is on the API clock, whose Date header has a resolution of one second.
    expect(Math.abs((gap?.from_at.getTime() ?? 0) - lastGoodMs)).toBeLessThan(2_000);
    expect(gap?.until_at.getTime()).toBeGreaterThan(lastGoodMs + 2.5 * MINUTE_MS);
  });

  it("records a gap where it was, although the API's clock is ahead when it comes back", async () => {
    const instance = await startInstance();
    await instance.look();
    await api.setFault({ kind: "error_500" });
    const lastGoodMs = instance.shown().state.asOfMs ?? 0;
    await instance.look();
    await instance.look();
    await instance.look();
    await api.setFault({ kind: "clock_skew", skewMs: 240 * MINUTE_MS });
    await instance.look();
    const gaps = await query<{ from_at: Date; until_at: Date }>("select * from gaps");
    expect(gaps).toHaveLength(1);
    const [from = 0, until = 0] = gaps.flatMap(({ from_at, until_at }) =>
      [from_at, until_at].map((end) => end.getTime() - lastGoodMs),
    );
    expect(Math.abs(from)).toBeLessThan(2_000);
    expect(until).toBeGreaterThan(2.5 * MINUTE_MS);
    expect(until).toBeLessThan(10 * MINUTE_MS);
  });
});

describe("stopping and starting", () => {
  it("shows the last good data with its true age after a restart, whatever the upstream does", async () => {
    const first = await startInstance();
    await first.look();
    const { rows: before } = first.shown();
    await first.stop();
    await api.setFault({ kind: "down" });
    await clock.advance(10 * MINUTE_MS);

    const second = await startInstance();
    expect(second.shown().rows).toEqual(before);
    expect(second.snapshots.ageMs("main")).toBeGreaterThanOrEqual(10 * MINUTE_MS);
    await eventually(() => second.shown().state.reason === "unreachable");
    expect(second.shown().rows).toEqual(before);

    await api.setFault(null);
    await second.look();
    expect(second.shown().state.reason).toBeNull();
    expect(second.snapshots.ageMs("main")).toBeLessThan(MINUTE_MS);
    expect(await query("select reason from gaps")).toHaveLength(1);
  });

  it("records a gap as long as the downtime, even if our clock was set back meanwhile", async () => {
    await api.close();
    const apiNowMs = () => START_MS + clock.monotonicMs();
    api = await startMisbehavingUpstream({ rows: sampleRows(12, START_MS), nowMs: apiNowMs });
    const first = await startInstance();
    await first.look();
    await first.stop();
    const { asOfMs } = first.shown().state;
    await clock.advance(10 * MINUTE_MS);
    clock.jump(-2 * 60 * MINUTE_MS);
    const second = await startInstance();
    await eventually(() => second.shown().state.asOfMs !== asOfMs);
    const [gap] = await query<{ from_at: Date; until_at: Date }>("select * from gaps");
    expect(Math.abs((gap?.from_at.getTime() ?? 0) - START_MS)).toBeLessThan(5_000);
    const lastedMs = (gap?.until_at.getTime() ?? 0) - (gap?.from_at.getTime() ?? 0);
    expect(Math.abs(lastedMs - 10 * MINUTE_MS)).toBeLessThan(5_000);
  });

  it("records a gap as long as the API's clock and PostgreSQL's say after our clock was wrong", async () => {
    await api.close();
    const apiNowMs = () => START_MS + clock.monotonicMs();
    api = await startMisbehavingUpstream({ rows: sampleRows(12, START_MS), nowMs: apiNowMs });
    const restart = async (ofDatabaseMs: number) => {
      clock.jump(-33 * DAY_MS);
      const first = await startInstance();
      await first.look();
      await first.stop();
      const { asOfMs } = first.shown().state;
      await clock.advance(10 * MINUTE_MS);
      clock.jump(33 * DAY_MS);
      // PostgreSQL uses the machine's clock, which doesn't advance with that of the test.
      await query(
        `update company_state set database_clock_offset_ms = database_clock_offset_ms - ${ofDatabaseMs}`,
      );
      await query("delete from gaps");
      const second = await startInstance();
      await eventually(() => second.shown().state.asOfMs !== asOfMs);
      await second.stop();
      return query<{ minutes: number }>(
        "select round(extract(epoch from until_at - from_at) / 60)::int as minutes from gaps",
      );
    };
    expect(await restart(10 * MINUTE_MS)).toEqual([{ minutes: 10 }]);
    // As of the same machine, it is wrong like ours.
    const wrongMs = 33 * DAY_MS + 10 * MINUTE_MS;
    expect(await restart(wrongMs)).toEqual([{ minutes: wrongMs / MINUTE_MS }]);
  });

  it("shortens a gap that ended while the API's clock was ahead, once that is right", async () => {
    const first = await startInstance();
    await first.look();
    await first.stop();
    await clock.advance(10 * MINUTE_MS);
    await api.setFault({ kind: "clock_skew", skewMs: 240 * MINUTE_MS });
    const second = await startInstance();
    await eventually(() => second.published.length > 0);
    const lengths = async () =>
      (
        await query<{ minutes: number }>(
          "select round(extract(epoch from until_at - from_at) / 60)::int as minutes from gaps",
        )
      ).map(({ minutes }) => minutes);
    // Nothing shows yet which clock is wrong.
    expect(await lengths()).toEqual([250]);
    await second.look();
    expect(await lengths()).toEqual([250]);
    await api.setFault(null);
    await second.look();
    expect(await lengths()).toEqual([11]);
  });

  it("judges the first data by our clock, while it contradicts the Date", async () => {
    const [recent, old] = rows();
    if (recent === undefined || old === undefined) throw new Error("there are too few rows");
    Object.assign(old.attributes, {
      last_updated_at: at(-170 * MINUTE_MS),
      next_sync_at: null,
    });
    api.setRows([recent, old]);
    await api.setFault({ kind: "clock_skew", skewMs: -150 * MINUTE_MS });
    const first = await startInstance();
    await first.look();
    expect(first.row(old.id)?.verdict).toBe("stale");
    expect(first.row(recent.id)?.verdict).toBe("fresh");
  });

  it("judges old data by the clock known before, while newer data contradicts the Date", async () => {
    const OLD = "id-of-old";
    const first = await startInstance();
    await first.look();
    const [recent, old] = rows();
    if (recent === undefined || old === undefined) throw new Error("there are too few rows");
    const oldAt = at(-170 * MINUTE_MS);
    Object.assign(old, { id: OLD });
    Object.assign(old.attributes, { last_updated_at: oldAt, next_sync_at: null });
    api.setRows([recent, old]);
    await api.setFault({ kind: "clock_skew", skewMs: -150 * MINUTE_MS });
    await first.look();
    expect(first.row(OLD)?.verdict).toBe("stale");
    expect(first.row(recent.id)?.verdict).toBe("fresh");
    await first.stop();
    const second = await startInstance();
    await second.look();
    expect(second.row(OLD)?.verdict).toBe("stale");
    // Once nothing contradicts it, the Date counts.
    api.setRows([old]);
    await second.look();
    expect(Math.abs(second.shown().state.apiClockOffsetMs + 150 * MINUTE_MS)).toBeLessThan(2_000);
  });

  it.each([
    { name: "back", days: -37 },
    { name: "forward", days: 37 },
  ])(
    "dates a check by the API's clock, even if ours is set $name before the response",
    async ({ days }) => {
      await api.close();
      let jumpsMs = 0;
      const apiNowMs = () => {
        clock.jump(jumpsMs);
        jumpsMs = 0;
        return START_MS + clock.monotonicMs();
      };
      api = await startMisbehavingUpstream({ rows: sampleRows(12, START_MS), nowMs: apiNowMs });
      const instance = await startInstance();
      await instance.look();
      const before = instance.published.length;
      jumpsMs = days * 24 * 60 * MINUTE_MS;
      await clock.advance(LOOK_MS);
      await eventually(() => instance.published.length > before);
      await instance.stop();
      const [checked] = await query<{ observed_at: Date }>(
        "select observed_at from incident_states",
      );
      expect(jumpsMs).toBe(0);
      expect(Math.abs((checked?.observed_at.getTime() ?? 0) - apiNowMs())).toBeLessThan(MINUTE_MS);
      const { asOfMs, apiClockOffsetMs } = instance.shown().state;
      expect(Math.abs((asOfMs ?? 0) + apiClockOffsetMs - apiNowMs())).toBeLessThan(MINUTE_MS);
      expect(await query("select reason from gaps")).toEqual([]);
    },
  );

  it("records a run that ended during the downtime", async () => {
    const first = await startInstance();
    await first.look();
    await first.stop();
    await clock.advance(30 * MINUTE_MS);
    api.setRows(rows());
    const second = await startInstance();
    await second.look();
    expect(await query("select 1 from runs where endpoint_id = 'sc-1'")).toHaveLength(2);
    expect(await query("select reason from gaps")).toEqual([{ reason: "stopped" }]);
  });
});

describe("two instances on one database", () => {
  it("poll once, and show the same", async () => {
    const first = await startInstance();
    await first.look();
    const second = await startInstance();
    await first.look();
    await eventually(() => second.shown().state.version === first.shown().state.version);
    expect(second.shown().rows).toEqual(first.shown().rows);
    expect([first.collector.isLeading(), second.collector.isLeading()]).toEqual([true, false]);
    expect(second.published).toEqual([]);
  });

  it("take over within 30 s when the polling one dies", async () => {
    const first = await startInstance();
    await first.look();
    const second = await startInstance();
    await eventually(() => second.snapshots.get("main") !== null);
    // The process is gone, along with the connection that held the lock.
    await first.stop();
    const diedAtMs = clock.nowMs();
    await eventually(() => second.published.length > 0);
    expect(clock.nowMs() - diedAtMs).toBeLessThanOrEqual(30_000);
    expect(second.shown().rows).toHaveLength(12);
  });

  it("stop polling at once when the lock connection is lost, and compete again", async () => {
    const instance = await startInstance();
    await instance.look();
    await query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'plumbline collector' and datname = current_database()`,
    );
    await eventually(() => !instance.collector.isLeading());
    const seen = api.requests.length;
    // A new leader polls at once, so count requests only up to then.
    let requested = seen;
    await eventually(() => {
      if (instance.collector.isLeading()) return true;
      requested = api.requests.length;
      return false;
    });
    expect(requested).toBe(seen);
    await instance.look();
    expect(instance.shown().state.reason).toBeNull();
  });

  it("don't write, publish or send heartbeats as a leader replaced without noticing", async () => {
    const beats: number[] = [];
    const instance = await startInstance({
      heartbeat: { everyMs: MINUTE_MS, beat: async () => void beats.push(clock.nowMs()) },
    });
    await instance.look();
    const [before] = await query("select * from company_state");
    const seen = instance.published.length;
    await query("update leads set term = gen_random_uuid()");
    await clock.advance(MINUTE_MS);
    await eventually(() => !instance.collector.isLeading());
    expect(instance.published).toHaveLength(seen);
    expect(beats).toEqual([]);
    expect(await query("select * from company_state")).toEqual([before]);
    await eventually(() => instance.collector.isLeading());
    await instance.look();
    expect(instance.published.length).toBeGreaterThan(seen);
    await clock.advance(MINUTE_MS);
    await eventually(() => beats.length > 0);
  });

  it("don't write when the record's version changed, and reload it", async () => {
    const lines: string[] = [];
    const instance = await startInstance({
      log: pino({ level: "warn" }, { write: (line) => void lines.push(line) }),
    });
    await instance.look();
    await query("update company_state set version = version + 10");
    const [before] = await query<{ version: string }>("select * from company_state");
    const seen = instance.published.length;
    await clock.advance(MINUTE_MS);
    await eventually(() => lines.some((line) => line.includes("another collector wrote")));
    expect(instance.published).toHaveLength(seen);
    await clock.advance(MINUTE_MS);
    await eventually(() => instance.published.length > seen);
    const published = instance.published.length - seen;
    const [after] = await query<{ version: string }>("select * from company_state");
    // One per publication since then, plus one if another is about to follow.
    const written = Number(after?.version) - Number(before?.version);
    expect([published, published + 1]).toContain(written);
  });
});

describe("when recording is impossible", () => {
  it("keeps publishing on a nearly full disk, and catches up in the record afterwards", async () => {
    let isLow = false;
    const instance = await startInstance({ disk: { isLow: () => Promise.resolve(isLow) } });
    await instance.look();
    const [recorded] = await query("select version from company_state");
    isLow = true;
    for (let look = 0; look < 8; look += 1) {
      api.setRows(rows());
      await instance.look();
    }
    expect(instance.snapshots.ageMs("main")).toBeLessThan(MINUTE_MS);
    expect(instance.shown().state.reason).toBeNull();
    expect(await query("select version from company_state")).toEqual([recorded]);

    isLow = false;
    await instance.look();
    expect(await query("select reason from gaps")).toEqual([{ reason: "not_recorded" }]);
    expect(await query("select version from company_state")).not.toEqual([recorded]);
  });

  it("records an attempt after unrecorded snapshots without claiming them", async () => {
    let isLow = false;
    const instance = await startInstance({ disk: { isLow: () => Promise.resolve(isLow) } });
    await instance.look();
    const recordedMs = instance.shown().state.asOfMs ?? 0;
    isLow = true;
    await instance.look();
    isLow = false;
    await api.setFault({ kind: "error_500" });
    await instance.look();
    expect(instance.shown().state.asOfMs).toBe(recordedMs + LOOK_MS);
    const [state] = await query<{ as_of: Date }>("select as_of from company_state");
    expect(state?.as_of.getTime()).toBe(recordedMs);
  });

  it("keeps the last good rows without a database, and sends nothing unaccounted for", async () => {
    const instance = await startInstance();
    await instance.look();
    const { rows: before } = instance.shown();
    const seen = api.requests.length;
    await test.database.close();
    await instance.look();
    expect(instance.shown().rows).toBe(before);
    // No request was sent, so the source's status is unchanged.
    expect(instance.shown().state.reason).toBeNull();
    expect(api.requests).toHaveLength(seen);
  });

  it("keeps the record consistent and continues after a failed write", async () => {
    const reports: [string, boolean | null][] = [];
    const instance = await startInstance({
      onCheckRecorded: (company, isRecorded) => void reports.push([company, isRecorded]),
    });
    await instance.look();
    const recordedMs = instance.shown().state.asOfMs;
    await test.asOwner("alter table landings add constraint refuse check (false) not valid");
    api.setRows(rows());
    await instance.look();
    expect(instance.shown().state).toMatchObject({ reason: null });
    expect(instance.snapshots.ageMs("main")).toBeLessThan(MINUTE_MS);
    const [recorded] = await query<{ as_of: Date }>("select as_of from company_state");
    expect(recorded?.as_of.getTime()).toBe(recordedMs);

    await test.asOwner("alter table landings drop constraint refuse");
    await instance.look();
    expect(await query("select 1 from landings")).toHaveLength(24);
    expect(reports).toEqual([
      ["main", true],
      ["main", false],
      ["main", true],
    ]);
  });
});

describe("incident", () => {
  const stored = () =>
    query<{ id: number; partner: string; ended: boolean; ending: string | null; members: number }>(
      `select id, partner_name as partner, ended_at is not null as ended, ending,
         jsonb_array_length(members) as members from incidents order by id`,
    );
  const kinds = async () =>
    (
      await query<{ kind: string }>("select kind from incident_events order by incident_id, seq")
    ).map(({ kind }) => kind);
  const fail = () =>
    changeRow("sc-1", {
      last_sync_status: "failed",
      last_sync_started_at: at(-120_000),
      last_sync_finished_at: at(-60_000),
      last_updated_at: null,
    });

  it.each(["0000-01-01T00:00:00Z", "0026-11-27T14:25:54Z"])(
    "of data received in %s begins at an instant that can be read back",
    async (receivedAt) => {
      const instance = await startInstance();
      await instance.look();
      changeRow("sc-1", { last_updated_at: receivedAt });
      await instance.look();
      expect(await stored()).toMatchObject([{ id: 1, ended: false, members: 1 }]);
      const [incident] = await query<{ year: number }>(
        "select extract(year from began_at)::int as year from incidents",
      );
      expect(incident?.year).toBe(1970);
    },
  );

  it("opens with the snapshot that shows it, continues under the next leader, and ends with its evidence", async () => {
    const first = await startInstance();
    await first.look();
    expect(await stored()).toEqual([]);
    fail();
    await first.look();
    const failedMs = clock.nowMs();
    expect(await stored()).toMatchObject([{ id: 1, ended: false, members: 1 }]);
    expect(await kinds()).toEqual(["opened"]);
    await first.stop();

    const second = await startInstance();
    await second.look();
    expect(await kinds()).toEqual(["opened"]);
    const recovered = {
      last_updated_at: at(-1000),
      last_sync_started_at: at(-2000),
      last_sync_finished_at: at(-1000),
    };
    changeRow("sc-1", recovered);
    await second.look();
    expect(await kinds()).toEqual(["opened", "left"]);
    while (clock.nowMs() < failedMs + 12 * MINUTE_MS) {
      changeRow("sc-1", recovered);
      await second.look();
    }
    expect(await kinds()).toEqual(["opened", "left", "ended"]);
    expect(await stored()).toMatchObject([{ id: 1, ended: true, ending: "recovered" }]);
  });

  it("is recorded as happened unobserved if the record couldn't take it at first", async () => {
    let isLow = false;
    const instance = await startInstance({ disk: { isLow: () => Promise.resolve(isLow) } });
    await instance.look();
    isLow = true;
    fail();
    for (let looks = 0; looks < 9; looks += 1) await instance.look();
    expect(await stored()).toEqual([]);
    isLow = false;
    await instance.look();
    expect(await stored()).toMatchObject([{ id: 1, ended: false }]);
    expect(await kinds()).toEqual(["seen_again"]);
  });

  it("neither opens nor ends while the upstream is unavailable", async () => {
    const instance = await startInstance();
    fail();
    await instance.look();
    expect(await kinds()).toEqual(["opened"]);
    await api.setFault({ kind: "error_500" });
    for (let looks = 0; looks < 6; looks += 1) await instance.look();
    expect(await kinds()).toEqual(["opened"]);
    api.setRows(rows());
    await api.setFault(null);
    await instance.look();
    expect(await kinds()).toEqual(["opened", "blind", "seen_again"]);
    expect(await stored()).toMatchObject([{ ended: false }]);
  });
});
