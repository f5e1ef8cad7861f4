import { setTimeout as realTurn } from "node:timers/promises";
import pino from "pino";
import { createLog } from "@/lib/server/log";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Fault } from "@/e2e/upstream/fault";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleFiles } from "@/e2e/upstream/sample-rows";
import type { ServedScheduleFile } from "@/lib/contracts/v3";
import { ask, COMPANY } from "@/lib/server/deletions/deletions-fixture";
import { createManualClock, eventually, type ManualClock } from "@/lib/server/manual-clock";
import { readDeletion } from "@/lib/server/store/deletions/read-deletions";
import { startDeletion, writeOutcome } from "@/lib/server/store/deletions/work-on-deletions";
import { countFiles } from "@/lib/server/store/files/find-schedule-files";
import { deleteExpired } from "@/lib/server/store/sync/retention";
import { markGone, readFileIndex, upsertFiles } from "@/lib/server/store/files/schedule-files";
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import { createUpstream } from "@/lib/server/upstream/client";
import { fixedCompanies } from "@/lib/server/upstream/upstream-fixture";
import { createFileIndexer, type FileIndexerOptions } from "./file-index";
import { DAY_MS, MINUTE_MS } from "@/lib/domain/time/units";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
const log = pino({ level: "silent" });

let clock: ManualClock;
let test: TestDatabase;
let api: MisbehavingUpstream;
let running: { stop(): Promise<void> }[];

beforeEach(async () => {
  clock = createManualClock(START_MS);
  test = await createTestDatabase();
  running = [];
});
afterEach(async () => {
  await Promise.all(running.map((instance) => instance.stop()));
  await api.close();
  await test.drop();
});

async function serve(files: ServedScheduleFile[]): Promise<void> {
  api = await startMisbehavingUpstream({ files, nowMs: clock.nowMs });
}

/** Starts what one process runs to mirror schedule files. */
function startInstance(options: Partial<FileIndexerOptions> & { requestsPerMinute?: number } = {}) {
  const connection = {
    company: COMPANY,
    name: "Main",
    baseUrl: api.baseUrl,
    clientId: api.clientId,
    clientSecret: api.clientSecret,
  };
  const stopping = new AbortController();
  const upstream = createUpstream({
    connection,
    clock,
    random: () => 0.5,
    log,
    database: test.database,
    requestsPerMinute: options.requestsPerMinute ?? 100_000,
    tokenRequestsPerMinute: 10,
    pollSeconds: 60,
    databaseNowMs: clock.nowMs,
    signal: stopping.signal,
  });
  const indexer = createFileIndexer({
    database: test.database,
    clock,
    random: () => 0.5,
    log,
    companies: fixedCompanies([{ upstream, connection }]),
    pollSeconds: 60,
    disk: { isLow: () => Promise.resolve(false) },
    ...options,
  });
  indexer.start();
  const instance = {
    async stop() {
      stopping.abort();
      await indexer.stop();
    },
  };
  running.push(instance);
  return instance;
}

async function stopAll(): Promise<void> {
  for (const instance of running.splice(0)) await instance.stop();
}

type State = NonNullable<Awaited<ReturnType<typeof readFileIndex>>>;
const state = () => readFileIndex(test.database.orm, COMPANY);
const known = () => countFiles(test.database.orm, COMPANY);
const listed = () => api.requests.filter(({ path }) => path === "/schedule_files");
const pages = () => listed().map(({ query }) => Number(query["page"]));

const until = (holds: (now: State | null) => boolean | Promise<boolean>) =>
  eventually(clock, async () => holds(await state()), 100);
const untilScanned = () =>
  until((now) => now !== null && now.nextPage === null && now.scannedAt !== null);

/** Advances time by one interval, until only waiting for the next one is left. */
async function nextRound(): Promise<void> {
  const before = listed().length;
  await clock.advance(MINUTE_MS * 1.1);
  await until(() => listed().length > before && clock.sleeping().some((ms) => ms > 10_000));
}

async function rowsOf<Row extends Record<string, unknown>>(statement: string): Promise<Row[]> {
  return (await test.database.pool.query<Row>(statement)).rows;
}
const gone = async () =>
  (
    await rowsOf<{ id: string }>(
      "select id from schedule_files where gone_at is not null order by id",
    )
  ).map(({ id }) => Number(id));

describe("a company's files", () => {
  it("log a failure when it begins, not with each read", async () => {
    await serve([]);
    const lines: string[] = [];
    startInstance({ log: createLog("info", { write: (line) => void lines.push(line) }) });
    await untilScanned();
    await api.setFault({ kind: "error_500" }, { path: "/schedule_files" });
    for (let round = 0; round < 3; round += 1) await nextRound();
    const failures = lines.filter((line) => line.includes("returned no schedule files"));
    expect(failures).toHaveLength(1);
    expect(failures[0]).not.toContain('"stack"');
  });

  it.each([
    [0, 1],
    [100, 1],
    [101, 2],
    [5_000, 50],
  ])("indexes %i files with %i requests, newest first", async (count, requests) => {
    await serve(sampleFiles(count, START_MS));
    startInstance();
    await untilScanned();
    expect(pages()).toEqual(Array.from({ length: requests }, (_, index) => index + 1));
    expect(listed().every((request) => request.query["per_page"] === "100")).toBe(true);
    expect(await known()).toBe(count);
    expect(await state()).toMatchObject({ total: count, complete: true, reason: null, scan: 1 });
  });

  it("are polled with one request per interval, finding new files until known ones", async () => {
    const files = sampleFiles(450, START_MS);
    await serve(files.slice(150));
    startInstance();
    await untilScanned();
    await nextRound();
    expect(pages()).toEqual([1, 2, 3, 1]);
    api.setFiles(files);
    await nextRound();
    expect(pages()).toEqual([1, 2, 3, 1, 1, 2, 3]);
    expect(await known()).toBe(450);
    expect(await state()).toMatchObject({ total: 450, complete: true, scan: 1 });
  });

  it("are scanned for deletions, using at most a quarter of the time", async () => {
    const files = sampleFiles(1_000, START_MS);
    await serve(files);
    // 60 a minute leave about 36 for deferrable jobs: a scan of 10 pages takes 17 s, followed by 50 s of rest.
    startInstance({ requestsPerMinute: 60 });
    await untilScanned();
    api.setFiles(files.filter(({ id }) => id !== 300 && id !== 301));
    await nextRound();
    expect(await gone()).toEqual([300, 301]);
    expect(await state()).toMatchObject({ total: 998, complete: true, scan: 2 });
    expect(api.requests.filter(({ path }) => path === "/schedule_files/301")).toHaveLength(1);

    const before = listed().length;
    await serveFewerAndFewer(files.slice(2), 15);
    const scanned = listed().length - before;
    // 15 heads, and a quarter of 15 minutes at 36 a minute.
    expect(scanned).toBeLessThan(15 + 0.27 * 15 * 36);
  });

  async function serveFewerAndFewer(files: ServedScheduleFile[], minutes: number): Promise<void> {
    for (let minute = 1; minute <= minutes; minute += 1) {
      api.setFiles(files.slice(0, -minute));
      for (let second = 0; second < 60; second += 1) {
        await clock.advance(1_000);
        await realTurn(3);
      }
    }
  }

  it("are scanned at least once a day", async () => {
    await serve(sampleFiles(250, START_MS));
    startInstance();
    await untilScanned();
    await nextRound();
    expect((await state())?.scan).toBe(1);
    await clock.advance(24 * 60 * MINUTE_MS);
    await until((now) => now?.scan === 2 && now.nextPage === null);
    // The newest files may have been polled again since.
    expect(pages().join()).toMatch(/1,2,3(?:,1)*$/);
  });

  it("are neither missed nor lost when added and deleted during a scan", async () => {
    const files = sampleFiles(1_200, START_MS);
    await serve(files.slice(100));
    startInstance({ requestsPerMinute: 40 });
    await until((now) => (now?.nextPage ?? 0) >= 5);
    api.setFiles(files.slice(50).filter(({ id }) => id < 800 || id > 860));
    await until((now) => (now?.nextPage ?? 0) >= 9);
    api.setFiles(files.filter(({ id }) => id < 800 || id > 860));
    await untilScanned();
    const there = await rowsOf<{ id: string }>(
      "select id from schedule_files where gone_at is null",
    );
    const ids = new Set(there.map(({ id }) => Number(id)));
    const missing = files.filter(({ id }) => (id < 800 || id > 860) && !ids.has(id));
    expect(missing).toEqual([]);
    await until((now) => now?.complete === true);
    expect(await known()).toBe(1_200 - 61);
  });

  it("are indexed from where a stopped process was, one page back", async () => {
    await serve(sampleFiles(2_000, START_MS));
    startInstance({ requestsPerMinute: 30 });
    await until((now) => (now?.nextPage ?? 0) >= 8);
    await stopAll();
    const { nextPage } = (await state()) ?? {};
    const before = listed().length;
    startInstance();
    await untilScanned();
    expect(pages()[before]).toBe((nextPage ?? 0) - 1);
    expect(await known()).toBe(2_000);
    // The rest of the 20 pages, and the one before.
    expect(listed().length - before).toBeLessThanOrEqual(20 - (nextPage ?? 0) + 2);
  });

  it("are indexed by one of two instances, and by the other when that stops", async () => {
    await serve(sampleFiles(2_000, START_MS));
    const first = startInstance({ requestsPerMinute: 30 });
    startInstance({ requestsPerMinute: 30 });
    await until((now) => (now?.nextPage ?? 0) >= 4);
    running.shift();
    await first.stop();
    await untilScanned();
    expect(listed().length).toBeLessThanOrEqual(23);
  });

  it("show a file added at the head of a long scan before the scan ends", async () => {
    const files = sampleFiles(9_001, START_MS);
    await serve(files.slice(1));
    startInstance({ requestsPerMinute: 120 });
    await until((now) => (now?.nextPage ?? 0) >= 20);
    api.setFiles(files);
    await until(
      async () => (await rowsOf("select 1 from schedule_files where id = 9001")).length === 1,
    );
    expect((await state())?.nextPage).toBeLessThan(90);
    await untilScanned();
    expect(await state()).toMatchObject({ total: 9_001, complete: true });
    expect(listed().length).toBeLessThanOrEqual(1.05 * 91);
  });
});

describe("the newest page that is returned again unchanged", () => {
  /** Identifies each row's last write. */
  const writes = () =>
    rowsOf("select id, xmin::text, last_seen_at from schedule_files order by id desc");

  it("isn't written again for a quarter of an hour, but its time is", async () => {
    await serve(sampleFiles(150, START_MS));
    startInstance();
    await untilScanned();
    await nextRound();
    const [before, stateBefore] = [await writes(), await state()];
    const storedMs = clock.nowMs();
    for (let round = 0; round < 5; round += 1) await nextRound();
    expect(await writes()).toEqual(before);
    const asOfMs = (await state())?.asOf?.getTime() ?? NaN;
    expect(asOfMs).toBeGreaterThan(storedMs + 4 * MINUTE_MS);
    expect(await state()).toEqual({ ...stateBefore, asOf: new Date(asOfMs) });

    while (clock.nowMs() < storedMs + 16 * MINUTE_MS) await nextRound();
    const seenMs = (await writes()).map((row) => (row["last_seen_at"] as Date).getTime());
    expect(Math.min(...seenMs.slice(0, 100))).toBeGreaterThan(storedMs + 10 * MINUTE_MS);
    expect(Math.max(...seenMs.slice(100))).toBeLessThan(storedMs);
  });

  it("is written at once after another one, and after a failure", async () => {
    const files = sampleFiles(150, START_MS);
    await serve(files.slice(1));
    startInstance();
    await untilScanned();
    await nextRound();
    await nextRound();
    api.setFiles(files);
    await nextRound();
    expect(await known()).toBe(150);
    await api.setFault({ kind: "error_500" });
    await clock.advance(1.1 * MINUTE_MS);
    await until((now) => now?.reason === "unreachable");
    await api.setFault(null);
    await until(async (now) => {
      await clock.advance(MINUTE_MS);
      return now?.reason === null;
    });
    expect(await state()).toMatchObject({ total: 150, complete: true });
  });

  it("is written if one of its files is believed gone", async () => {
    await serve(sampleFiles(150, START_MS));
    startInstance();
    await untilScanned();
    await nextRound();
    await markGone(test.database.orm, COMPANY, 120, clock.nowMs());
    expect(await gone()).toEqual([120]);
    await nextRound();
    expect(await gone()).toEqual([]);
    expect(await state()).toMatchObject({ total: 150, complete: true });
  });

  it("is written while one of its files was deleted lately, so that it is noted as still listed", async () => {
    const files = sampleFiles(3, START_MS);
    await serve(files);
    startInstance();
    await untilScanned();
    const { database } = test;
    const id = await ask(database, clock, files.slice(0, 1));
    await startDeletion(database.orm, COMPANY, id);
    const [item] = (await readDeletion(database.orm, COMPANY, id))?.files ?? [];
    if (item === undefined) throw new Error("there is no such item");
    await writeOutcome(database, item, "deleted", {}, clock.nowMs());
    const contradicted = () => rowsOf("select contradicted_by from deletion_items");
    await nextRound();
    expect(await contradicted()).toEqual([{ contradicted_by: null }]);
    await nextRound();
    await nextRound();
    expect(await contradicted()).toEqual([{ contradicted_by: "there" }]);
  });
});

describe("a file found gone", () => {
  const sample = () => sampleFiles(3, START_MS);
  const seen = (requestedMs: number) => ({ scan: 1, requestedMs, nowMs: requestedMs + 5 });

  it("stays gone for a page requested before, and returns with a later one", async () => {
    await serve([]);
    const { orm } = test.database;
    expect(await upsertFiles(orm, COMPANY, sample(), seen(START_MS))).toBe(3);
    await markGone(orm, COMPANY, 2, START_MS + 100);
    await markGone(orm, COMPANY, 2, START_MS + 900);
    await upsertFiles(orm, COMPANY, sample(), seen(START_MS + 50));
    expect(await gone()).toEqual([2]);
    expect(await upsertFiles(orm, COMPANY, sample(), seen(START_MS + 500))).toBe(1);
    expect(await gone()).toEqual([]);
  });

  it("is deleted after the retention period", async () => {
    await serve([]);
    const { database } = test;
    await upsertFiles(database.orm, COMPANY, sample(), seen(START_MS));
    await markGone(database.orm, COMPANY, 2, START_MS);
    expect(await deleteExpired(database, COMPANY, START_MS, 10)).toBe(0);
    expect(await deleteExpired(database, COMPANY, START_MS + 1, 10)).toBe(1);
    expect(await rowsOf("select id from schedule_files order by id")).toEqual([
      { id: "1" },
      { id: "3" },
    ]);
  });
});

describe("failing upstream", () => {
  const faults: [Fault, string][] = [
    [{ kind: "down" }, "unreachable"],
    [{ kind: "error_500" }, "unreachable"],
    [{ kind: "malformed_json" }, "invalid_response"],
    [{ kind: "wrong_types" }, "invalid_response"],
    [{ kind: "empty_with_total" }, "invalid_response"],
    [{ kind: "expensive_body", shape: "empty_rows" }, "invalid_response"],
    [{ kind: "expensive_body", shape: "deep_objects", bytes: 4_000_000 }, "invalid_response"],
    [{ kind: "long_text", member: "name", length: 1_001 }, "invalid_response"],
    [{ kind: "more_than_asked", items: 200 }, "invalid_response"],
    [{ kind: "unauthorized" }, "unauthorized"],
    [{ kind: "forbidden" }, "forbidden"],
    [{ kind: "rate_limited", headers: "none" }, "rate_limited"],
  ];
  it.each(faults)(
    "%o: keeps all files, reports the reason, and recovers",
    async (fault, reason) => {
      await serve(sampleFiles(250, START_MS));
      startInstance();
      await untilScanned();
      await api.setFault(fault);
      await clock.advance(MINUTE_MS * 1.1);
      await until((now) => now?.reason === reason);
      expect(await known()).toBe(250);
      expect(await state()).toMatchObject({ total: 250, complete: true });
      await api.setFault(null);
      await clock.advance(2.5 * MINUTE_MS);
      await until((now) => now?.reason === null);
    },
  );

  it("continues an interrupted scan without losses", async () => {
    await serve(sampleFiles(1_500, START_MS));
    startInstance({ requestsPerMinute: 30 });
    await until((now) => (now?.nextPage ?? 0) >= 5);
    await api.setFault({ kind: "error_500" });
    await until((now) => now?.reason === "unreachable");
    expect(await known()).toBeGreaterThanOrEqual(400);
    await api.setFault(null);
    await untilScanned();
    expect(await known()).toBe(1_500);
    expect(await gone()).toEqual([]);
    expect((await state())?.scan).toBe(1);
  });

  it("isn't believed to have no files while it still returns one", async () => {
    await serve(sampleFiles(250, START_MS));
    const all = sampleFiles(250, START_MS);
    startInstance();
    await untilScanned();
    await api.setFault({ kind: "no_files" });
    await nextRound();
    await nextRound();
    expect(await gone()).toEqual([]);
    expect(await state()).toMatchObject({ complete: false });
    await api.setFault(null);
    api.setFiles(all);
    await nextRound();
    expect(await state()).toMatchObject({ complete: true });
    api.setFiles([]);
    await nextRound();
    expect(await known()).toBe(0);
  });

  const oddLists: Fault[] = [
    { kind: "duplicate_ids" },
    { kind: "changing_total" },
    { kind: "shifting_pages" },
  ];
  it.each(oddLists)("%o: no scan drops a file or runs forever", async (fault) => {
    await serve(sampleFiles(450, START_MS));
    startInstance();
    await untilScanned();
    await api.setFault(fault, { path: "/schedule_files" });
    await clock.advance(24 * 60 * MINUTE_MS);
    const dueMs = clock.nowMs();
    await until((now) => (now?.scan ?? 0) >= 2 && now?.nextPage === null);
    expect(await gone()).toEqual([]);
    expect(await known()).toBe(450);
    // While the database takes its time, more intervals pass, each with its head of at most five pages.
    const intervals = Math.floor((clock.nowMs() - dueMs) / MINUTE_MS);
    expect(listed().length).toBeLessThan(20 + 5 * intervals);
  });
});

describe("our side", () => {
  it("notes what is gone, and what is there again, after our clock was set back by weeks", async () => {
    const files = sampleFiles(3, START_MS);
    await serve(files);
    startInstance();
    await untilScanned();
    await markGone(test.database.orm, COMPANY, 3, clock.nowMs());
    clock.jump(-41 * DAY_MS);
    api.setFiles(files.filter(({ id }) => id !== 2));
    await nextRound();
    expect(await gone()).toEqual([2]);
    expect(await state()).toMatchObject({ total: 2, complete: true });
    const seen = await rowsOf<{ at: Date }>(
      "select last_seen_at as at from schedule_files where gone_at is null",
    );
    expect(Math.max(...seen.map(({ at }) => at.getTime()))).toBeLessThan(START_MS - 40 * DAY_MS);
  });

  it("writes nothing on a full disk, and continues once there is space", async () => {
    await serve(sampleFiles(250, START_MS));
    let isLow = true;
    startInstance({ disk: { isLow: () => Promise.resolve(isLow) } });
    await clock.advance(3 * MINUTE_MS);
    await realTurn(50);
    expect(await state()).toBeNull();
    isLow = false;
    await clock.advance(MINUTE_MS);
    await untilScanned();
    expect(await known()).toBe(250);
  });

  it("stops reading new files when the disk fills up meanwhile", async () => {
    const files = sampleFiles(450, START_MS);
    await serve(files.slice(350));
    startInstance({ disk: { isLow: () => Promise.resolve(listed().length >= 3) } });
    await untilScanned();
    expect(pages()).toEqual([1]);
    api.setFiles(files);
    await nextRound();
    expect(pages()).toEqual([1, 1, 2]);
    expect(await known()).toBe(300);
  });

  it("waits for an unavailable database", async () => {
    await serve(sampleFiles(250, START_MS));
    startInstance();
    await untilScanned();
    await test.asOwner("alter table schedule_files rename to away");
    await clock.advance(MINUTE_MS * 1.1);
    for (let turn = 0; turn < 20; turn += 1) await realTurn(5);
    await test.asOwner("alter table away rename to schedule_files");
    await nextRound();
    expect(await state()).toMatchObject({ complete: true });
  });

  it("stores members named like object internals, and invalid numbers", async () => {
    await serve(sampleFiles(3, START_MS));
    await api.setFault({ kind: "odd_values" });
    startInstance();
    await untilScanned();
    expect(await state()).toMatchObject({ total: 3, complete: true, reason: null });
    const stored = await rowsOf("select name, given -> 'nested' as nested from schedule_files");
    const nested = {
      ["__proto__"]: { polluted: true },
      "nul\ufffd": ["\ufffd", "half \ufffd", null],
    };
    const file = { name: "Tower\ufffd \ufffd.xer", nested };
    expect(stored).toEqual([file, file, file]);
  });

  it("stores any characters in names, and separates companies", async () => {
    const odd = sampleFiles(2, START_MS).map((file, index) => ({
      ...file,
      name: index === 0 ? "\0 \ud800 'x'" : "構".repeat(1_000),
      file_type: "🏗".repeat(100) as "xer",
      customer_project: { id: 1, name: "構".repeat(1_000), source: "", customer_project_id: "" },
      created_at: index === 0 ? "-000001-01-01T00:00:00Z" : file.created_at,
    }));
    await serve(odd);
    startInstance();
    await untilScanned();
    expect(await known()).toBe(2);
    await upsertFiles(test.database.orm, "other", sampleFiles(3, START_MS), {
      scan: 1,
      requestedMs: START_MS,
      nowMs: START_MS,
    });
    expect(await known()).toBe(2);
  });
});
