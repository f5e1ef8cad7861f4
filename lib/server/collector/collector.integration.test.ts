import { setTimeout as realTurn } from "node:timers/promises";
import pino from "pino";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import type { Fault } from "@/e2e/upstream/fault";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import type { ServedSyncStatus } from "@/lib/contracts/v3";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { createTestDatabase } from "@/lib/server/store/test-database";
import { createUpstream } from "@/lib/server/upstream/client";
import { HTTP_LIMITS } from "@/lib/server/upstream/http";
import { createCollector, type CollectorOptions } from "./collector";
import { createSnapshots, type CompanySnapshot } from "./snapshots";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
const MINUTE_MS = 60_000;
const log = pino({ level: "silent" });

let clock: ManualClock;
let test: Awaited<ReturnType<typeof createTestDatabase>>;
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

/** One process of Plumbline, as far as collecting goes. */
async function startInstance(options: Partial<CollectorOptions> = {}) {
  const connection = {
    company: "main",
    name: "Main",
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
    // Deadlines run on real time: one that hangs is given up sooner here.
    limits: { ...HTTP_LIMITS, wholeMs: 1_500 },
  });
  const snapshots = createSnapshots({ database: test.database, clock, log });
  await snapshots.start();
  const published: CompanySnapshot[] = [];
  const collector = createCollector({
    database: test.database,
    clock,
    random: () => 0.5,
    log,
    companies: [{ upstream, connection }],
    pollSeconds: 60,
    pollsPerWindow: 38,
    retentionDays: 90,
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
    async stop() {
      await Promise.all([collector.stop(), snapshots.stop()]);
    },
    /** What it shows now. */
    shown() {
      const snapshot = snapshots.get("main");
      if (snapshot === null) throw new Error("nothing is shown yet");
      return snapshot;
    },
    row(id: string) {
      return instance.shown().rows.find((row) => row.id === id);
    },
    /** Lets time pass until the next poll has ended, well or badly. */
    async poll() {
      const last = published.at(-1);
      if (last !== undefined)
        await clock.advance(Math.max(0, last.state.nextRefreshMs - clock.nowMs()) + 1);
      await eventually(() => (published.at(-1)?.state.nextRefreshMs ?? 0) > clock.nowMs());
    },
  };
  running.push(instance);
  return instance;
}

/** Lets I/O happen, and time pass, until `holds`. */
async function eventually(holds: () => boolean): Promise<void> {
  while (!holds()) {
    await realTurn(5);
    await clock.advance(20);
  }
}

async function query<Row extends Record<string, unknown>>(statement: string): Promise<Row[]> {
  return (await test.database.pool.query<Row>(statement)).rows;
}

/** The upstream's rows as they are now, with one of them changed. */
function changeRow(id: string, attributes: Partial<ServedSyncStatus["attributes"]>): void {
  const changed = rows();
  const row = changed.find((each) => each.id === id);
  if (row === undefined) throw new Error(`there is no row ${id}`);
  Object.assign(row.attributes, attributes);
  api.setRows(changed);
}
/** 12 rows that are on time whenever they are asked for. */
const rows = () => sampleRows(12, clock.nowMs());
const at = (ms: number) => new Date(clock.nowMs() + ms).toISOString();

describe("a company that is polled", () => {
  it("is shown with all its rows, and asked again at the rhythm", async () => {
    const instance = await startInstance();
    await instance.poll();
    const { state, rows: shown } = instance.shown();
    expect(shown).toHaveLength(12);
    expect(shown.every((row) => row.verdict === "fresh")).toBe(true);
    expect(state).toMatchObject({ reason: null, rhythmSeconds: 60 });
    const asOfMs = state.asOfMs ?? 0;
    expect(state.nextRefreshMs - asOfMs).toBeGreaterThanOrEqual(MINUTE_MS);
    expect(state.nextRefreshMs - asOfMs).toBeLessThan(MINUTE_MS + 15_000);

    await instance.poll();
    expect(instance.shown().state.asOfMs).toBe(asOfMs + MINUTE_MS);
    expect(api.requests.filter(({ path }) => path === "/sync_status")).toHaveLength(2);
  });

  it("leaves a record of runs, landings, verdicts and calls, and learns from it", async () => {
    const instance = await startInstance();
    await instance.poll();
    changeRow("sc-1", {
      last_sync_status: "in_progress",
      last_sync_started_at: at(-1000),
      last_sync_finished_at: null,
    });
    await instance.poll();
    expect(instance.row("sc-1")?.known.last_finished_status).toBe("completed");

    changeRow("sc-1", {
      last_sync_status: "failed",
      last_sync_started_at: new Date(START_MS + MINUTE_MS).toISOString(),
      last_sync_finished_at: at(0),
      last_sync_duration_seconds: 30,
    });
    await instance.poll();
    changeRow("sc-1", {
      last_sync_status: "timed_out",
      last_sync_started_at: at(-1000),
      last_sync_finished_at: at(0),
      last_updated_at: new Date(START_MS - 9 * MINUTE_MS).toISOString(),
      last_sync_duration_seconds: 300,
    });
    await instance.poll();
    expect(instance.row("sc-1")).toMatchObject({
      verdict: "failing",
      known: {
        failures_in_a_row: 2,
        last_finished_status: "timed_out",
        typical_duration_seconds: 300,
      },
    });
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

  it("keeps a row that is gone as unknown for three snapshots, then removes it", async () => {
    const instance = await startInstance();
    await instance.poll();
    const snapshotWithout = async () => {
      api.setRows(rows().filter(({ id }) => id !== "sc-7"));
      await instance.poll();
      return instance.row("sc-7");
    };
    for (const _ of [1, 2, 3])
      expect(await snapshotWithout()).toMatchObject({
        verdict: "unknown",
        known: { reported: false },
      });
    expect(await snapshotWithout()).toBeUndefined();
    api.setRows(rows());
    await instance.poll();
    expect(instance.row("sc-7")).toMatchObject({ verdict: "fresh", known: { reported: true } });
  });

  it("with 1,000 endpoints is walked whole, and the stretched rhythm is told", async () => {
    api.setRows(sampleRows(1_000, clock.nowMs()));
    const instance = await startInstance({ pollsPerWindow: 8 });
    await instance.poll();
    expect(instance.shown().rows).toHaveLength(1_000);
    expect(instance.shown().state).toMatchObject({ totalPages: 10, rhythmSeconds: 79 });
    expect(api.requests.filter(({ path }) => path === "/sync_status")).toHaveLength(10);
    const asOfMs = instance.shown().state.asOfMs ?? 0;
    await instance.poll();
    expect(instance.shown().state.asOfMs).toBe(asOfMs + 79_000);
  });
});

describe("an upstream that fails", () => {
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
    [{ kind: "gzip_bomb" }, "invalid_response"],
    [{ kind: "unauthorized" }, "unauthorized"],
    [{ kind: "forbidden" }, "forbidden"],
    [{ kind: "rate_limited", headers: "none" }, "rate_limited"],
  ];
  it.each(faults)(
    "%o: the 12 rows stay, the reason is told, it recovers",
    async (fault, reason) => {
      const instance = await startInstance();
      await instance.poll();
      const { rows: before, state } = instance.shown();

      await api.setFault(fault, { path: "/sync_status" });
      const seen = instance.published.length;
      await instance.poll();
      for (const { rows: shown, state: told } of instance.published.slice(seen)) {
        expect(shown).toEqual(before);
        expect(told).toMatchObject({ asOfMs: state.asOfMs, reason });
      }
      expect(instance.shown().state).toMatchObject({ reason, asOfMs: state.asOfMs });

      await api.setFault(null);
      api.setRows(rows());
      await instance.poll();
      expect(instance.shown().state.reason).toBeNull();
      expect(instance.shown().rows).toHaveLength(12);
      expect(instance.shown().state.asOfMs).toBeGreaterThan(state.asOfMs ?? 0);
    },
  );

  const shifts: [Fault, string | null][] = [
    // Rows came twice and none was lost: de-duplicated, the set is whole.
    [{ kind: "shifting_pages" }, null],
    // The repeated row stands where another should: one is out of sight.
    [{ kind: "duplicate_ids" }, "invalid_response"],
  ];
  it.each(shifts)("%o: pages are never shown short of a row", async (fault, reason) => {
    api.setRows(sampleRows(250, clock.nowMs()));
    const instance = await startInstance();
    await instance.poll();
    await api.setFault(fault);
    await instance.poll();
    expect(instance.shown().rows).toHaveLength(250);
    expect(instance.shown().rows.every(({ known }) => known.reported)).toBe(true);
    expect(instance.shown().state.reason).toBe(reason);
  });

  it("is not asked again before the time that a 429 names", async () => {
    const instance = await startInstance();
    await instance.poll();
    await api.setFault({ kind: "rate_limited", headers: "retry_after", seconds: 100 });
    await instance.poll();
    const { state } = instance.shown();
    expect(state.reason).toBe("rate_limited");
    expect(state.nextRefreshMs - clock.nowMs()).toBeGreaterThan(95_000);
  });

  it("whose window is spent is said to limit us while we wait for it to end", async () => {
    const instance = await startInstance();
    await instance.poll();
    await api.setFault({ kind: "spent", seconds: 100 }, { path: "/sync_status", times: 1 });
    await instance.poll();
    const spentUntilMs = clock.nowMs() + 99_000;
    const { asOfMs } = instance.shown().state;
    await clock.advance(MINUTE_MS);
    await eventually(() => instance.shown().state.reason === "rate_limited");
    expect(instance.shown().state.asOfMs).toBe(asOfMs);
    expect(instance.shown().state.nextRefreshMs).toBeGreaterThan(clock.nowMs() + 30_000);
    await clock.advance(spentUntilMs + 3_000 - clock.nowMs());
    await eventually(() => instance.shown().state.reason === null);
    expect(instance.shown().state.asOfMs).toBeGreaterThan(asOfMs ?? 0);
  });

  it("leaves a gap with its reason once it is back, but not for a poll or two", async () => {
    const instance = await startInstance();
    await instance.poll();
    await api.setFault({ kind: "error_500" });
    await instance.poll();
    await api.setFault(null);
    await instance.poll();
    expect(await query("select 1 from gaps")).toEqual([]);

    await api.setFault({ kind: "error_500" });
    const lastGoodMs = instance.shown().state.asOfMs ?? 0;
    await instance.poll();
    await instance.poll();
    await api.setFault(null);
    await instance.poll();
    const [gap, ...more] = await query<{ from_at: Date; until_at: Date; reason: string }>(
      "select * from gaps",
    );
    expect(more).toEqual([]);
    expect(gap).toMatchObject({ reason: "unreachable" });
    // The record is on the API's clock, which its Date header gives to the second.
    expect(Math.abs((gap?.from_at.getTime() ?? 0) - lastGoodMs)).toBeLessThan(2_000);
    expect(gap?.until_at.getTime()).toBeGreaterThan(lastGoodMs + 2.5 * MINUTE_MS);
  });
});

describe("stopping and starting", () => {
  it("shows the last good data with its true age after a restart, whatever the upstream does", async () => {
    const first = await startInstance();
    await first.poll();
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
    await second.poll();
    expect(second.shown().state.reason).toBeNull();
    expect(second.snapshots.ageMs("main")).toBeLessThan(MINUTE_MS);
    expect(await query("select reason from gaps")).toHaveLength(1);
  });

  it("a run that ended while nobody looked is in the record afterwards", async () => {
    const first = await startInstance();
    await first.poll();
    await first.stop();
    await clock.advance(30 * MINUTE_MS);
    api.setRows(rows());
    const second = await startInstance();
    await second.poll();
    expect(await query("select 1 from runs where endpoint_id = 'sc-1'")).toHaveLength(2);
    expect(await query("select reason from gaps")).toEqual([{ reason: "stopped" }]);
  });
});

describe("two instances on one database", () => {
  it("one polls, both show the same", async () => {
    const first = await startInstance();
    await first.poll();
    const second = await startInstance();
    await first.poll();
    await eventually(() => second.shown().state.version === first.shown().state.version);
    expect(second.shown().rows).toEqual(first.shown().rows);
    expect([first.collector.isLeading(), second.collector.isLeading()]).toEqual([true, false]);
    expect(second.published).toEqual([]);
  });

  it("when the one that polls dies, the other takes over within 30 s", async () => {
    const first = await startInstance();
    await first.poll();
    const second = await startInstance();
    await eventually(() => second.snapshots.get("main") !== null);
    // The process is gone, and with it the connection that held the lock.
    await first.stop();
    const diedAtMs = clock.nowMs();
    await eventually(() => second.published.length > 0);
    expect(clock.nowMs() - diedAtMs).toBeLessThanOrEqual(30_000);
    expect(second.shown().rows).toHaveLength(12);
  });

  it("one whose lock connection is cut stops polling at once, and competes again", async () => {
    const instance = await startInstance();
    await instance.poll();
    await query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where application_name = 'plumbline collector' and datname = current_database()`,
    );
    await eventually(() => !instance.collector.isLeading());
    const seen = api.requests.length;
    await eventually(() => instance.collector.isLeading());
    expect(api.requests.length).toBe(seen);
    await instance.poll();
    expect(instance.shown().state.reason).toBeNull();
  });

  it("a leader that was deposed without noticing writes nothing, and takes up the record", async () => {
    const instance = await startInstance();
    await instance.poll();
    await query("update company_state set version = version + 10");
    const [before] = await query<{ version: string }>("select * from company_state");
    const seen = instance.published.length;
    await clock.advance(MINUTE_MS);
    // Until the poll has run into the fence, and both the next one and the retention are waited for.
    await eventually(() => clock.sleeping().filter((ms) => ms > 10_000).length === 2);
    expect(instance.published).toHaveLength(seen);
    await clock.advance(MINUTE_MS);
    await eventually(() => instance.published.length > seen);
    const [after] = await query<{ version: string }>("select * from company_state");
    expect(Number(after?.version)).toBe(Number(before?.version) + 1);
  });
});

describe("when nothing can be recorded", () => {
  it("on a disk nearly full the show goes on, and the record catches up by itself", async () => {
    let isLow = false;
    const instance = await startInstance({ disk: { isLow: () => Promise.resolve(isLow) } });
    await instance.poll();
    const [recorded] = await query("select version from company_state");
    isLow = true;
    for (const _ of [1, 2, 3]) {
      api.setRows(rows());
      await instance.poll();
    }
    expect(instance.snapshots.ageMs("main")).toBeLessThan(MINUTE_MS);
    expect(instance.shown().state.reason).toBeNull();
    expect(await query("select version from company_state")).toEqual([recorded]);

    isLow = false;
    await instance.poll();
    expect(await query("select reason from gaps")).toEqual([{ reason: "not_recorded" }]);
    expect(await query("select version from company_state")).not.toEqual([recorded]);
  });

  it("an attempt recorded after unrecorded snapshots claims no more than the record holds", async () => {
    let isLow = false;
    const instance = await startInstance({ disk: { isLow: () => Promise.resolve(isLow) } });
    await instance.poll();
    const recordedMs = instance.shown().state.asOfMs ?? 0;
    isLow = true;
    await instance.poll();
    isLow = false;
    await api.setFault({ kind: "error_500" });
    await instance.poll();
    expect(instance.shown().state.asOfMs).toBe(recordedMs + MINUTE_MS);
    const [state] = await query<{ as_of: Date }>("select as_of from company_state");
    expect(state?.as_of.getTime()).toBe(recordedMs);
  });

  it("without a database the last good rows stay, and nothing is sent that cannot be accounted for", async () => {
    const instance = await startInstance();
    await instance.poll();
    const { rows: before } = instance.shown();
    const seen = api.requests.length;
    await test.database.close();
    await instance.poll();
    expect(instance.shown().rows).toBe(before);
    // It was not asked, so nothing is said of it.
    expect(instance.shown().state.reason).toBeNull();
    expect(api.requests).toHaveLength(seen);
  });

  it("a write that fails leaves the record whole and the show running", async () => {
    const instance = await startInstance();
    await instance.poll();
    const recordedMs = instance.shown().state.asOfMs;
    await query("alter table landings add constraint refuse check (false) not valid");
    api.setRows(rows());
    await instance.poll();
    expect(instance.shown().state).toMatchObject({ reason: null });
    expect(instance.snapshots.ageMs("main")).toBeLessThan(MINUTE_MS);
    const [recorded] = await query<{ as_of: Date }>("select as_of from company_state");
    expect(recorded?.as_of.getTime()).toBe(recordedMs);

    await query("alter table landings drop constraint refuse");
    await instance.poll();
    expect(await query("select 1 from landings")).toHaveLength(24);
  });
});
