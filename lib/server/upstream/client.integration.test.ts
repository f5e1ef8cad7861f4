import { once, setMaxListeners } from "node:events";
import { spawn } from "node:child_process";
import { createConnection } from "node:net";
import { setTimeout as realTurn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
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
import { createTestDatabase, type TestDatabase } from "@/lib/server/store/test-database";
import { createUpstream, type UpstreamOptions } from "./client";
import type { RequestReport } from "./exchange";
import { HTTP_LIMITS } from "./http";
import { isUpstreamFailure, type Lane, type Upstream, type UpstreamFailure } from "./upstream";

const START_MS = Date.parse("2026-03-04T05:06:07Z");
const PAGE = { page: 1, perPage: 100 };
const SECRET = "client-secret-of-the-upstream";

let test: TestDatabase;
let database: Database;
let clock: ManualClock;
let fake: MisbehavingUpstream;
let logged: object[];
let reports: RequestReport[];
let ending: AbortController;

beforeAll(async () => {
  test = await createTestDatabase();
});
afterAll(() => test.drop());

beforeEach(async () => {
  clock = createManualClock(START_MS);
  fake = await startMisbehavingUpstream({ nowMs: clock.nowMs, clientSecret: SECRET });
  logged = [];
  reports = [];
  ending = new AbortController();
  setMaxListeners(0, ending.signal);
  // The system may give a port again, and with it an earlier test's budget, in the store and in memory.
  await test.asOwner("truncate upstream_hosts, upstream_requests, upstream_refusals");
  database = { ...test.database };
});
afterEach(async () => {
  ending.abort();
  await fake.close();
});

/** One company's client; every upstream has a port of its own and with it a budget of its own. */
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

/** Deadlines short enough for tests; they are on real time. */
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

describe("an upstream that behaves", () => {
  it("gives its rows, and the difference of its clock", async () => {
    const { value, apiClockOffsetMs } = await read(connect());
    expect(value.data.map(({ id }) => id)).toEqual(sampleRows(12, START_MS).map(({ id }) => id));
    expect(apiClockOffsetMs).toBe(0);
  });

  it("is asked once for its grants without a scope, and then for reading scopes only", async () => {
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

  it("is sent nothing to delete when the last check before it refuses", async () => {
    const upstream = connect();
    const refused = upstream.deleteScheduleFile(2, "people", {
      beforeSending: () => Promise.reject(new Error("not any more")),
    });
    await expect(refused).rejects.toThrow("not any more");
    expect(sent("/schedule_files/2")).toEqual([]);
    expect((await upstream.getScheduleFile(2, "people")).value).not.toBeNull();
  });

  describe("when we stand still between booking a request and sending it", () => {
    const bookedRequests = async () => {
      const { rows } = await test.database.pool.query<{ lane: number }>(
        "select lane from upstream_requests where lane = 1",
      );
      return rows.length;
    };
    /** Real time passes only where a test says so. */
    function standingStill(clocks: "both" | "wall" = "both") {
      let ms = 0;
      const realClock = {
        monotonicMs: () => (clocks === "both" ? ms : 0),
        nowMs: () => START_MS + ms,
      };
      return { upstream: connect({ realClock }), standStill: (forMs: number) => (ms += forMs) };
    }

    it.each(["both", "wall"] as const)(
      "is sent it under another booking (%s clocks)",
      async (at) => {
        const { upstream, standStill } = standingStill(at);
        await upstream.scopes("people");
        let asked = 0;
        const deleted = await upstream.deleteScheduleFile(2, "people", {
          async beforeSending() {
            asked += 1;
            if (asked === 1) standStill(2_501);
          },
        });
        expect(deleted.value).toBe(true);
        expect(asked).toBe(2);
        expect(sent("/schedule_files/2")).toHaveLength(1);
        expect(await bookedRequests()).toBe(2);
        expect(reports.filter(({ lane }) => lane === "people")).toHaveLength(1);
      },
    );

    it("is sent it all the same where that took no longer than the window allows for", async () => {
      const { upstream, standStill } = standingStill();
      await upstream.deleteScheduleFile(2, "people", {
        beforeSending: async () => void standStill(2_500),
      });
      expect(await bookedRequests()).toBe(1);
    });

    it("is sent nothing where that goes on, which is our own failure", async () => {
      const { upstream, standStill } = standingStill();
      const failure = await failureOf(
        upstream.deleteScheduleFile(2, "people", {
          beforeSending: async () => void standStill(60_000),
        }),
      );
      expect(failure).toMatchObject({ reason: "unreachable", isOurs: true, maybeExecuted: false });
      expect(sent("/schedule_files/2")).toEqual([]);
      expect(await bookedRequests()).toBe(3);
    });
  });

  it("tells what it grants, learned once however many ask", async () => {
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

  it("is asked for the write scope only to delete", async () => {
    const upstream = connect();
    const { value: file } = await upstream.getScheduleFile(2, "people");
    expect(file?.name).toBe("Schedule 2.xer");
    expect((await upstream.deleteScheduleFile(2, "people")).value).toBe(true);
    expect(sent("/oauth/token").at(-1)?.scope).toBe("write:schedule_files");
    expect((await upstream.getScheduleFile(2, "people")).value).toBeNull();
    expect((await upstream.deleteScheduleFile(2, "people")).value).toBe(false);
  });

  it("gets its token refreshed at 80 % of its life while the old one goes on serving", async () => {
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
    await read(upstream);
    expect(new Set(sent("/sync_status").map(({ bearer }) => bearer)).size).toBe(2);
  });

  it("is asked for its grants again after a day", async () => {
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

  it("receives no cookie, and the token only in its header", async () => {
    await read(connect());
    for (const request of fake.requests) expect(request.headerNames).not.toContain("cookie");
    expect(Object.keys(sent("/sync_status")[0]?.query ?? {})).toEqual(["page", "per_page"]);
  });

  it("is reported request by request", async () => {
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

describe("down, reset, 500, an HTML 502", () => {
  it.each(["reset", "error_500", "html_502"] as const)(
    "%s is retried once; the first failure tells the reason at once",
    async (kind) => {
      const upstream = connect();
      await read(upstream);
      await fake.setFault({ kind }, { path: "/sync_status" });
      const before = sent("/sync_status").length;
      const told: UpstreamFailure[] = [];
      const failure = await failureOf(
        upstream.getSyncStatus(PAGE, "background", (first) => void told.push(first)),
      );
      expect(failure.reason).toBe("unreachable");
      expect(told.map(({ reason }) => reason)).toEqual(["unreachable"]);
      expect(sent("/sync_status").length - before).toBe(2);
      await fake.setFault(null);
      expect((await read(upstream)).value.data).toHaveLength(12);
    },
  );

  it("a refused connection is unreachable, and recovers by itself", async () => {
    const upstream = connect();
    await read(upstream);
    await fake.setFault({ kind: "down" });
    expect((await failureOf(read(upstream))).reason).toBe("unreachable");
    await fake.setFault(null);
    expect((await read(upstream)).value.data).toHaveLength(12);
  });

  it("the retry comes after full jitter, and may succeed", async () => {
    const upstream = connect({ random: () => 0.5 });
    await read(upstream);
    await fake.setFault({ kind: "error_500" }, { path: "/sync_status", times: 1 });
    const answer = read(upstream);
    await clock.untilSleeping();
    expect(clock.sleeping()).toEqual([1_000]);
    await clock.advance(1_000);
    expect((await answer).value.data).toHaveLength(12);
  });

  it("at a quick rhythm the next poll is the retry", async () => {
    const upstream = connect({ pollSeconds: 1 });
    await read(upstream);
    await fake.setFault({ kind: "error_500" }, { path: "/sync_status", times: 1 });
    expect((await failureOf(read(upstream))).reason).toBe("unreachable");
    expect(sent("/sync_status")).toHaveLength(2);
    await fake.setFault({ kind: "error_500" }, { path: "/schedule_files", times: 1 });
    expect((await upstream.listScheduleFiles(PAGE, "people")).value.data).toHaveLength(3);
  });

  it("a token endpoint that is down counts as the upstream being down", async () => {
    await fake.setFault({ kind: "html_502" }, { path: "/oauth/token" });
    expect((await failureOf(read(connect()))).reason).toBe("unreachable");
    expect(fake.requests).toHaveLength(2);
  });

  it("a delete is never retried", async () => {
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
  it.each(refusals)("a delete that met %s may have been executed: %s", async (kind, expected) => {
    const upstream = connect({ limits: hasty });
    await upstream.deleteScheduleFile(1, "people");
    await fake.setFault({ kind } as Fault);
    // Until a connection that was kept is known to be gone.
    await realTurn(50);
    const failure = await failureOf(upstream.deleteScheduleFile(2, "people"));
    expect(failure.maybeExecuted).toBe(expected);
  });
});

describe("slow, hanging, half-open, dripping", () => {
  it.each(["slow_headers", "hang", "half_open", "drip"] as const)(
    "%s ends at the deadline, as unreachable, without a retry",
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

  it("at most one request is in flight per resource; who waits longer than a deadline fails", async () => {
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

  it("a connection that is never accepted ends at the connect limit", async () => {
    // A listener whose process is stuck: its backlog fills up, and later connections are not answered.
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
  it.each(["malformed_json", "truncated", "wrong_types", "empty_with_total"] as const)(
    "%s rejects the whole answer as invalid_response",
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

  it("an upstream without any endpoint is no fault", async () => {
    fake.setRows([]);
    expect((await read(connect())).value.data).toEqual([]);
  });

  it("a token answer that is no token is invalid_response, and quoted nowhere", async () => {
    await fake.setFault({ kind: "malformed_json" }, { path: "/oauth/token" });
    const failure = await failureOf(read(connect()));
    expect(failure.reason).toBe("invalid_response");
    expect(failure.cause).toBeUndefined();
  });
});

describe("unknown enum value, unknown extra member", () => {
  it("are kept, and each raw value is logged once", async () => {
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
  it.each(["huge_body", "gzip_bomb"] as const)(
    "%s of 1 GB is stopped at 8 MB decoded",
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

describe("a body that is legal JSON and expensive", () => {
  /** What `work` gives, and how long the longest text was that was parsed meanwhile. */
  async function whileParsing<T>(work: () => Promise<T>): Promise<{ value: T; longest: number }> {
    const parse = vi.spyOn(JSON, "parse");
    try {
      const value = await work();
      return { value, longest: Math.max(0, ...parse.mock.calls.map(([text]) => text.length)) };
    } finally {
      parse.mockRestore();
    }
  }

  /** One long text or many blanks cost no more than their bytes. */
  const isCheapToParse = (shape: string) => shape === "one_text" || shape === "blanks";

  it.each(EXPENSIVE_SHAPES)(
    "%s is refused before it is parsed, wherever it comes",
    async (shape) => {
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
    },
  );

  it.each([
    [400, "invalid_response"],
    [401, "unauthorized"],
    [403, "forbidden"],
  ] as const)(
    "with status %i it is judged by that, and nothing of it is logged",
    async (status, reason) => {
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
    },
  );

  it("is refused for more rows than were asked for, without looking at them", async () => {
    fake.setRows(sampleRows(300, START_MS));
    const upstream = connect();
    await fake.setFault({ kind: "more_than_asked", items: 300 });
    expect((await failureOf(read(upstream))).message).toBe("300 rows where 100 were asked for");
    const few = await failureOf(upstream.getSyncStatus({ page: 1, perPage: 20 }, "background"));
    expect(few.message).toBe("300 rows where 20 were asked for");
    await fake.setFault({ kind: "more_than_asked", items: 3 });
    const files = failureOf(upstream.listScheduleFiles({ page: 1, perPage: 2 }, "background"));
    expect((await files).message).toBe("3 rows where 2 were asked for");
  });

  it("is refused at the first row that is wrong, the others are not looked at", async () => {
    fake.setRows(sampleRows(100, START_MS));
    const upstream = connect();
    await fake.setFault({ kind: "wrong_types" });
    expect((await failureOf(read(upstream))).message).toBe(
      "data.0.attributes.api_calls_last_24h: Invalid input: expected number, received string",
    );
    const files = await failureOf(upstream.listScheduleFiles(PAGE, "background"));
    expect(files.message).toBe("data.0.id: Invalid input: expected number, received string");
  });

  it.each([
    ["id", 512],
    ["partner_name", 1_000],
    ["endpoint_key", 1_000],
    ["status", 200],
    ["last_sync_status", 200],
  ])("a row's %s may have %i characters", async (member, length) => {
    fake.setRows(sampleRows(1, START_MS));
    const upstream = connect();
    await fake.setFault({ kind: "long_text", member, length });
    expect((await read(upstream)).value.data).toHaveLength(1);
    await fake.setFault({ kind: "long_text", member, length: length + 1 });
    expect((await failureOf(read(upstream))).reason).toBe("invalid_response");
    await fake.setFault({ kind: "long_text", member, length: 7_000_000 });
    expect((await failureOf(read(upstream))).reason).toBe("invalid_response");
  });

  it.each([
    ["name", 1_000],
    ["file_type", 200],
  ])("a file's %s may have %i characters", async (member, length) => {
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

  it("in a member that we do not know it is kept up to 16 kB a row, and refused beyond", async () => {
    fake.setRows(sampleRows(100, START_MS));
    const upstream = connect();
    await fake.setFault({ kind: "long_text", member: "notes", length: 15_000 });
    expect((await read(upstream)).value.data[99]?.attributes["notes"]).toHaveLength(15_000);
    await fake.setFault({ kind: "long_text", member: "notes", length: 16_500 });
    expect((await failureOf(read(upstream))).message).toContain("at most 16384 characters");
    await fake.setFault({ kind: "long_text", member: "notes", length: 78_000 });
    expect((await failureOf(read(upstream))).message).toContain("is larger than 4194304 bytes");
  });

  it("that is a token no header can carry is no token", async () => {
    for (const length of [8_193, 60_000, 7_000_000]) {
      await fake.setFault(
        { kind: "long_text", member: "access_token", length },
        { path: "/oauth/token" },
      );
      expect((await failureOf(read(connect()))).reason).toBe("invalid_response");
    }
    expect(sent("/sync_status")).toEqual([]);
  });

  it("in chunks of one byte it is one body, up to so many that no honest server sends them", async () => {
    fake.setRows(sampleRows(2, START_MS));
    const upstream = connect();
    await fake.setFault({ kind: "tiny_chunks", blanks: 10_000 });
    expect((await read(upstream)).value.data).toHaveLength(2);
    for (const blanks of [20_000, 1_000_000_000]) {
      await fake.setFault({ kind: "tiny_chunks", blanks }, { path: "/sync_status" });
      expect(await failureOf(read(upstream))).toMatchObject({
        reason: "invalid_response",
        cause: { message: "the body comes in too many pieces" },
      });
    }
  });

  it("odd names and numbers are just that, and change no object of ours", async () => {
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
  it("of days is told as the API's offset and costs no token", async () => {
    const upstream = connect();
    await read(upstream);
    const skewMs = 3 * 86_400_000;
    await fake.setFault({ kind: "clock_skew", skewMs });
    const { apiClockOffsetMs } = await read(upstream);
    expect(Math.abs(apiClockOffsetMs - skewMs)).toBeLessThanOrEqual(1_000);
    expect(fake.tokensIssued()).toBe(2);
  });

  it("jumps of our own clock cost no token and no waiting", async () => {
    const upstream = connect();
    await read(upstream);
    clock.jump(5 * 86_400_000);
    await read(upstream);
    clock.jump(-10 * 86_400_000);
    await read(upstream);
    expect(fake.tokensIssued()).toBe(2);
  });
});

describe("a cache on the way", () => {
  it("is told to ask the API, and what it kept for longer than the API itself does is refused", async () => {
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

  it("that doesn't say how old its answers are is found out by their date, which stands still", async () => {
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

  it("doesn't settle what became of a deletion", async () => {
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
  it("in the middle is answered by one refresh for all who wait, and one replay each", async () => {
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

  it("twice is unauthorized, and tried again at the normal rhythm without a storm of tokens", async () => {
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
  it("a 403 on reading is forbidden and tried again each time", async () => {
    const upstream = connect();
    await read(upstream);
    await fake.setFault({ kind: "forbidden" });
    expect((await failureOf(read(upstream))).reason).toBe("forbidden");
    expect((await failureOf(read(upstream))).reason).toBe("forbidden");
    expect(sent("/sync_status")).toHaveLength(3);
    await fake.setFault(null);
    expect((await read(upstream)).value.data).toHaveLength(12);
  });

  it("the returned scope is believed: what is missing is not even asked for", async () => {
    fake.setScopes(["read:schedule_files"]);
    const upstream = connect();
    expect((await failureOf(read(upstream))).reason).toBe("forbidden");
    expect(upstream.grantedScopes()).toEqual(["read:schedule_files"]);
    expect(sent("/sync_status")).toHaveLength(0);
    await upstream.listScheduleFiles(PAGE, "people");
    expect(sent("/oauth/token").at(-1)?.scope).toBe("read:schedule_files");
  });

  it("a token narrower than asked takes the scope from the grants; granted again, it is noticed", async () => {
    const upstream = connect();
    await fake.setFault({ kind: "narrow_scope", scopes: ["read:schedule_files"] });
    expect((await failureOf(read(upstream))).reason).toBe("forbidden");
    expect(upstream.grantedScopes()).not.toContain("read:sync_status");
    await fake.setFault(null);
    expect((await failureOf(read(upstream))).reason).toBe("forbidden");
    await clock.advance(60_000);
    expect((await read(upstream)).value.data).toHaveLength(12);
  });

  it("a scope that is granted at last is noticed within a minute, however long it was missing", async () => {
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

  it("grants that shrink before the token is asked are forbidden, then learned anew", async () => {
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
  it.each([
    ["reset", 45, 45_000],
    ["retry_after", 20, 20_000],
    ["none", 0, 60_000],
    ["absurd", 0, 120_000],
    ["past", 0, 60_000],
  ] as const)(
    "with headers %s (%i s) is waited for %i ms by everybody",
    async (headers, seconds, waitMs) => {
      const upstream = connect();
      await read(upstream);
      await fake.setFault({ kind: "rate_limited", headers, seconds }, { times: 1 });
      const failure = await failureOf(read(upstream));
      expect(failure.reason).toBe("rate_limited");
      const waitedMs = (failure.retryAtMs ?? 0) - clock.nowMs();
      expect(waitedMs).toBeGreaterThan(waitMs - 1_001);
      expect(waitedMs).toBeLessThanOrEqual(waitMs + 1_000);
      // What people are told is what we hold ourselves to.
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

  it("holds across a restart", async () => {
    await fake.setFault({ kind: "rate_limited", headers: "none" }, { path: "/sync_status" });
    await failureOf(read(connect()));
    const before = sent("/sync_status").length;
    expect((await failureOf(read(connect()))).reason).toBe("rate_limited");
    expect(sent("/sync_status").length).toBe(before);
  });

  it("an upstream window that is spent is waited for before the next request", async () => {
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

describe("the token endpoint", () => {
  it("answering 429 is left alone until its time has come, across a restart", async () => {
    await fake.setFault({ kind: "token_rate_limited", seconds: 40 }, { times: 1 });
    expect((await failureOf(read(connect()))).reason).toBe("rate_limited");
    const restarted = connect();
    expect((await failureOf(read(restarted))).reason).toBe("rate_limited");
    expect(sent("/oauth/token")).toHaveLength(1);
    await clock.advance(41_000);
    expect((await read(restarted)).value.data).toHaveLength(12);
  });

  it("answering 429 is a limit only for whoever has no token: checks go on with the one there is", async () => {
    const upstream = connect();
    await read(upstream);
    const remaining = () => upstream.rateLimit()?.remaining;
    await clock.advance(0.81 * 3_600_000);
    await fake.setFault({ kind: "token_rate_limited", seconds: 40 }, { path: "/oauth/token" });
    // Reading files is what asks for the next one.
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

  it("answering invalid_client is unauthorized; the cool-down grows and survives a restart", async () => {
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

  it.each([
    [1, [10_000, 10_000, 10_000]],
    [60, [10_000, 20_000, 40_000, 60_000, 60_000]],
  ])(
    "is asked with refused credentials at the normal rhythm of %i s, and not before 10 s",
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

  it("gets at most ten requests a minute from a loop of restarts", async () => {
    const attempts = Array.from({ length: 12 }, () => failureOrNull(read(connect(), "people")));
    const failures = (await Promise.all(attempts)).filter((failure) => failure !== null);
    expect(sent("/oauth/token")).toHaveLength(10);
    for (const failure of failures) expect(failure.reason).toBe("rate_limited");
  });

  it("is asked once however many wait for the same token", async () => {
    const upstream = connect();
    await Promise.all(Array.from({ length: 10 }, () => read(upstream)));
    expect(sent("/oauth/token")).toHaveLength(2);
  });
});

describe("redirect", () => {
  it("is refused, and the bearer token reaches no other origin", async () => {
    const upstream = connect();
    await read(upstream);
    await fake.setFault({ kind: "redirect" });
    expect((await failureOf(read(upstream))).reason).toBe("invalid_response");
    await fake.setFault({ kind: "redirect" }, { path: "/oauth/token" });
    expect((await failureOf(read(connect()))).reason).toBe("invalid_response");
    expect(fake.redirected).toEqual([]);
  });
});

describe("the budget", () => {
  it("lets the collector wait and people fail quickly with the time to come back", async () => {
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

  it("lets jobs that may wait do so, in what polls leave over", async () => {
    const upstream = connect({ requestsPerMinute: 60, pollPagesPerWindow: () => 8 });
    // 40 less 8, and 2 more for polls.
    expect(upstream.jobsPerMinute()).toBeCloseTo((30 * 60) / 63);
    for (let n = 0; n < 30; n += 1) await upstream.listScheduleFiles(PAGE, "jobs");
    const waiting = upstream.listScheduleFiles(PAGE, "jobs");
    await clock.untilSleeping();
    for (let n = 0; n < 10; n += 1) await read(upstream);
    await clock.advance(64_000);
    expect((await waiting).value.data).toHaveLength(3);
  });

  it("fails closed when the database does not answer", async () => {
    const lost = await createTestDatabase();
    await lost.drop();
    expect((await failureOf(read(connect({ database: lost.database })))).reason).toBe(
      "unreachable",
    );
    expect(fake.requests).toHaveLength(0);
  });
});

describe("secrets", () => {
  it("and the upstream's own words stand in no failure, and in the log only redacted", async () => {
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
