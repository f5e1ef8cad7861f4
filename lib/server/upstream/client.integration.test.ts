import { once, setMaxListeners } from "node:events";
import { spawn } from "node:child_process";
import { createConnection } from "node:net";
import { setTimeout as realTurn } from "node:timers/promises";
import { afterEach, describe, expect, vi } from "vitest";
import {
  UPSTREAM_DESCRIPTION,
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { EXPENSIVE_SHAPES } from "@/e2e/upstream/expensive-body";
import type { Fault } from "@/e2e/upstream/fault";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import type { Database } from "@/lib/server/store/database";
import {
  createTestDatabase,
  databaseTest,
  type TestDatabase,
} from "@/lib/server/store/test-database";
import { createUpstream, type UpstreamOptions } from "./client";
import type { RequestReport } from "./exchange";
import { HTTP_LIMITS } from "./http";
import { isUpstreamFailure, type Lane, type Upstream, type UpstreamFailure } from "./upstream";

const START_MS = Date.parse("2026-03-04T05:06:07Z");
const PAGE = { page: 1, perPage: 100 };
const SECRET = "client-secret-of-the-upstream";

const test = databaseTest();
let database: Database;
let clock: ManualClock;
let fake: MisbehavingUpstream;
let logged: object[];
let reports: RequestReport[];
let ending: AbortController;

test.beforeEach(async ({ db }) => {
  clock = createManualClock(START_MS);
  fake = await startMisbehavingUpstream({ nowMs: clock.nowMs, clientSecret: SECRET });
  logged = [];
  reports = [];
  ending = new AbortController();
  setMaxListeners(0, ending.signal);
  // A reused port would share an earlier test's budget, both stored and in memory.
  await db.asOwner("truncate upstream_hosts, upstream_requests, upstream_refusals");
  database = { ...db.database };
});
afterEach(async () => {
  ending.abort();
  await fake.close();
});

/** One company's client; every upstream has a separate port and thus a separate budget. */
function connect(options: Partial<UpstreamOptions> = {}): Upstream {
  return createUpstream({
    connection: {
      company: "northgate",
      name: "Northgate",
      baseUrl: fake.baseUrl,
      clientId: fake.clientId,
      clientSecret: SECRET,
    },
    clock,
    random: () => 0,
    log: { warn: (...words: unknown[]) => void logged.push(words) },
    database,
    requestsPerMinute: 60,
    tokenRequestsPerMinute: 10,
    pollSeconds: 60,
    onRequest: (report) => reports.push(report),
    signal: ending.signal,
    databaseNowMs: clock.nowMs,
    ...options,
  });
}

/** Deadlines short enough for tests; they are in real time. */
const hasty = { ...HTTP_LIMITS, connectMs: 150, wholeMs: 250 };

const read = (upstream: Upstream, lane: Lane = "background") => upstream.getSyncStatus(PAGE, lane);

async function failureOf(promise: Promise<unknown>): Promise<UpstreamFailure> {
  try {
    await promise;
  } catch (failure) {
    if (isUpstreamFailure(failure)) return failure;
    throw failure;
  }
  throw new Error("it did not fail");
}

const sent = (path: string) => fake.requests.filter((request) => request.path === path);

describe("well-behaved upstream", () => {
  test("returns its rows and clock offset", async () => {
    const { value, apiClockOffsetMs } = await read(connect());
    expect(value.data.map(({ id }) => id)).toEqual(sampleRows(12, START_MS).map(({ id }) => id));
    expect(apiClockOffsetMs).toBe(0);
  });

  test("gets one token request without scope for the grants, then one for the read scopes", async () => {
    const upstream = connect();
    expect(upstream.grantedScopes()).toBeNull();
    await Promise.all([read(upstream), upstream.listScheduleFiles(PAGE, "background")]);
    expect(sent("/oauth/token").map(({ scope }) => scope)).toEqual([
      null,
      "read:schedule_files read:sync_status",
    ]);
    expect(new Set(sent("/sync_status").map(({ bearer }) => bearer)).size).toBe(1);
    expect(upstream.grantedScopes()).toEqual([
      "read:schedule_files",
      "write:schedule_files",
      "read:sync_status",
    ]);
  });

  test("gets no DELETE when `beforeSending` rejects", async () => {
    const upstream = connect();
    const refused = upstream.deleteScheduleFile(2, "people", {
      beforeSending: () => Promise.reject(new Error("not any more")),
    });
    await expect(refused).rejects.toThrow("not any more");
    expect(sent("/schedule_files/2")).toEqual([]);
    expect((await upstream.getScheduleFile(2, "people")).value).not.toBeNull();
  });

  describe("when the process stalls between reserving and sending", () => {
    const bookedRequests = async (db: TestDatabase) => {
      const { rows } = await db.database.pool.query<{ lane: number }>(
        "select lane from upstream_requests where lane = 1",
      );
      return rows.length;
    };
    /** Real time passes only where a test advances it. */
    function standingStill(clocks: "both" | "wall" = "both") {
      let ms = 0;
      const realClock = {
        monotonicMs: () => (clocks === "both" ? ms : 0),
        nowMs: () => START_MS + ms,
      };
      return { upstream: connect({ realClock }), standStill: (forMs: number) => (ms += forMs) };
    }

    test.for(["both", "wall"] as const)(
      "sends under a new reservation (%s clocks)",
      async (at, { db }) => {
        const { upstream, standStill } = standingStill(at);
        await upstream.scopes("people");
        let requests = 0;
        const deleted = await upstream.deleteScheduleFile(2, "people", {
          async beforeSending() {
            requests += 1;
            if (requests === 1) standStill(2_501);
          },
        });
        expect(deleted.value).toBe(true);
        expect(requests).toBe(2);
        expect(sent("/schedule_files/2")).toHaveLength(1);
        expect(await bookedRequests(db)).toBe(2);
        expect(reports.filter(({ lane }) => lane === "people")).toHaveLength(1);
      },
    );

    test("sends when the stall is within the window's tolerance", async ({ db }) => {
      const { upstream, standStill } = standingStill();
      await upstream.deleteScheduleFile(2, "people", {
        beforeSending: async () => void standStill(2_500),
      });
      expect(await bookedRequests(db)).toBe(1);
    });

    test("fails as our own failure when it stalls repeatedly", async ({ db }) => {
      const { upstream, standStill } = standingStill();
      const failure = await failureOf(
        upstream.deleteScheduleFile(2, "people", {
          beforeSending: async () => void standStill(60_000),
        }),
      );
      expect(failure).toMatchObject({ reason: "unreachable", isOurs: true, maybeExecuted: false });
      expect(sent("/schedule_files/2")).toEqual([]);
      expect(await bookedRequests(db)).toBe(3);
    });
  });

  test("returns its grants, requested once for concurrent callers", async () => {
    fake.setScopes(["read:schedule_files"]);
    const upstream = connect();
    const granted = ["read:schedule_files"];
    const [first, second] = await Promise.all([upstream.scopes("people"), upstream.scopes("jobs")]);
    expect([first, second]).toEqual([granted, granted]);
    expect(await upstream.scopes("people")).toEqual(granted);
    expect(sent("/oauth/token").map(({ scope }) => scope)).toEqual([null]);
    fake.setScopes(["read:schedule_files", "write:schedule_files"]);
    await clock.advance(60_000);
    await upstream.scopes("people");
    await expect.poll(() => upstream.grantedScopes()).toContain("write:schedule_files");
  });

  test("gets the write scope requested only for deletions", async () => {
    const upstream = connect();
    const { value: file } = await upstream.getScheduleFile(2, "people");
    expect(file?.name).toBe("Schedule 2.xer");
    expect((await upstream.deleteScheduleFile(2, "people")).value).toBe(true);
    expect(sent("/oauth/token").at(-1)?.scope).toBe("write:schedule_files");
    expect((await upstream.getScheduleFile(2, "people")).value).toBeNull();
    expect((await upstream.deleteScheduleFile(2, "people")).value).toBe(false);
  });

  test("gets its token refreshed at 80 % of its lifetime while the old one stays in use", async () => {
    const upstream = connect();
    await read(upstream);
    await clock.advance(0.79 * 3_600_000);
    await read(upstream);
    expect(fake.tokensIssued()).toBe(2);
    await clock.advance(0.02 * 3_600_000);
    await fake.setFault({ kind: "error_500" }, { path: "/oauth/token" });
    await read(upstream);
    await fake.setFault(null);
    await clock.advance(60_000);
    await read(upstream);
    await expect.poll(() => fake.tokensIssued()).toBe(3);
    // It's issued before the client has it.
    const bearers = async () => {
      await read(upstream);
      return new Set(sent("/sync_status").map(({ bearer }) => bearer)).size;
    };
    await expect.poll(bearers).toBe(2);
  });

  test("gets its grants requested again after a day", async () => {
    const upstream = connect();
    await read(upstream);
    await clock.advance(23.9 * 3_600_000);
    await read(upstream);
    fake.setScopes(["read:sync_status"]);
    await clock.advance(0.2 * 3_600_000);
    await read(upstream);
    await expect.poll(() => upstream.grantedScopes()).toEqual(["read:sync_status"]);
    expect(sent("/oauth/token").filter(({ scope }) => scope === null)).toHaveLength(2);
  });

  test("receives no cookies, and the token only in its header", async () => {
    await read(connect());
    for (const request of fake.requests) expect(request.headerNames).not.toContain("cookie");
    expect(Object.keys(sent("/sync_status")[0]?.query ?? {})).toEqual(["page", "per_page"]);
  });

  test("reports each request", async () => {
    await read(connect());
    const host = new URL(fake.baseUrl).host;
    expect(reports.map(({ outcome, lane }) => [outcome, lane])).toEqual([
      ["success", "token"],
      ["success", "token"],
      ["success", "background"],
    ]);
    expect(reports[0]?.host).toBe(host);
  });
});

describe("down, reset, 500, HTML 502", () => {
  test.each(["reset", "error_500", "html_502"] as const)(
    "retries once on %s, reporting the first failure at once",
    async (kind) => {
      const upstream = connect();
      await read(upstream);
      await fake.setFault({ kind }, { path: "/sync_status" });
      const before = sent("/sync_status").length;
      const failures: UpstreamFailure[] = [];
      const failure = await failureOf(
        upstream.getSyncStatus(PAGE, "background", (first) => void failures.push(first)),
      );
      expect(failure.reason).toBe("unreachable");
      expect(failures.map(({ reason }) => reason)).toEqual(["unreachable"]);
      expect(sent("/sync_status").length - before).toBe(2);
      await fake.setFault(null);
      expect((await read(upstream)).value.data).toHaveLength(12);
    },
  );

  test("treats a refused connection as unreachable, and recovers", async () => {
    const upstream = connect();
    await read(upstream);
    await fake.setFault({ kind: "down" });
    expect((await failureOf(read(upstream))).reason).toBe("unreachable");
    await fake.setFault(null);
    expect((await read(upstream)).value.data).toHaveLength(12);
  });

  test("retries after full jitter, and can succeed", async () => {
    const upstream = connect({ random: () => 0.5 });
    await read(upstream);
    await fake.setFault({ kind: "error_500" }, { path: "/sync_status", times: 1 });
    const answer = read(upstream);
    await clock.untilSleeping();
    expect(clock.sleeping()).toEqual([1_000]);
    await clock.advance(1_000);
    expect((await answer).value.data).toHaveLength(12);
  });

  test("waits as long as a 503 asks, without calling it rate limited", async () => {
    const upstream = connect();
    await read(upstream);
    await fake.setFault({ kind: "unavailable", seconds: 90 });
    const failures: UpstreamFailure[] = [];
    const failure = await failureOf(
      upstream.getSyncStatus(PAGE, "background", (first) => void failures.push(first)),
    );
    expect(failure).toMatchObject({
      reason: "unreachable",
      httpStatus: 503,
      retryAtMs: clock.nowMs() + 90_000,
      transient: false,
      maybeExecuted: true,
    });
    expect(failures).toEqual([]);
    expect(sent("/sync_status")).toHaveLength(2);
    expect(upstream.rateLimit()?.remaining).toBeGreaterThan(0);
    // From the token endpoint too.
    expect(await failureOf(read(connect()))).toMatchObject({
      reason: "unreachable",
      retryAtMs: clock.nowMs() + 90_000,
    });
  });

  test("doesn't retry at a short poll interval", async () => {
    const upstream = connect({ pollSeconds: 1 });
    await read(upstream);
    await fake.setFault({ kind: "error_500" }, { path: "/sync_status", times: 1 });
    expect((await failureOf(read(upstream))).reason).toBe("unreachable");
    expect(sent("/sync_status")).toHaveLength(2);
    await fake.setFault({ kind: "error_500" }, { path: "/schedule_files", times: 1 });
    expect((await upstream.listScheduleFiles(PAGE, "people")).value.data).toHaveLength(3);
  });

  test("treats a token endpoint that is down as unreachable", async () => {
    await fake.setFault({ kind: "html_502" }, { path: "/oauth/token" });
    expect((await failureOf(read(connect()))).reason).toBe("unreachable");
    expect(fake.requests).toHaveLength(2);
  });

  test("never retries a deletion", async () => {
    const upstream = connect();
    await read(upstream);
    await fake.setFault({ kind: "error_500" }, { path: "/schedule_files" });
    expect((await failureOf(upstream.deleteScheduleFile(1, "people"))).reason).toBe("unreachable");
    expect(sent("/schedule_files/1")).toHaveLength(1);
  });

  const refusals: [Fault["kind"], boolean][] = [
    ["reset", true],
    ["hang", true],
    ["error_500", true],
    ["redirect", true],
    ["malformed_json", true],
    ["down", false],
    ["rate_limited", false],
    ["forbidden", false],
    ["unauthorized", false],
  ];
  test.each(refusals)(
    "reports for a deletion that met %s whether it may have been executed: %s",
    async (kind, expected) => {
      const upstream = connect({ limits: hasty });
      await upstream.deleteScheduleFile(1, "people");
      await fake.setFault({ kind } as Fault);
      // Until a kept-alive connection is known to be closed.
      await realTurn(50);
      const failure = await failureOf(upstream.deleteScheduleFile(2, "people"));
      expect(failure.maybeExecuted).toBe(expected);
    },
  );
});

describe("slow, hanging, half-open, dripping", () => {
  test.each(["slow_headers", "hang", "half_open", "drip"] as const)(
    "ends %s at the deadline as unreachable, without a retry",
    async (kind) => {
      const upstream = connect({ limits: hasty });
      await read(upstream);
      await fake.setFault({ kind }, { path: "/sync_status" });
      const before = sent("/sync_status").length;
      const failure = await failureOf(read(upstream));
      expect(failure.reason).toBe("unreachable");
      expect(failure.message).toContain("too long");
      expect(sent("/sync_status").length - before).toBe(1);
      await fake.setFault(null);
      expect((await read(upstream)).value.data).toHaveLength(12);
    },
  );

  test("sends at most one request per resource at a time, and fails callers that wait past the deadline", async () => {
    const upstream = connect({ limits: hasty });
    await read(upstream);
    await fake.setFault({ kind: "hang" }, { path: "/sync_status" });
    const before = sent("/sync_status").length;
    const first = failureOf(read(upstream));
    const others = [read(upstream), read(upstream, "people")].map(failureOf);
    await first;
    expect(sent("/sync_status").length - before).toBeLessThanOrEqual(2);
    for (const failure of await Promise.all(others)) expect(failure.reason).toBe("unreachable");
  });

  test("ends a connection that is never accepted at the connect timeout", async () => {
    // A listener in a stuck process: once its backlog is full, further connections aren't accepted.
    const stuck = spawn(process.execPath, [
      "-e",
      `require("net").createServer().listen(0, "127.0.0.1", 1, function () {
         require("fs").writeSync(1, String(this.address().port));
         Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
       })`,
    ]);
    const [output] = (await once(stuck.stdout, "data")) as [Buffer];
    const port = Number(output.toString());
    const fillers = Array.from({ length: 8 }, () =>
      createConnection(port, "127.0.0.1").on("error", () => undefined),
    );
    try {
      await Promise.race(fillers.map((filler) => once(filler, "connect")));
      const upstream = connect({
        limits: { ...hasty, wholeMs: 5_000 },
        connection: {
          company: "northgate",
          name: "Northgate",
          baseUrl: `http://127.0.0.1:${port}/api/v3`,
          clientId: "client",
          clientSecret: SECRET,
        },
      });
      const failure = await failureOf(read(upstream));
      expect(failure.reason).toBe("unreachable");
      expect(failure.message).toContain("too long");
    } finally {
      for (const filler of fillers) filler.destroy();
      stuck.kill("SIGKILL");
    }
  });
});

describe("malformed, truncated, wrong type", () => {
  test.each(["malformed_json", "truncated", "wrong_types", "empty_with_total"] as const)(
    "rejects the whole response on %s as invalid_response",
    async (kind) => {
      const upstream = connect();
      await read(upstream);
      await fake.setFault({ kind });
      const failure = await failureOf(read(upstream));
      expect(failure.reason).toBe("invalid_response");
      await fake.setFault(null);
      expect((await read(upstream)).value.data).toHaveLength(12);
    },
  );

  test("accepts an upstream without endpoints", async () => {
    fake.setRows([]);
    expect((await read(connect())).value.data).toEqual([]);
  });

  test("rejects an invalid token response as invalid_response, without quoting it", async () => {
    await fake.setFault({ kind: "malformed_json" }, { path: "/oauth/token" });
    const failure = await failureOf(read(connect()));
    expect(failure.reason).toBe("invalid_response");
    expect(failure.cause).toBeUndefined();
  });
});

describe("unknown enum values and members", () => {
  test("are preserved, and each value is logged once", async () => {
    const upstream = connect();
    await fake.setFault({ kind: "unknown_values" });
    const { value } = await read(upstream);
    await read(upstream);
    expect(value.data).toHaveLength(12);
    expect(value.data[0]?.attributes).toMatchObject({ status: "hibernating", colour: "green" });
    expect(logged).toEqual([
      [expect.objectContaining({ field: "status", value: "hibernating" }), expect.any(String)],
      [
        expect.objectContaining({ field: "last_sync_status", value: "half_done" }),
        expect.any(String),
      ],
    ]);
  });
});

describe("huge body", () => {
  test.each(["huge_body", "gzip_bomb"] as const)(
    "stops %s of 1 GB at 8 MB decoded",
    async (kind) => {
      const upstream = connect();
      await read(upstream);
      await fake.setFault({ kind });
      const before = process.memoryUsage.rss();
      const failure = await failureOf(read(upstream));
      expect(failure.reason).toBe("invalid_response");
      expect(failure.message).toContain("too large");
      expect(process.memoryUsage.rss() - before).toBeLessThan(256 * 1024 * 1024);
    },
  );
});

describe("valid but expensive JSON", () => {
  /** Runs `work`, and measures the longest text parsed meanwhile. */
  async function whileParsing<T>(work: () => Promise<T>): Promise<{ value: T; longest: number }> {
    const parse = vi.spyOn(JSON, "parse");
    try {
      const value = await work();
      return { value, longest: Math.max(0, ...parse.mock.calls.map(([text]) => text.length)) };
    } finally {
      parse.mockRestore();
    }
  }

  /** A single long string or whitespace costs no more than its bytes. */
  const isCheapToParse = (shape: string) => shape === "one_text" || shape === "blanks";

  test.each(EXPENSIVE_SHAPES)("rejects %s before parsing it, in every response", async (shape) => {
    const upstream = connect();
    const ways: [path: string, method: string, () => Promise<unknown>][] = [
      ["/sync_status", "GET", () => read(upstream)],
      ["/schedule_files", "GET", () => upstream.listScheduleFiles(PAGE, "background")],
      ["/schedule_files/1", "GET", () => upstream.getScheduleFile(1, "background")],
      ["/schedule_files/1", "DELETE", () => upstream.deleteScheduleFile(1, "background")],
      ["/oauth/token", "POST", () => read(connect())],
    ];
    await upstream.deleteScheduleFile(2, "background");
    for (const bytes of [7_800_000, 4_000_000, 60_000]) {
      for (const [path, method, ask] of ways) {
        await fake.setFault({ kind: "expensive_body", shape, bytes }, { path, method });
        const { value: failure, longest } = await whileParsing(() => failureOf(ask()));
        expect([bytes, path, failure.reason]).toEqual([bytes, path, "invalid_response"]);
        if (!isCheapToParse(shape)) expect(longest).toBeLessThan(100_000);
        await clock.advance(61_000);
      }
    }
    await fake.setFault(null);
    expect((await read(upstream)).value.data).toHaveLength(12);
  });

  test.each([
    [400, "invalid_response"],
    [401, "unauthorized"],
    [403, "forbidden"],
  ] as const)("judges status %i without logging an expensive body", async (status, reason) => {
    const upstream = connect();
    await read(upstream);
    for (const shape of ["deep_objects", "empty_rows", "one_text"] as const) {
      await fake.setFault({ kind: "expensive_body", shape, status }, { path: "/sync_status" });
      const { value: failure, longest } = await whileParsing(() => failureOf(read(upstream)));
      expect(failure).toMatchObject({ reason, httpStatus: status });
      expect(longest).toBeLessThan(100_000);
      await clock.advance(61_000);
    }
    expect(JSON.stringify(logged).length).toBeLessThan(5_000);
    expect(logged.at(-1)).toMatchObject([{ error: "", description: "" }, expect.any(String)]);
  });

  test("logs a refusal when it begins, not with each request", async () => {
    const upstream = connect();
    await read(upstream);
    for (let time = 0; time < 2; time += 1) {
      await fake.setFault({ kind: "forbidden" }, { path: "/sync_status" });
      for (let poll = 0; poll < 3; poll += 1) {
        expect(await failureOf(read(upstream))).toMatchObject({ httpStatus: 403 });
        await clock.advance(61_000);
      }
      await fake.setFault(null);
      await read(upstream);
      expect(logged).toHaveLength(time + 1);
    }
  });

  test("rejects more rows than requested, without validating them", async () => {
    fake.setRows(sampleRows(300, START_MS));
    const upstream = connect();
    await fake.setFault({ kind: "more_than_asked", items: 300 });
    expect((await failureOf(read(upstream))).message).toBe("300 rows where 100 were requested");
    const few = await failureOf(upstream.getSyncStatus({ page: 1, perPage: 20 }, "background"));
    expect(few.message).toBe("300 rows where 20 were requested");
    await fake.setFault({ kind: "more_than_asked", items: 3 });
    const files = failureOf(upstream.listScheduleFiles({ page: 1, perPage: 2 }, "background"));
    expect((await files).message).toBe("3 rows where 2 were requested");
  });

  test("rejects a page at its first invalid row, without validating the rest", async () => {
    fake.setRows(sampleRows(100, START_MS));
    const upstream = connect();
    await fake.setFault({ kind: "wrong_types" });
    expect((await failureOf(read(upstream))).message).toBe(
      "data.0.attributes.api_calls_last_24h: Invalid input: expected number, received string",
    );
    const files = await failureOf(upstream.listScheduleFiles(PAGE, "background"));
    expect(files.message).toBe("data.0.id: Invalid input: expected number, received string");
  });

  test.each([
    ["id", 512],
    ["partner_name", 1_000],
    ["endpoint_key", 1_000],
    ["status", 200],
    ["last_sync_status", 200],
  ])("allows %s of a row to have %i characters", async (member, length) => {
    fake.setRows(sampleRows(1, START_MS));
    const upstream = connect();
    await fake.setFault({ kind: "long_text", member, length });
    expect((await read(upstream)).value.data).toHaveLength(1);
    await fake.setFault({ kind: "long_text", member, length: length + 1 });
    expect((await failureOf(read(upstream))).reason).toBe("invalid_response");
    await fake.setFault({ kind: "long_text", member, length: 7_000_000 });
    expect((await failureOf(read(upstream))).reason).toBe("invalid_response");
  });

  test.each([
    ["name", 1_000],
    ["file_type", 200],
  ])("allows %s of a file to have %i characters", async (member, length) => {
    const upstream = connect();
    await fake.setFault({ kind: "long_text", member, length });
    expect((await upstream.listScheduleFiles(PAGE, "background")).value.data).toHaveLength(3);
    expect((await upstream.getScheduleFile(1, "background")).value).toHaveProperty(member);
    await fake.setFault({ kind: "long_text", member, length: length + 1 });
    for (const failing of [
      upstream.listScheduleFiles(PAGE, "background"),
      upstream.getScheduleFile(1, "background"),
    ])
      expect((await failureOf(failing)).reason).toBe("invalid_response");
  });

  test("keeps unknown members up to 16 kB per row, and rejects larger ones", async () => {
    fake.setRows(sampleRows(100, START_MS));
    const upstream = connect();
    await fake.setFault({ kind: "long_text", member: "notes", length: 15_000 });
    expect((await read(upstream)).value.data[99]?.attributes["notes"]).toHaveLength(15_000);
    await fake.setFault({ kind: "long_text", member: "notes", length: 16_500 });
    expect((await failureOf(read(upstream))).message).toContain("at most 16384 characters");
    await fake.setFault({ kind: "long_text", member: "notes", length: 78_000 });
    expect((await failureOf(read(upstream))).message).toContain("is larger than 4194304 bytes");
  });

  test("rejects a token too long for a header", async () => {
    for (const length of [8_193, 60_000, 7_000_000]) {
      await fake.setFault(
        { kind: "long_text", member: "access_token", length },
        { path: "/oauth/token" },
      );
      expect((await failureOf(read(connect()))).reason).toBe("invalid_response");
    }
    expect(sent("/sync_status")).toEqual([]);
  });

  test("accepts a body in one-byte chunks, up to a limit", async () => {
    fake.setRows(sampleRows(2, START_MS));
    const upstream = connect();
    await fake.setFault({ kind: "tiny_chunks", blanks: 10_000 });
    expect((await read(upstream)).value.data).toHaveLength(2);
    for (const blanks of [20_000, 1_000_000_000]) {
      await fake.setFault({ kind: "tiny_chunks", blanks }, { path: "/sync_status" });
      expect(await failureOf(read(upstream))).toMatchObject({
        reason: "invalid_response",
        cause: { message: "the body comes in too many chunks" },
      });
    }
  });

  test("accepts unusual names and numbers, without polluting prototypes", async () => {
    const upstream = connect();
    await fake.setFault({ kind: "odd_values" });
    const { value } = await read(upstream);
    expect(value.data[0]?.attributes.partner_name).toBe("Pro\0core \udc00");
    expect(Object.getPrototypeOf(value.data[0])).toBe(Object.prototype);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect((await upstream.listScheduleFiles(PAGE, "background")).value.data).toHaveLength(3);
    expect((await upstream.getScheduleFile(1, "background")).value?.name).toBe(
      "Tower\0 \ud83d.xer",
    );
  });
});

describe("clock skew", () => {
  test("reports days of skew as the API's offset, without a new token", async () => {
    const upstream = connect();
    await read(upstream);
    const skewMs = 3 * 86_400_000;
    await fake.setFault({ kind: "clock_skew", skewMs });
    const { apiClockOffsetMs } = await read(upstream);
    expect(Math.abs(apiClockOffsetMs - skewMs)).toBeLessThanOrEqual(1_000);
    expect(fake.tokensIssued()).toBe(2);
  });

  test("needs no new token and no wait when our clock jumps", async () => {
    const upstream = connect();
    await read(upstream);
    clock.jump(5 * 86_400_000);
    await read(upstream);
    clock.jump(-10 * 86_400_000);
    await read(upstream);
    expect(fake.tokensIssued()).toBe(2);
  });
});

describe("intermediate cache", () => {
  test("is made to revalidate, and responses stored longer than the API allows are rejected", async () => {
    const upstream = connect();
    await read(upstream);
    expect(sent("/sync_status")[0]?.headerNames).toContain("cache-control");
    const keptFor = (ageSeconds: number) =>
      fake.setFault({ kind: "kept_by_cache", ageSeconds }, { path: "/sync_status" });
    await keptFor(60);
    expect((await read(upstream)).value.data).not.toEqual([]);
    for (const ageSeconds of [61, 86_400, 1e15]) {
      await keptFor(ageSeconds);
      expect(await failureOf(read(upstream))).toMatchObject({
        reason: "invalid_response",
        message: `a cache on the way gave an answer that is ${ageSeconds} s old`,
      });
    }
    await fake.setFault(null);
    expect((await read(upstream)).value.data).not.toEqual([]);
  });

  test("doesn't set our idea of the API's clock by an answer that was rejected for its age", async () => {
    const upstream = connect();
    // This cache renews the `Date` of what it stored.
    await fake.setFault({ kind: "kept_by_cache", ageSeconds: 900 }, { path: "/sync_status" });
    expect((await failureOf(read(upstream))).reason).toBe("invalid_response");
    await fake.setFault(null);
    await clock.advance(900_000);
    expect(Math.abs((await read(upstream)).apiClockOffsetMs)).toBeLessThanOrEqual(1_000);
  });

  test("is detected without an `Age` by a date that doesn't advance", async () => {
    const upstream = connect();
    await fake.setFault({ kind: "same_date", atMs: clock.nowMs() }, { path: "/sync_status" });
    for (let ms = 0; ms <= 60_000; ms += 20_000) {
      expect((await read(upstream)).value.data).not.toEqual([]);
      await clock.advance(20_000);
    }
    expect(await failureOf(read(upstream))).toMatchObject({
      reason: "invalid_response",
      message: "a cache on the way gave an answer that is 80 s old",
    });
    await fake.setFault(null);
    expect(Math.abs((await read(upstream)).apiClockOffsetMs)).toBeLessThanOrEqual(1_000);
  });

  test("doesn't decide the outcome of a deletion", async () => {
    const upstream = connect();
    await fake.setFault(
      { kind: "kept_by_cache", ageSeconds: 3_600 },
      { path: "/schedule_files/2" },
    );
    const look = await failureOf(upstream.getScheduleFile(2, "people"));
    const deletion = await failureOf(upstream.deleteScheduleFile(2, "people"));
    expect(look).toMatchObject({ reason: "invalid_response" });
    expect(deletion).toMatchObject({ reason: "invalid_response", maybeExecuted: true });
  });
});

describe("401", () => {
  test("is handled by one refresh shared by all waiting requests, and one replay each", async () => {
    const upstream = connect();
    await Promise.all([read(upstream), upstream.listScheduleFiles(PAGE, "background")]);
    const before = fake.requests.length;
    fake.revokeTokens();
    await Promise.all([
      read(upstream),
      upstream.listScheduleFiles(PAGE, "background"),
      upstream.getScheduleFile(1, "background"),
    ]);
    const later = fake.requests.slice(before);
    expect(later.filter(({ path }) => path === "/oauth/token")).toHaveLength(1);
    expect(later.filter(({ path }) => path === "/sync_status").length).toBeLessThanOrEqual(2);
    expect(later.length).toBeLessThanOrEqual(7);
  });

  test("counts as unauthorized when repeated, and is retried at the poll interval without excess token requests", async () => {
    const upstream = connect();
    await read(upstream);
    await fake.setFault({ kind: "unauthorized" });
    expect((await failureOf(read(upstream))).reason).toBe("unauthorized");
    expect(sent("/sync_status")).toHaveLength(3);
    expect(fake.tokensIssued()).toBe(3);
    expect((await failureOf(read(upstream))).reason).toBe("unauthorized");
    expect(sent("/sync_status")).toHaveLength(4);
    expect(fake.tokensIssued()).toBe(3);
    await clock.advance(60_000);
    expect((await failureOf(read(upstream))).reason).toBe("unauthorized");
    expect(fake.tokensIssued()).toBe(4);
    await fake.setFault(null);
    expect((await read(upstream)).value.data).toHaveLength(12);
  });
});

describe("403, or a token with narrower scope", () => {
  test("reports 403 on reading as forbidden, and retries each time", async () => {
    const upstream = connect();
    await read(upstream);
    await fake.setFault({ kind: "forbidden" });
    expect((await failureOf(read(upstream))).reason).toBe("forbidden");
    expect((await failureOf(read(upstream))).reason).toBe("forbidden");
    expect(sent("/sync_status")).toHaveLength(3);
    await fake.setFault(null);
    expect((await read(upstream)).value.data).toHaveLength(12);
  });

  test("trusts the returned scope and doesn't request what is missing", async () => {
    fake.setScopes(["read:schedule_files"]);
    const upstream = connect();
    expect((await failureOf(read(upstream))).reason).toBe("forbidden");
    expect(upstream.grantedScopes()).toEqual(["read:schedule_files"]);
    expect(sent("/sync_status")).toHaveLength(0);
    await upstream.listScheduleFiles(PAGE, "people");
    expect(sent("/oauth/token").at(-1)?.scope).toBe("read:schedule_files");
  });

  test("removes a scope from the grants when a token lacks it, and notices when it is granted again", async () => {
    const upstream = connect();
    await fake.setFault({ kind: "narrow_scope", scopes: ["read:schedule_files"] });
    expect((await failureOf(read(upstream))).reason).toBe("forbidden");
    expect(upstream.grantedScopes()).not.toContain("read:sync_status");
    await fake.setFault(null);
    expect((await failureOf(read(upstream))).reason).toBe("forbidden");
    await clock.advance(60_000);
    expect((await read(upstream)).value.data).toHaveLength(12);
  });

  test("notices a newly granted scope within a minute, however long it was missing", async () => {
    const upstream = connect();
    await fake.setFault({ kind: "narrow_scope", scopes: ["read:schedule_files"] });
    for (let polls = 0; polls < 20; polls += 1) {
      expect((await failureOf(read(upstream))).reason).toBe("forbidden");
      await clock.advance(60_000);
    }
    expect(sent("/oauth/token").length).toBeLessThanOrEqual(21);
    await fake.setFault(null);
    expect((await read(upstream)).value.data).toHaveLength(12);
  });

  test("reports grants reduced before a token request as forbidden, then reloads them", async () => {
    const upstream = connect();
    await read(upstream);
    fake.setScopes(["read:sync_status"]);
    fake.revokeTokens();
    expect((await failureOf(read(upstream))).reason).toBe("forbidden");
    await clock.advance(60_000);
    expect((await read(upstream)).value.data).toHaveLength(12);
  });
});

describe("429", () => {
  test.each([
    ["reset", 45, 45_000],
    ["retry_after", 20, 20_000],
    ["none", 0, 60_000],
    ["absurd", 0, 120_000],
    ["past", 0, 60_000],
  ] as const)(
    "waits on headers %s (%i s) for %i ms in every lane",
    async (headers, seconds, waitMs) => {
      const upstream = connect();
      await read(upstream);
      await fake.setFault({ kind: "rate_limited", headers, seconds }, { times: 1 });
      const failure = await failureOf(read(upstream));
      expect(failure.reason).toBe("rate_limited");
      const waitedMs = (failure.retryAtMs ?? 0) - clock.nowMs();
      expect(waitedMs).toBeGreaterThan(waitMs - 1_001);
      expect(waitedMs).toBeLessThanOrEqual(waitMs + 1_000);
      // The limit displayed matches the wait that is enforced.
      expect(upstream.rateLimit()).toMatchObject({ remaining: 0, resetAtMs: failure.retryAtMs });
      const before = fake.requests.length;
      expect((await failureOf(read(upstream))).reason).toBe("rate_limited");
      expect(
        (await failureOf(upstream.listScheduleFiles(PAGE, "people"))).retryAtMs,
      ).not.toBeNull();
      expect(fake.requests.length).toBe(before);
      await clock.advance(waitedMs);
      expect((await read(upstream)).value.data).toHaveLength(12);
    },
  );

  test("counts although its body can't be read", async () => {
    const upstream = connect();
    await fake.setFault({ kind: "rate_limited", seconds: 45, isTruncated: true }, { times: 1 });
    const failure = await failureOf(read(upstream));
    expect(failure).toMatchObject({
      reason: "rate_limited",
      httpStatus: 429,
      maybeExecuted: false,
    });
    expect(failure.retryAtMs).toBeGreaterThanOrEqual(clock.nowMs() + 44_000);
    const before = sent("/sync_status").length;
    expect((await failureOf(read(upstream))).reason).toBe("rate_limited");
    expect(sent("/sync_status").length).toBe(before);
  });

  test("persists across a restart", async () => {
    await fake.setFault({ kind: "rate_limited", headers: "none" }, { path: "/sync_status" });
    await failureOf(read(connect()));
    const before = sent("/sync_status").length;
    expect((await failureOf(read(connect()))).reason).toBe("rate_limited");
    expect(sent("/sync_status").length).toBe(before);
  });

  test("waits for the next window when the upstream's is used up", async () => {
    const upstream = connect();
    await fake.setFault({ kind: "spent", seconds: 30 }, { path: "/sync_status", times: 1 });
    await read(upstream);
    expect(upstream.rateLimit()?.remaining).toBe(0);
    const next = read(upstream);
    await clock.untilSleeping();
    expect(sent("/sync_status")).toHaveLength(1);
    expect((await failureOf(read(upstream, "people"))).reason).toBe("rate_limited");
    await clock.advance(31_000);
    expect((await next).value.data).toHaveLength(12);
  });
});

describe("token endpoint", () => {
  test("isn't called again after a restart, however long its tokens last", async ({ db }) => {
    const authSecrets = ["an AUTH_SECRET of the test"] as const;
    await fake.setFault({ kind: "short_tokens", seconds: 1e300 }, { path: "/oauth/token" });
    await read(connect({ authSecrets }));
    await expect
      .poll(async () => {
        const { rows } = await db.database.pool.query(
          "select from upstream_tokens where purpose = 'read'",
        );
        return rows.length;
      })
      .toBe(1);
    const before = sent("/oauth/token").length;
    await read(connect({ authSecrets }));
    expect(sent("/oauth/token")).toHaveLength(before);
  });

  test("isn't called after a 429 until the limit ends, also after a restart", async () => {
    await fake.setFault({ kind: "token_rate_limited", seconds: 40 }, { times: 1 });
    expect((await failureOf(read(connect()))).reason).toBe("rate_limited");
    const restarted = connect();
    expect((await failureOf(read(restarted))).reason).toBe("rate_limited");
    expect(sent("/oauth/token")).toHaveLength(1);
    await clock.advance(41_000);
    expect((await read(restarted)).value.data).toHaveLength(12);
  });

  test("doesn't limit requests with a valid token by a 429", async () => {
    const upstream = connect();
    await read(upstream);
    const remaining = () => upstream.rateLimit()?.remaining;
    await clock.advance(0.81 * 3_600_000);
    await fake.setFault({ kind: "token_rate_limited", seconds: 40 }, { path: "/oauth/token" });
    // Listing files triggers the next token request.
    await upstream.listScheduleFiles(PAGE, "jobs");
    await expect.poll(() => sent("/oauth/token")).toHaveLength(3);
    await expect.poll(() => logged.length).toBeGreaterThan(0);
    expect(remaining()).toBeGreaterThan(0);
    expect((await read(upstream)).value.data).toHaveLength(12);
    await failureOf(upstream.deleteScheduleFile(2, "people"));
    expect(remaining()).toBeGreaterThan(0);

    await clock.advance(0.2 * 3_600_000);
    const failure = await failureOf(read(upstream));
    expect(upstream.rateLimit()).toMatchObject({ remaining: 0, resetAtMs: failure.retryAtMs });
    await fake.setFault(null);
    await clock.advance(41_000);
    await read(upstream);
    expect(remaining()).toBeGreaterThan(0);
  });

  test("reports invalid_client as unauthorized, with a growing cool-down that survives restarts", async () => {
    await fake.setFault({ kind: "invalid_client" });
    const failure = await failureOf(read(connect()));
    expect(failure.reason).toBe("unauthorized");
    expect(failure.retryAtMs).toBe(clock.nowMs() + 10_000);
    expect((await failureOf(read(connect()))).reason).toBe("unauthorized");
    expect(sent("/oauth/token")).toHaveLength(1);
    await clock.advance(10_000);
    expect((await failureOf(read(connect()))).retryAtMs).toBe(clock.nowMs() + 20_000);
    await fake.setFault(null);
    await clock.advance(20_000);
    expect((await read(connect())).value.data).toHaveLength(12);
  });

  test.each([
    [1, [10_000, 10_000, 10_000]],
    [60, [10_000, 20_000, 40_000, 60_000, 60_000]],
  ])(
    "retries rejected credentials at the poll interval of %i s, but not within 10 s",
    async (pollSeconds, expectedMs) => {
      const upstream = connect({ pollSeconds });
      await fake.setFault({ kind: "invalid_client" });
      for (const waitMs of expectedMs) {
        expect((await failureOf(read(upstream))).retryAtMs).toBe(clock.nowMs() + waitMs);
        await clock.advance(waitMs);
      }
      await fake.setFault(null);
      expect((await read(upstream)).value.data).toHaveLength(12);
    },
  );

  test("gets at most ten requests a minute from a restart loop", async () => {
    const attempts = Array.from({ length: 12 }, () => failureOrNull(read(connect(), "people")));
    const failures = (await Promise.all(attempts)).filter((failure) => failure !== null);
    expect(sent("/oauth/token")).toHaveLength(10);
    for (const failure of failures) expect(failure.reason).toBe("rate_limited");
  });

  test("gets one request for concurrent callers of the same token", async () => {
    const upstream = connect();
    await Promise.all(Array.from({ length: 10 }, () => read(upstream)));
    expect(sent("/oauth/token")).toHaveLength(2);
  });
});

describe("redirect", () => {
  test("is rejected, and the bearer token never reaches another origin", async () => {
    const upstream = connect();
    await read(upstream);
    await fake.setFault({ kind: "redirect" });
    expect((await failureOf(read(upstream))).reason).toBe("invalid_response");
    await fake.setFault({ kind: "redirect" }, { path: "/oauth/token" });
    expect((await failureOf(read(connect()))).reason).toBe("invalid_response");
    expect(fake.redirected).toEqual([]);
  });
});

describe("budget", () => {
  test("makes the collector wait, and fails user requests at once with a retry time", async () => {
    const upstream = connect({ requestsPerMinute: 6 });
    await read(upstream);
    await read(upstream);
    await upstream.listScheduleFiles(PAGE, "people");
    await upstream.listScheduleFiles(PAGE, "people");
    const failure = await failureOf(upstream.listScheduleFiles(PAGE, "people"));
    expect(failure.reason).toBe("rate_limited");
    expect(failure.retryAtMs).toBeGreaterThan(clock.nowMs());
    const waiting = read(upstream);
    await clock.untilSleeping();
    expect(sent("/sync_status")).toHaveLength(2);
    await clock.advance(63_000);
    await waiting;
    expect(sent("/sync_status")).toHaveLength(3);
    expect(await upstream.budget()).toEqual({ used: 1, limit: 6 });
  });

  test("makes deferrable jobs wait for what polls leave", async () => {
    const upstream = connect({ requestsPerMinute: 60, pollPagesPerWindow: () => 8 });
    // 40, less 8 for polls and 2 reserved for them.
    expect(upstream.jobsPerMinute()).toBeCloseTo((30 * 60) / 63);
    for (let n = 0; n < 30; n += 1) await upstream.listScheduleFiles(PAGE, "jobs");
    const waiting = upstream.listScheduleFiles(PAGE, "jobs");
    await clock.untilSleeping();
    for (let n = 0; n < 10; n += 1) await read(upstream);
    await clock.advance(64_000);
    expect((await waiting).value.data).toHaveLength(3);
  });

  test("sends nothing when the database doesn't answer", async () => {
    const lost = await createTestDatabase();
    await lost.drop();
    expect((await failureOf(read(connect({ database: lost.database })))).reason).toBe(
      "unreachable",
    );
    expect(fake.requests).toHaveLength(0);
  });
});

describe("secrets", () => {
  test("never appear in failures, and only redacted in logs, like the upstream's error text", async () => {
    const failures: UpstreamFailure[] = [];
    for (const fault of [
      { kind: "unauthorized" },
      { kind: "forbidden" },
      { kind: "error_500" },
      { kind: "invalid_client" },
      { kind: "malformed_json" },
    ] as const) {
      const upstream = connect();
      await fake.setFault(fault);
      failures.push(await failureOf(read(upstream)));
      await clock.advance(130_000);
    }
    const bearers = fake.requests.flatMap(({ bearer }) => bearer ?? []);
    const shown = JSON.stringify(
      failures.map((failure) => [failure.message, String(failure.cause)]),
    );
    expect(shown).not.toContain(UPSTREAM_DESCRIPTION);
    const all = shown + JSON.stringify(logged);
    expect(all).toContain(UPSTREAM_DESCRIPTION);
    for (const secret of [SECRET, ...bearers]) expect(all).not.toContain(secret);
  });
});

async function failureOrNull(promise: Promise<unknown>): Promise<UpstreamFailure | null> {
  try {
    await promise;
    return null;
  } catch (failure) {
    return failure as UpstreamFailure;
  }
}
