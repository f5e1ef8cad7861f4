import { randomUUID } from "node:crypto";
import { afterEach, describe, expect } from "vitest";
import type { Fault, FaultOptions } from "@/e2e/upstream/fault";
import {
  startMisbehavingUpstream,
  UPSTREAM_DESCRIPTION,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import { ConnectionCheck, ConnectionsView } from "@/lib/contracts/connections";
import { isFailure } from "@/lib/contracts/failure";
import { rowsOf } from "@/lib/server/collector/snapshots";
import type { FileState } from "@/lib/server/configuration-file";
import { createLog } from "@/lib/server/log";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { createDatabaseTime } from "@/lib/server/store/database-time";
import { createPerson } from "@/lib/server/store/people/people";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { createUpstream } from "@/lib/server/upstream/client";
import { HTTP_LIMITS } from "@/lib/server/upstream/http";
import type { Connection, Upstream } from "@/lib/server/upstream/upstream";
import { checkConnection } from "./check-connection";
import { listConnections, type ConnectionsRuntime } from "./list-connections";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
const AUTH_SECRET = "a secret of the tests, 32 bytes or more";

const test = databaseTest();
let clock: ManualClock;
let api: MisbehavingUpstream;
let ending: AbortController;
let connection: Connection;
let upstream: Upstream;
let upstreams: Map<string, Upstream>;
let checking: Parameters<typeof checkConnection>[0];
let person: { id: string };
test.beforeEach(async ({ db }) => {
  // Each test has its own time, so that earlier requests are not in its budget.
  clock = createManualClock(START_MS);
  api = await startMisbehavingUpstream({ rows: sampleRows(120, START_MS), nowMs: clock.nowMs });
  ending = new AbortController();
  const { baseUrl, clientId, clientSecret } = api;
  connection = { company: "main", name: "Main", baseUrl, clientId, clientSecret };
  upstream = createUpstream({
    connection,
    clock,
    random: () => 0,
    log: createLog("silent"),
    database: db.database,
    requestsPerMinute: 60,
    tokenRequestsPerMinute: 10,
    pollSeconds: 60,
    authSecrets: [AUTH_SECRET],
    databaseNowMs: clock.nowMs,
    signal: ending.signal,
    // Request deadlines use real time.
    limits: { ...HTTP_LIMITS, wholeMs: 300 },
  });
  upstreams = new Map([["main", upstream]]);
  const { database } = db;
  const grants = [{ role: "administrator" as const, company: null }];
  const ada = { email: `${randomUUID()}@example.com`, name: "Ada", grants, passwordHash: null };
  person = { id: await createPerson(database.orm, ada) };
  const time = createDatabaseTime({
    database,
    clock,
    log: createLog("silent"),
    nowMs: clock.nowMs,
  });
  checking = { clock, upstreams, database, auth: { time } };
});
afterEach(async () => {
  ending.abort();
  await api.close();
});

const check = async (slug = "main") =>
  ConnectionCheck.parse(await checkConnection(checking, { person, slug }));

async function failureOf(promise: Promise<unknown>) {
  const failure = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (isFailure(failure)) return failure;
  throw new Error("it did not fail as expected", { cause: failure });
}

describe("checking a connection", () => {
  test("requests the granted scopes, a token and a page once, and reports the outcome", async () => {
    const { took_ms, ...result } = await check();
    expect(result).toEqual({
      checked_at: new Date(START_MS).toISOString(),
      reason: null,
      reached: "all",
      rows: 120,
      scopes: ["read:schedule_files", "write:schedule_files", "read:sync_status"],
      retry_at: null,
    });
    expect(took_ms).toBeGreaterThanOrEqual(0);
    expect(
      api.requests.map(({ method, path, query }) => `${method} ${path} ${query["page"]}`),
    ).toEqual(["POST /oauth/token undefined", "POST /oauth/token undefined", "GET /sync_status 1"]);
    await clock.advance(5_000);
    await check();
    expect(api.requests).toHaveLength(4);
  });

  test("is refused for an unknown connection, and for a second check within five seconds", async () => {
    expect(await failureOf(check("elsewhere"))).toMatchObject({ code: "not_found" });
    const both = await Promise.allSettled([check(), check()]);
    expect(both.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect(await failureOf(check())).toMatchObject({
      code: "too_many_requests",
      retryAfterSeconds: 5,
    });
    expect(api.requests.filter(({ path }) => path === "/sync_status")).toHaveLength(1);
  });

  const FAULTS: readonly [string, Fault, FaultOptions, Partial<ConnectionCheck>][] = [
    ["is down", { kind: "down" }, {}, { reason: "unreachable", reached: "sign_in" }],
    [
      "hangs at its rows",
      { kind: "hang" },
      { path: "/sync_status" },
      { reason: "unreachable", reached: "rows" },
    ],
    [
      "refuses the credentials",
      { kind: "invalid_client" },
      {},
      { reason: "unauthorized", reached: "sign_in" },
    ],
    ["answers 401", { kind: "unauthorized" }, {}, { reason: "unauthorized", reached: "rows" }],
    ["answers 403", { kind: "forbidden" }, {}, { reason: "forbidden", reached: "rows" }],
    [
      "answers 429",
      { kind: "rate_limited", headers: "retry_after", seconds: 30 },
      {},
      {
        reason: "rate_limited",
        reached: "rows",
        retry_at: new Date(START_MS + 30_000).toISOString(),
      },
    ],
    [
      "sends what is no JSON",
      { kind: "malformed_json" },
      {},
      { reason: "invalid_response", reached: "rows" },
    ],
    [
      "grants too little",
      { kind: "narrow_scope", scopes: ["read:schedule_files"] },
      {},
      { reason: "forbidden", reached: "sign_in", scopes: ["read:schedule_files"] },
    ],
  ];
  test.each(FAULTS)(
    "reports an API that %s in our own wording",
    async (_, fault, options, expected) => {
      await api.setFault(fault, options);
      const checked = check();
      // Lets the delay before the single retry pass.
      void checked.finally(() => ending.abort()).catch(() => {});
      await clock.advance(0);
      const found = await checked;
      expect(found).toMatchObject({ rows: null, ...expected });
      const text = JSON.stringify(found);
      expect(text).not.toContain(UPSTREAM_DESCRIPTION);
      expect(text).not.toContain(api.clientSecret);
    },
  );

  test("sends nothing while the API has us wait, and reports until when", async () => {
    await api.setFault({ kind: "rate_limited", headers: "retry_after", seconds: 30 });
    await check();
    await clock.advance(5_000);
    const before = api.requests.length;
    expect(await check()).toMatchObject({
      reason: "rate_limited",
      reached: "not_sent",
      retry_at: new Date(START_MS + 30_000).toISOString(),
    });
    expect(api.requests).toHaveLength(before);
  });
});

describe("the list of connections", () => {
  const state = {
    version: 1,
    asOfMs: START_MS - 12_000,
    lastAttemptMs: START_MS - 12_000,
    reason: null,
    rhythmSeconds: 60,
    nextRefreshMs: START_MS + 8_000,
    apiClockOffsetMs: 1_000,
    databaseClockOffsetMs: null,
    totalPages: 2,
    rateLimit: null,
    budget: { used: 3, limit: 60 },
  };

  function runtime(db: TestDatabase, given: Partial<ConnectionsRuntime> = {}): ConnectionsRuntime {
    const snapshot = { company: "main", state, rows: rowsOf(new Map()) };
    return {
      database: db.database,
      clock,
      config: {
        pollSeconds: 60,
        requestsPerMinute: 60,
        tokenRequestsPerMinute: 10,
        service: "off",
        connections: [connection],
      },
      connections: [
        connection,
        { ...connection, company: "late", name: "Late", clientId: "other" },
      ],
      connectionsFile: null,
      browserConnections: { list: () => [], removed: () => new Set() },
      auth: { access: { find: () => [] } },
      coreMeter: { now: () => ({ cores: 0.0612, overSeconds: 300 }) },
      leftCompanies: { list: () => [{ slug: "gone", name: "Gone", leftAtMs: START_MS }] },
      snapshots: {
        get: (company) => (company === "main" ? snapshot : null),
        ageMs: (company) => (company === "main" ? 12_000 : null),
      },
      ...given,
    };
  }
  const list = async (db: TestDatabase, given: Partial<ConnectionsRuntime> = {}) =>
    ConnectionsView.parse(await listConnections(runtime(db, given)));

  test("includes the polling state of each, without secrets or tokens", async ({ db }) => {
    const { origin } = new URL(api.baseUrl);
    await db.database.pool.query(
      `insert into upstream_tokens (origin, client_id, purpose, sealed, scopes, issued_at_ms, expires_at_ms)
       select $1, $2, purpose, 'sealed', scopes, now_ms - 60000, now_ms + 3600000
       from (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now_ms) clock,
         (values ('read', 'read:sync_status'),
           ('grants', 'read:sync_status read:schedule_files write:schedule_files')) as of(purpose, scopes)`,
      [origin, api.clientId],
    );
    await db.database.pool.query(
      `insert into gaps (company, from_at, until_at, reason) values
         ('main', '2026-03-02T06:21:01Z', '2026-03-02T06:30:01Z', 'unreachable'),
         ('main', '2026-03-02T07:00:00Z', '2026-03-02T07:10:00Z', 'stopped')`,
    );
    const view = await list(db);
    const { token, ...main } = view.data[0]!;
    expect(main).toEqual({
      slug: "main",
      name: "Main",
      host: new URL(api.baseUrl).host,
      base_url: api.baseUrl,
      client_id: api.clientId,
      origin: "environment",
      set_aside: null,
      owner: null,
      time_zone: null,
      external_id: null,
      paused_at: null,
      queue: null,
      confidence: "live",
      reason: null,
      last_success_at: "2026-03-02T11:59:48.000Z",
      next_check_at: "2026-03-02T12:00:08.000Z",
      rhythm_seconds: 60,
      check_seconds: 20,
      requests_per_minute: expect.closeTo(5.94, 2),
      scopes: ["read:schedule_files", "write:schedule_files", "read:sync_status"],
      limited_until: null,
      last_gap: {
        reason: "unreachable",
        from: "2026-03-02T06:21:00.000Z",
        until: "2026-03-02T06:30:00.000Z",
      },
    });
    const [issuedMs = 0, expiresMs = 0] = Object.values(token ?? {}).map((at) => Date.parse(at));
    // At least the time that the database took to respond.
    expect(START_MS - issuedMs).toBeGreaterThanOrEqual(60_000);
    expect(expiresMs - issuedMs).toBe(3_660_000);
    expect(view.data[1]).toMatchObject({
      slug: "late",
      confidence: "blind",
      reason: "starting",
      queue: { place: 1, of: 1 },
      scopes: null,
      token: null,
      last_gap: null,
    });
    expect(view.meta).toEqual({
      source: "environment",
      file: null,
      requests_per_minute: 60,
      token_requests_per_minute: 10,
      capacity: {
        core_use: { cores: 0.0612, over_seconds: 300 },
        companies_per_minute: 38,
      },
      left: [
        { slug: "gone", name: "Gone", left_at: "2026-03-02T12:00:00.000Z", can_resume: false },
      ],
    });
    const text = JSON.stringify(view);
    for (const secret of [api.clientSecret, "sealed"]) expect(text).not.toContain(secret);
  });

  test("announces no check of a connection that sends nothing", async ({ db }) => {
    for (const browser of [
      { pausedAtMs: START_MS, isSecretReadable: true },
      { pausedAtMs: null, isSecretReadable: false },
    ]) {
      const { data } = await list(db, { connections: [{ ...connection, browser }] });
      expect(data).toMatchObject([{ confidence: "blind", next_check_at: null }]);
    }
  });

  test("reports where the connections come from, and errors in the file", async ({ db }) => {
    const refused = { sinceMs: START_MS, problems: ["CONNECTIONS_FILE: must be JSON"] };
    const fileOf = (file: FileState) => ({ connectionsFile: { state: () => file } });
    expect((await list(db, fileOf({ readAtMs: START_MS - 1, refused }))).meta).toMatchObject({
      source: "file",
      file: {
        read_at: "2026-03-02T11:59:59.999Z",
        refused: { since: "2026-03-02T12:00:00.000Z", problems: refused.problems },
      },
    });
    const config = { ...runtime(db).config, connections: [] };
    expect((await list(db, { config })).meta.source).toBe("demo");
    expect((await list(db, { config, connections: [] })).meta.source).toBe("none");
  });

  test("omits what only the database knows while the database is unavailable", async ({ db }) => {
    const away = { pool: { query: () => Promise.reject(new Error("away")) } };
    const view = await list(db, { database: away as unknown as ConnectionsRuntime["database"] });
    expect(view.data[0]).toMatchObject({ confidence: "live", scopes: null, token: null });
  });
});
