import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect as dial, type AddressInfo, type Socket } from "node:net";
import { afterEach, expect } from "vitest";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "@/e2e/upstream/misbehaving-upstream";
import { readEnvironment } from "@/lib/server/environment";
import { createLog } from "@/lib/server/log";
import { createManualClock } from "@/lib/server/manual-clock";
import { databaseTest, type TestDatabase } from "@/lib/server/store/test-database";
import { createUpstream } from "./client";
import { HTTP_LIMITS } from "./http";
import { readProxies } from "./proxy";
import { isUpstreamFailure, type Upstream, type UpstreamFailure } from "./upstream";

const PAGE = { page: 1, perPage: 100 };
const PASSWORD = "proxy-p@ssword";

/** How the proxy handles CONNECT. */
type Conduct = "connects" | "is silent" | "breaks off" | 407 | 502;

const test = databaseTest();
let fake: MisbehavingUpstream;
let proxy: Server;
let conduct: Conduct;
/** The CONNECT requests received. */
let requests: { target: string; authorization: string | undefined; cookies: string | undefined }[];
let sockets: Set<Socket>;
let lines: string[];
let ending: AbortController;

test.beforeEach(async ({ db }) => {
  await db.asOwner("truncate upstream_hosts, upstream_requests, upstream_refusals");
  fake = await startMisbehavingUpstream({});
  [conduct, requests, sockets, lines] = ["connects", [], new Set(), []];
  ending = new AbortController();
  proxy = createServer((_request, response) => response.writeHead(400).end());
  proxy.on("connection", (socket: Socket) => sockets.add(socket));
  proxy.on("connect", ({ url, headers }, socket: Socket) => {
    const { "proxy-authorization": authorization, cookie: cookies } = headers;
    requests.push({ target: url ?? "", authorization, cookies });
    socket.on("error", () => {});
    if (conduct === "is silent") return;
    if (conduct === "breaks off") return void socket.destroy();
    if (conduct !== "connects") {
      socket.end(`HTTP/1.1 ${conduct} No\r\nProxy-Authenticate: Basic\r\n\r\n`);
      return;
    }
    // The only host it knows, under any name.
    const onward = dial(Number(new URL(fake.baseUrl).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
});
afterEach(async () => {
  ending.abort();
  for (const socket of sockets) socket.destroy();
  proxy.close();
  await fake.close();
});

/** A client of an API that only the proxy can reach. */
function connect(db: TestDatabase, env: Record<string, string> = {}): Upstream {
  const { port } = proxy.address() as AddressInfo;
  const address = `http://plumb:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`;
  const log = createLog("debug", { write: (line) => void lines.push(line) });
  return createUpstream({
    connection: {
      company: "northgate",
      name: "Northgate",
      baseUrl: `http://api.example.test${new URL(fake.baseUrl).pathname}`,
      clientId: fake.clientId,
      clientSecret: fake.clientSecret,
    },
    clock: createManualClock(Date.now()),
    random: () => 0,
    log,
    database: { ...db.database },
    requestsPerMinute: 60,
    tokenRequestsPerMinute: 10,
    // The next poll is the retry.
    pollSeconds: 1,
    signal: ending.signal,
    limits: { ...HTTP_LIMITS, connectMs: 300, wholeMs: 4_000 },
    proxies: readProxies(readEnvironment({ HTTP_PROXY: address, ...env })),
  });
}

const read = (upstream: Upstream) => upstream.getSyncStatus(PAGE, "background");

async function failureOf(promise: Promise<unknown>): Promise<UpstreamFailure> {
  const failure = await promise.then(
    () => null,
    (error: unknown) => error,
  );
  if (!isUpstreamFailure(failure)) throw failure ?? new Error("it did not fail");
  return failure;
}

test("sends API and token requests through the proxy, which sees only its credentials", async ({
  db,
}) => {
  const upstream = connect(db);
  expect((await read(upstream)).value.data.length).toBeGreaterThan(0);
  expect((await upstream.deleteScheduleFile(1, "people")).value).toBe(true);
  expect(new Set(fake.requests.map(({ path }) => path))).toEqual(
    new Set(["/oauth/token", "/sync_status", "/schedule_files/1"]),
  );
  const authorization = `Basic ${Buffer.from(`plumb:${PASSWORD}`).toString("base64")}`;
  for (const request of requests) {
    expect(request).toEqual({
      target: "api.example.test:80",
      authorization,
      cookies: undefined,
    });
  }
  expect(requests.length).toBeGreaterThan(0);
  for (const { headerNames } of fake.requests) {
    expect(headerNames).not.toContain("proxy-authorization");
  }
});

test("bypasses the proxy for hosts in NO_PROXY", async ({ db }) => {
  const failure = await failureOf(read(connect(db, { NO_PROXY: "example.test" })));
  // The name can't be resolved.
  expect(failure.reason).toBe("unreachable");
  expect(requests).toEqual([]);
});

test.for([
  [407, "the proxy refused the connection"],
  [502, "the proxy refused the connection"],
  ["is silent", "the upstream took too long"],
  ["breaks off", "no connection to the upstream, or a broken one"],
] as const)(
  "is unreachable when the proxy answers %s, deletes nothing, and recovers",
  async ([how, message], { db }) => {
    const upstream = connect(db);
    await read(upstream);
    for (const socket of sockets) socket.destroy();
    conduct = how;
    // Until a kept-alive connection is known to be closed.
    await expect
      .poll(() => failureOf(read(upstream)), { timeout: 5_000 })
      .toMatchObject({
        reason: "unreachable",
        message,
      });
    const before = requests.length;
    const failure = await failureOf(upstream.deleteScheduleFile(2, "people"));
    expect(failure).toMatchObject({ reason: "unreachable", message, maybeExecuted: false });
    // One attempt, for its token, however fast it fails.
    expect(requests.length - before).toBe(1);
    expect(fake.requests.filter(({ path }) => path === "/schedule_files/2")).toEqual([]);
    conduct = "connects";
    expect((await read(upstream)).value.data.length).toBeGreaterThan(0);

    const log = createLog("debug", { write: (line) => void lines.push(line) });
    log.warn({ err: failure }, "as the collector logs it");
    expect(lines.join("")).not.toMatch(/proxy-p|plumb:|Basic /);
  },
);

test("is unreachable when the proxy is down", async ({ db }) => {
  const upstream = connect(db);
  proxy.close();
  expect(await failureOf(read(upstream))).toMatchObject({
    reason: "unreachable",
    maybeExecuted: false,
  });
});

test("applies the limits behind the proxy: no redirects, no endless responses", async ({ db }) => {
  const upstream = connect(db);
  await read(upstream);
  await fake.setFault({ kind: "redirect" }, { path: "/sync_status" });
  expect((await failureOf(read(upstream))).reason).toBe("invalid_response");
  await fake.setFault({ kind: "hang" }, { path: "/sync_status" });
  expect((await failureOf(read(upstream))).message).toBe("the upstream took too long");
});
