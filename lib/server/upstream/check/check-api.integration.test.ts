import { once } from "node:events";
import type { lookup } from "node:dns";
import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, describe, expect } from "vitest";
import type { Fault, FaultOptions } from "@/e2e/upstream/fault";
import {
  startMisbehavingUpstream,
  UPSTREAM_DESCRIPTION,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import { CheckStep } from "@/lib/contracts/connections";
import { createLog } from "@/lib/server/log";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { freshDatabaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { addressRange, createDialGuard } from "@/lib/server/upstream/dial/allowed-targets";
import { HTTP_LIMITS } from "@/lib/server/upstream/http";
import { NO_PROXIES } from "@/lib/server/upstream/proxy";
import { SELF_SIGNED } from "./certificate-fixture";
import { isConnectable } from "@/lib/domain/check-steps";
import { checkApi, type CheckParts } from "./check-api";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
const LOOPBACK = ["127.0.0.0/8"].flatMap((text) => addressRange(text) ?? []);

const test = freshDatabaseTest();
let clock: ManualClock;
let api: MisbehavingUpstream;
let servers: Server[];
let lines: string[];
beforeEach(async () => {
  clock = createManualClock(START_MS);
  servers = [];
  lines = [];
  api = await startMisbehavingUpstream({
    rows: sampleRows(12, START_MS),
    nowMs: clock.nowMs,
    rateLimitPerMinute: 60,
  });
});
afterEach(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
  await api.close();
});

type Given = Partial<CheckParts> & {
  baseUrl?: string;
  clientId?: string;
  clientSecret?: string;
};

async function check(db: TestDatabase, given: Given = {}): Promise<CheckStep[]> {
  const { baseUrl, clientId, clientSecret, ...parts } = { ...api, ...given };
  const found: CheckStep[] = [];
  const checking = checkApi(
    {
      clock,
      random: () => 0,
      log: createLog("info", { write: (line) => void lines.push(line) }),
      database: db.database,
      requestsPerMinute: 60,
      tokenRequestsPerMinute: 10,
      proxies: NO_PROXIES,
      guard: createDialGuard(LOOPBACK),
      plannedPerMinute: (pages) => 3 * pages,
      onRequest: () => {},
      databaseNowMs: clock.nowMs,
      // Deadlines of requests are in real time.
      limits: { ...HTTP_LIMITS, wholeMs: 400 },
      ...parts,
    },
    { baseUrl, clientId, clientSecret },
  );
  for await (const step of checking) found.push(CheckStep.parse(step));
  return found;
}

/** The first step that isn't fine. */
const problemOf = (steps: readonly CheckStep[]) => steps.find(({ ok }) => ok !== true);
const outcomes = (steps: readonly CheckStep[]) => steps.map(({ step, ok }) => [step, ok]);

/** @returns origin of a server */
async function serve(listener: RequestListener, isSecure = false): Promise<string> {
  const server = isSecure ? createTlsServer(SELF_SIGNED, listener) : createHttpServer(listener);
  servers.push(server);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return `${isSecure ? "https" : "http"}://127.0.0.1:${port}`;
}

test("finds everything in an API that works, with four requests", async ({ db }) => {
  const steps = await check(db);
  expect(steps.map(({ step, ok, text }) => [step, ok, text])).toEqual([
    ["address", true, `${new URL(api.baseUrl).host} answered.`],
    ["token", true, "Client ID and secret were accepted."],
    ["scopes", true, "All 3 scopes are granted."],
    ["rows", true, "12 feeds of 4 partners."],
    ["files", true, "3 schedule files."],
    ["rate_limit", true, "60 requests a minute, according to its answers."],
    ["clock", true, "Its clock agrees with ours."],
  ]);
  expect(isConnectable(steps)).toBe(true);
  expect(steps[3]?.detail).toMatchObject({ endpoints: 12, partners: 4, pages: 1 });
  expect(steps[3]?.detail.sample).toHaveLength(4);
  expect(api.requests.map(({ method, path, bearer }) => [method, path, bearer !== null])).toEqual([
    ["GET", "/sync_status", false],
    ["POST", "/oauth/token", false],
    ["GET", "/sync_status", true],
    ["GET", "/schedule_files", true],
  ]);
});

test("saves nothing, also not that the credentials were rejected", async ({ db }) => {
  await check(db);
  await check(db, { clientSecret: "wrong" });
  for (const table of ["connections", "upstream_tokens", "upstream_refusals", "audit_log"]) {
    const { rows } = await db.database.pool.query(`select * from ${table}`);
    expect(rows).toEqual([]);
  }
  expect((await check(db)).every(({ ok }) => ok)).toBe(true);
});

test("says which scopes are missing, and what that hides", async ({ db }) => {
  api.setScopes(["read:sync_status"]);
  const some = await check(db);
  expect(isConnectable(some)).toBe(true);
  expect(outcomes(some).slice(2, 5)).toEqual([
    ["scopes", false],
    ["rows", true],
    ["files", null],
  ]);
  expect(some[2]?.text).toBe(
    "1 of 3 scopes is granted; reading schedule files and deleting schedule files are missing.",
  );
  expect(some[2]?.detail.scopes?.map(({ granted }) => granted)).toEqual([true, false, false]);
  api.setScopes(["read:schedule_files"]);
  const none = await check(db);
  expect(isConnectable(none)).toBe(false);
  expect(none[3]).toMatchObject({ ok: false, text: "Reading feeds isn’t granted.", ms: null });
});

test("says how far the API’s clock is off, and that its rate limit is too low", async ({ db }) => {
  await api.setFault({ kind: "clock_skew", skewMs: -90_000 });
  const steps = await check(db, { plannedPerMinute: () => 90 });
  expect(steps.slice(-2)).toMatchObject([
    { ok: false, text: "It allows only 60 requests a minute, according to its answers." },
    { ok: true, text: expect.stringMatching(/^Its clock is 1 m.* behind ours\.$/) },
  ]);
});

describe("a problem", () => {
  const FAULTS: readonly [
    what: string,
    fault: Fault,
    options: FaultOptions,
    step: CheckStep["step"],
    text: RegExp,
  ][] = [
    ["down", { kind: "down" }, {}, "address", /refuses connections/],
    ["reset", { kind: "reset" }, {}, "address", /broke off the connection/],
    ["hang", { kind: "hang" }, {}, "address", /didn’t answer within/],
    ["error", { kind: "error_500" }, {}, "address", /answered with the error 500/],
    ["HTML", { kind: "html_502" }, {}, "address", /answered with the error 502/],
    ["redirect", { kind: "redirect" }, {}, "address", /redirects to http:\/\/127/],
    ["old answer", { kind: "kept_by_cache", ageSeconds: 600 }, {}, "address", /A cache in front/],
    ["rate limit", { kind: "rate_limited", seconds: 30 }, {}, "address", /limits our requests for/],
    [
      "rate limit of rows",
      { kind: "rate_limited", seconds: 30 },
      { after: 1 },
      "rows",
      /limits our requests for/,
    ],
    [
      "token rate limit",
      { kind: "token_rate_limited", seconds: 30 },
      {},
      "token",
      /limits our requests for/,
    ],
    ["wrong secret", { kind: "invalid_client" }, {}, "token", /client ID or secret was rejected/],
    ["no scope", { kind: "narrow_scope", scopes: [] }, {}, "scopes", /0 of 3 scopes/],
    [
      "redirect of the token endpoint",
      { kind: "redirect" },
      { path: "/oauth/token" },
      "token",
      /redirects/,
    ],
    [
      "slow rows",
      { kind: "hang" },
      { path: "/sync_status", after: 1 },
      "rows",
      /didn’t answer within/,
    ],
    [
      "dripping rows",
      { kind: "drip" },
      { path: "/sync_status", after: 1 },
      "rows",
      /didn’t answer within/,
    ],
    [
      "huge rows",
      { kind: "huge_body", bytes: 9_000_000 },
      { path: "/sync_status", after: 1 },
      "rows",
      /sent more data|didn’t answer within/,
    ],
    [
      "expanding rows",
      { kind: "gzip_bomb" },
      { path: "/sync_status", after: 1 },
      "rows",
      /sent more data|didn’t answer within/,
    ],
    [
      "rows of the wrong shape",
      { kind: "wrong_types" },
      { path: "/sync_status", after: 1 },
      "rows",
      /aren’t in the form of the v3 API/,
    ],
    [
      "malformed rows",
      { kind: "malformed_json" },
      { path: "/sync_status", after: 1 },
      "rows",
      /aren’t in the form of the v3 API/,
    ],
    [
      "more rows than are read",
      { kind: "enormous_total" },
      { path: "/sync_status", after: 1 },
      "rows",
      /Plumbline can read 20,000 per company/,
    ],
    [
      "rejected token",
      { kind: "unauthorized" },
      { path: "/sync_status", after: 1 },
      "rows",
      /rejected the token/,
    ],
    [
      "refused rows",
      { kind: "forbidden" },
      { path: "/sync_status", after: 1 },
      "rows",
      /doesn’t let this client read feeds/,
    ],
    [
      "refused files",
      { kind: "forbidden" },
      { path: "/schedule_files" },
      "files",
      /doesn’t let this client read schedule files/,
    ],
  ];
  test.for(FAULTS)("is explained: %s", async ([, fault, options, step, text], { db }) => {
    await api.setFault(fault, options);
    const steps = await check(db);
    expect(steps.map((one) => one.step)).toEqual([
      "address",
      "token",
      "scopes",
      "rows",
      "files",
      "rate_limit",
      "clock",
    ]);
    const problem = problemOf(steps);
    expect(problem).toMatchObject({ step, ok: false, text: expect.stringMatching(text) });
    expect(problem?.detail.note).not.toBeNull();
    expect(isConnectable(steps)).toBe(step === "files" || step === "rate_limit");
    expect(api.redirected).toEqual([]);
    expect(JSON.stringify(steps)).not.toContain(UPSTREAM_DESCRIPTION);
    expect(lines.join("") + JSON.stringify(steps)).not.toContain(api.clientSecret);
  });

  const ANSWERS: readonly [string, RequestListener, string, RegExp][] = [
    [
      "a web page",
      (_, response) => response.setHeader("content-type", "text/html").end("<h1>Welcome</h1>"),
      "/api/v3",
      /answered with a web page/,
    ],
    [
      "another path",
      (_, response) => response.writeHead(404).end("{}"),
      "",
      /\/api\/v3 is missing/,
    ],
    [
      "no API",
      (_, response) => response.writeHead(404).end("{}"),
      "/api/v3",
      /has no v3 API at \/api\/v3/,
    ],
    [
      "the path of one of its resources",
      (_, response) => response.writeHead(404).end("{}"),
      "/api/v3/sync_status",
      /has no v3 API at \/api\/v3\/sync_status/,
    ],
    ["a teapot", (_, response) => response.writeHead(418).end(), "/api/v3", /the status 418/],
    [
      "a redirect to a private address",
      (_, response) => response.writeHead(307, { location: "http://10.0.0.1/?secret" }).end(),
      "/api/v3",
      /redirects to http:\/\/10\.0\.0\.1\.$/,
    ],
  ];
  test.for(ANSWERS)("is explained: %s", async ([, listener, path, text], { db }) => {
    const steps = await check(db, { baseUrl: `${await serve(listener)}${path}` });
    expect(steps[0]).toMatchObject({ ok: false, text: expect.stringMatching(text) });
    expect(steps[0]?.detail.note).not.toBeNull();
    expect(steps.slice(1).every(({ ok }) => ok === null)).toBe(true);
  });

  test.for([
    ["invalid_client", /^The client ID or secret was rejected/],
    ["unauthorized_client", /^This client isn’t registered for client credentials/],
    ["unsupported_grant_type", /^The API doesn’t issue tokens for client credentials/],
  ] as const)("is explained: the token endpoint’s error %s", async ([error, text], { db }) => {
    const origin = await serve((request, response) => {
      const isToken = request.url === "/api/v3/oauth/token";
      response
        .writeHead(isToken ? 400 : 401, { "content-type": "application/json" })
        .end(JSON.stringify({ error, error_description: UPSTREAM_DESCRIPTION }));
    });
    const steps = await check(db, { baseUrl: `${origin}/api/v3` });
    const problem = problemOf(steps);
    expect(problem).toMatchObject({ step: "token", ok: false, text: expect.stringMatching(text) });
    expect(problem?.detail.note).not.toBeNull();
    expect(JSON.stringify(steps)).not.toContain(UPSTREAM_DESCRIPTION);
  });

  test("is explained: a 403 that isn’t in the API’s words", async ({ db }) => {
    const origin = await serve((_, response) => {
      response
        .writeHead(403, { "content-type": "application/json" })
        .end(JSON.stringify({ message: "Forbidden" }));
    });
    const problem = problemOf(await check(db, { baseUrl: `${origin}/api/v3` }));
    expect(problem).toMatchObject({
      step: "token",
      ok: false,
      text: expect.stringMatching(/refused the request without giving a reason/),
    });
    expect(problem?.detail.note).toMatch(/firewall or proxy/);
  });

  test("is explained: a certificate that isn’t trusted", async ({ db }) => {
    const origin = await serve((_, response) => response.end("{}"), true);
    const [address] = await check(db, { baseUrl: `${origin}/api/v3` });
    expect(address).toMatchObject({ ok: false, text: expect.stringMatching(/self-signed/) });
    expect(address?.detail.note).toMatch(/NODE_EXTRA_CA_CERTS/);
  });

  test("is explained: no encryption where it is expected", async ({ db }) => {
    const origin = await serve((_, response) => response.end("{}"));
    const [address] = await check(db, { baseUrl: origin.replace("http:", "https:") });
    expect(address).toMatchObject({
      ok: false,
      text: expect.stringMatching(/doesn’t offer https/),
    });
  });

  test("is explained: no such host", async ({ db }) => {
    const resolve = ((_host: string, _options: object, done: (error: Error) => void) =>
      done(Object.assign(new Error("none"), { code: "ENOTFOUND" }))) as unknown as typeof lookup;
    const guard = createDialGuard([], resolve);
    const [address] = await check(db, { guard, baseUrl: "https://api.invalid/api/v3" });
    expect(address).toMatchObject({ ok: false, text: "No host named api.invalid was found." });
  });
});

describe("an address that may not be dialled", () => {
  test.for([
    ["http://127.0.0.1:9", /over http/],
    ["http://93.184.216.34/api/v3", /over http/],
    ["https://10.0.0.1/api/v3", /private or reserved/],
    ["https://169.254.169.254/api/v3", /private or reserved/],
    ["https://[::1]/api/v3", /private or reserved/],
    ["https://[::ffff:10.0.0.1]/api/v3", /private or reserved/],
    ["https://2130706433/api/v3", /private or reserved/],
  ] as const)("%s is a failed step", async ([baseUrl, text], { db }) => {
    const [address] = await check(db, { baseUrl, guard: createDialGuard([]) });
    expect(address).toMatchObject({ ok: false, text: expect.stringMatching(text) });
    expect(address?.detail.note).toMatch(/ALLOWED_TARGETS/);
  });

  test("is refused when a name resolves to it later", async ({ db }) => {
    const { port } = new URL(api.baseUrl);
    let resolved = 0;
    const resolve = ((
      _host: string,
      _options: object,
      done: (error: null, addresses: object[]) => void,
    ) => {
      resolved += 1;
      const address = resolved === 1 ? "127.0.0.1" : "127.0.0.2";
      done(null, [{ address, family: 4 }]);
    }) as unknown as typeof lookup;
    const only = ["127.0.0.1/32"].flatMap((text) => addressRange(text) ?? []);
    const guard = createDialGuard(only, resolve);
    const baseUrl = `http://rebinding.example:${port}/api/v3`;
    expect(problemOf(await check(db, { guard, baseUrl }))).toBeUndefined();
    const [address] = await check(db, { guard, baseUrl });
    expect(address).toMatchObject({ ok: false, text: expect.stringMatching(/over http/) });
  });
});

test("stays within the host’s budget, and says that it was our limit", async ({ db }) => {
  for (let checks = 0; checks < 7; checks += 1) await check(db);
  const before = api.requests.length;
  const steps = await check(db);
  expect(problemOf(steps)).toMatchObject({
    ok: null,
    text: expect.stringMatching(/^Not sent: our own limit for requests/),
  });
  expect(isConnectable(steps)).toBe(false);
  expect(api.requests.length - before).toBeLessThan(4);
});
