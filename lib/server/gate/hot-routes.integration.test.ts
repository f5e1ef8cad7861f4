import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import compression from "compression";
import { NodeNextRequest, NodeNextResponse } from "next/dist/server/base-http/node";
import { sendResponse } from "next/dist/server/send-response";
import {
  NextRequestAdapter,
  signalFromNodeResponse,
} from "next/dist/server/web/spec-extension/adapters/next-request";
import { afterAll, describe, expect } from "vitest";
import { commonHeaders } from "@/lib/server/http/headers.mjs";
import type { Method } from "@/lib/server/http/handlers";
import { scanRoutes } from "@/lib/server/http/routes/route-manifest.mjs";
import { completeHead, trimForRoute } from "@/lib/server/http/routes/routed-headers.mjs";
import { createRoutes } from "@/lib/server/http/routes/routes";
import { createBrowser } from "./app-fixture";
import { displayTest } from "./display-fixture";
import { HOT_ROUTES } from "./hot-routes";
import { routesAt } from "./routes-fixture";
import { respondToUnrouted, refuseUnauthorized } from "./unrouted";

const APP_URL = "http://localhost:3000";
const common = commonHeaders(APP_URL, false);

const test = displayTest();
let server: Server;
let screen: ReturnType<typeof createBrowser>;
test.beforeAll(async ({ app }) => {
  screen = app.screen();
  await app.pair(screen);
  const routes = createRoutes(scanRoutes(process.cwd()), HOT_ROUTES, {
    refuseUnauthorized: (request, params) => refuseUnauthorized(app.runtime, request, params),
    respondToUnrouted: (request, unrouted) => respondToUnrouted(app.runtime, request, unrouted),
  });
  const compress = compression();
  server = createServer((request, response) => {
    request.headers["x-plumbline-origin"] = APP_URL;
    request.headers["x-plumbline-client-address"] = "192.0.2.1";
    const found = routes.find((request.url ?? "").split("?")[0] ?? "");
    if (found === null) return void response.destroy();
    if (request.headers["x-way"] === "front") {
      const flat = Object.entries(common).flat();
      routes.answer(request, response, found, flat, () => response.destroy());
      return;
    }
    compress(request as never, response as never, () => {
      trimForRoute(request);
      completeHead(response, common);
      void throughNext(request, response, found);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  server.close();
});

/** Calls the handler in `route.ts`, and sends its response with the functions that Next uses. */
async function throughNext(
  request: IncomingMessage,
  response: ServerResponse,
  { address, params }: { address: string; params: Record<string, string> },
): Promise<void> {
  const routes = await routesAt(address);
  const handler = routes[(request.method === "HEAD" ? "GET" : request.method) as Method];
  const httpRequest = new NodeNextRequest(request);
  const nextRequest = NextRequestAdapter.fromNodeNextRequest(
    httpRequest,
    signalFromNodeResponse(response),
  );
  const answer = await handler?.(nextRequest, { params: Promise.resolve(params) });
  if (answer === undefined) response.destroy();
  else await sendResponse(httpRequest, new NodeNextResponse(response), answer);
}

/** Headers of the transfer and the connection; a body compressed while it's sent has no length. */
const OF_THE_WAY = /^(?:date|connection|keep-alive|transfer-encoding|content-length)$/;

async function ask(way: "front" | "next", path: string, init: RequestInit) {
  const { port } = server.address() as AddressInfo;
  const headers = new Headers(init.headers);
  headers.set("x-way", way);
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { ...init, headers });
  return {
    status: answer.status,
    headers: Object.fromEntries([...answer.headers].filter(([name]) => !OF_THE_WAY.test(name))),
    length: answer.headers.get("content-encoding") === null && answer.headers.get("content-length"),
    body: await answer.text(),
  };
}

async function expectSame(path: string, init: RequestInit = {}) {
  const front = await ask("front", path, init);
  expect(await ask("next", path, init)).toEqual(front);
  return front;
}

test("sends the request budget to administrators of the installation only", async ({ app }) => {
  const nowMs = app.clock.nowMs();
  app.runtime.snapshots.publish({
    company: "northgate",
    state: {
      version: 1,
      asOfMs: nowMs,
      lastAttemptMs: nowMs,
      reason: null,
      rhythmSeconds: 60,
      nextRefreshMs: nowMs + 60_000,
      apiClockOffsetMs: 0,
      databaseClockOffsetMs: null,
      totalPages: 1,
      rateLimit: null,
      budget: { used: 31, limit: 60 },
    },
    rows: [],
  });
  await app.addPerson("milo@example.com", "operator", [null]);
  const operator = createBrowser(app.runtime);
  await operator.signIn("milo@example.com");
  const said = async (path: string, browser: ReturnType<typeof createBrowser>) => {
    const { status, body } = await ask("front", path, {
      headers: { cookie: browser.cookieHeader() },
    });
    expect(status).toBe(200);
    return body;
  };
  const path = "/api/companies/northgate/sync-status";
  const budget = '"budget":{"used":31,"limit":60}';
  expect(await said(path, app.admin)).toContain(budget);
  expect(await said(path, operator)).toContain('"budget":null');
  expect(await said("/api/wall/companies/northgate/sync-status", screen)).toContain(
    '"budget":null',
  );
});

describe("the front and the route's file return the same response", () => {
  const withCookie = (cookie: string, more: Record<string, string> = {}) => ({
    headers: { cookie, "accept-encoding": "br", ...more },
  });

  test.for(["northgate", "nowhere"])(
    "for the board of %s, to a person",
    async (company, { app }) => {
      const path = `/api/companies/${company}/sync-status`;
      const cookie = app.admin.cookieHeader();
      const { status, headers } = await expectSame(path, withCookie(cookie));
      expect(status).toBe(company === "northgate" ? 200 : 404);
      await expectSame(path, withCookie(cookie, { "if-none-match": headers["etag"] ?? "*" }));
      await expectSame(path, { ...withCookie(cookie), method: "HEAD" });
      await expectSame(path);
    },
  );

  test.for([
    "/api/incidents?state=open",
    "/api/companies/northgate/incidents?state=open",
    "/api/companies/northgate/incidents?state=ended",
    "/api/companies/northgate/expectations?per_page=200",
    "/api/companies/northgate/expectations?state=over",
  ])("for %s, to a person", async (path, { app }) => {
    const cookie = app.admin.cookieHeader();
    const { status, headers } = await expectSame(path, withCookie(cookie));
    expect(status).toBe(200);
    await expectSame(path, withCookie(cookie, { "if-none-match": headers["etag"] ?? "none" }));
    expect((await expectSame(`${path}&page=0`, withCookie(cookie))).status).toBe(400);
    expect((await expectSame(path)).status).toBe(401);
  });

  test("for today, to a person", async ({ app }) => {
    const cookie = app.admin.cookieHeader();
    const { status, headers } = await expectSame("/api/today", withCookie(cookie));
    expect(status).toBe(200);
    const same = withCookie(cookie, { "if-none-match": headers["etag"] ?? "" });
    expect((await expectSame("/api/today", same)).status).toBe(304);
    await expectSame("/api/today", { ...withCookie(cookie), method: "HEAD" });
    expect((await expectSame("/api/today?verdict=odd", withCookie(cookie))).status).toBe(400);
    expect((await expectSame("/api/today")).status).toBe(401);
  });

  test.each(["/api/wall", "/api/wall/companies/northgate/sync-status"])(
    "for %s, to a display",
    async (path) => {
      const cookie = screen.cookieHeader();
      const { status } = await expectSame(path, withCookie(cookie));
      expect(status).toBe(200);
      await expectSame(path, { ...withCookie(cookie), method: "HEAD" });
      expect((await expectSame(path)).status).toBe(401);
    },
  );

  test("for the incidents of a wall", async () => {
    const path = "/api/wall/companies/northgate/incidents";
    expect((await expectSame(path, withCookie(screen.cookieHeader()))).status).toBe(200);
  });

  test.each(["/api/health/live", "/api/health/ready"])("for %s", async (path) => {
    expect((await expectSame(path)).status).toBe(200);
    await expectSame(path, { method: "HEAD" });
  });

  test.each([
    ["/s/none", 404],
    ["/api/pair", 200],
    ["/api/previews/none/card.png", 404],
    ["/api/auth/providers", 200],
    ["/api/auth/unknown", 404],
  ])("for %s, without a session", async (path, status) => {
    expect((await expectSame(path)).status).toBe(status);
    expect((await expectSame(path, { method: "HEAD" })).status).toBe(status);
  });

  test("for metrics, 404 to other clients", async () => {
    expect((await expectSame("/metrics")).status).toBe(404);
  });
});
