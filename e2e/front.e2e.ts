import { once } from "node:events";
import { request as send, type IncomingMessage } from "node:http";
import { connect } from "node:net";
import { expect, test, type Browser } from "@playwright/test";
import { beSignedIn, connectedTo, demoApp, policyViolations, startApp, type App } from "./app";
import {
  startMisbehavingUpstream,
  type MisbehavingUpstream,
} from "./upstream/misbehaving-upstream";
import { sampleRows } from "./upstream/sample-rows";

let upstream: MisbehavingUpstream;
let app: App;
test.beforeAll(async () => {
  upstream = await startMisbehavingUpstream({ rows: sampleRows(3, Date.now()) });
  app = await startApp({
    ...connectedTo(upstream),
    ALLOWED_HOSTS: "tv.example.com",
    WALL_FRAME_ORIGINS: "https://intranet.example",
  });
});
test.afterAll(async () => {
  await app.end();
  await upstream.close();
});

const port = () => Number(new URL(app.address).port);

/** Sends a request that no browser would; `undefined` when the socket closes without a response. */
async function ask(path: string, headers: Record<string, string> = {}, method = "GET") {
  const sent = send({ port: port(), host: "127.0.0.1", path, method, headers, agent: false });
  sent.end();
  const answered = once(sent, "response").catch(() => undefined);
  const [answer] = ((await answered) ?? []) as [IncomingMessage?];
  if (answer === undefined) return undefined;
  let body = "";
  for await (const chunk of answer) body += String(chunk);
  return { status: answer.statusCode, headers: answer.headers, body };
}

test("closes every socket that requests an upgrade", async () => {
  // The first page makes Next look for a server to attach to.
  expect((await ask("/signin"))?.status).toBe(200);
  const sockets = Array.from({ length: 100 }, (_, at) => {
    const socket = connect(port(), "127.0.0.1").on("error", () => {});
    socket.write(
      `GET ${at % 2 === 0 ? "/a/b/c" : "/northgate"} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: ${at % 3 === 0 ? "h2c" : "websocket"}\r\n\r\n`,
    );
    return once(socket.resume(), "close");
  });
  await Promise.all(sockets);
});

test("exposes none of the framework's own endpoints", async () => {
  for (const path of [
    "/_next/image?url=%2Ficon.svg&w=64&q=75",
    "/_next/image?url=%2Fapi%2Fpair%0A%7B%22level%22%3A%22error%22%7D&w=64&q=75",
    "/_next/data/x/main.json",
    "/_next/static/chunks/none.js",
    "/__nextjs_font/x.woff2",
    "/favicon.ico",
    "/a/b/c.js",
  ]) {
    expect([path, (await ask(path))?.status]).toEqual([path, 404]);
  }
  for (const path of ["/api", "/api/", "/api/none"]) {
    const answer = await ask(path);
    expect([path, answer?.status]).toEqual([path, 404]);
    expect(answer?.headers["content-type"]).toBe("application/json");
  }
  expect((await ask("/signin", {}, "POST"))?.status).toBe(405);
  expect((await ask("/signin", { "next-action": "x" }, "POST"))?.status).toBe(405);
  expect((await ask("/", {}, "TRACE"))?.status).toBe(405);
  expect((await ask("http://evil.example/", { host: "localhost" }))?.status).toBe(400);
  // Every line is well-formed: clients can't forge log lines.
  for (const line of app
    .output()
    .split("\n")
    .filter((text) => text.includes("/api/pair"))) {
    expect(() => JSON.parse(line)).not.toThrow();
  }
});

/** Sends a raw head, and reads until the socket closes or has responded. */
async function askRaw(head: string): Promise<string> {
  const socket = connect(port(), "127.0.0.1").on("error", () => {});
  socket.write(`${head}\r\n\r\n`);
  const [answer] = (await Promise.race([once(socket, "data"), once(socket, "close")])) as [unknown];
  socket.destroy();
  return String(answer);
}

test("answers a malformed request with our error format, at whichever layer it is refused", async () => {
  const state = { rsc: "1", "next-router-state-tree": "%7B" };
  for (const path of ["/signin", "/northgate", "/pair", "/wall"]) {
    expect([path, (await ask(path, state))?.status]).toEqual([path, 400]);
  }
  const many = Array.from({ length: 1000 }, (_, at) => `x-${at}: y`).join("\r\n");
  for (const [head, status] of [
    ["GET / HTTP/1.1\r\nHost: localhost\r\nHost: localhost", 400],
    ["GET / HTTP/1.1", 400],
    ["GET /api/health/live HTTP/1.1\r\nHost: localhost:99999", 400],
    ["GET /api/health/live HTTP/1.1\r\nHost: xn--.localhost", 400],
    ["GET / HTTP/1.1\r\nHost: evil.example", 421],
    [`GET / HTTP/1.1\r\nHost: localhost\r\n${many}`, 431],
    [`GET / HTTP/1.1\r\nHost: localhost\r\nX: ${"x".repeat(17_000)}`, 431],
    ["OPTIONS * HTTP/1.1\r\nHost: localhost", 400],
    ["hello", 400],
    ["POST /api/pair HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: gzip", 400],
    ["GET / HTTP/1.1\r\nHost: localhost\r\nExpect: tea", 417],
  ] as const) {
    const answer = await askRaw(head);
    expect([head.slice(0, 60), answer]).toEqual([
      head.slice(0, 60),
      expect.stringMatching(new RegExp(`^HTTP/1\\.1 ${status} [^]*nosniff[^]*"error":"[a-z_]+"`)),
    ]);
  }
});

test("redirects strangers to sign in, and from a wall to pairing", async () => {
  for (const [path, location] of [
    ["/", "/signin"],
    ["/main?verdict=late", "/signin?callbackUrl=%2Fmain%3Fverdict%3Dlate"],
    ["/wall", "/pair"],
  ]) {
    for (const headers of [{}, { rsc: "1" }, { cookie: "next-auth.session-token=forged" }]) {
      const answer = await ask(path ?? "", headers);
      expect([answer?.status, answer?.headers.location, answer?.body]).toEqual([307, location, ""]);
    }
  }
});

/** A `Cookie` header of the administrator. */
async function cookieOf(browser: Browser): Promise<string> {
  const page = await browser.newPage();
  await beSignedIn(page, app);
  const cookies = await page.context().cookies();
  await page.close();
  return cookies.map(({ name, value }) => `${name}=${value}`).join("; ");
}

test("allows no cache to keep a page, nor what the framework answers in its place", async ({
  browser,
}) => {
  const cookie = await cookieOf(browser);
  for (const [path, status] of [
    ["/main", 200],
    ["/main/", 308],
    ["/metrics/", 308],
    ["/main/none", 404],
    ["/signin", 307],
  ] as const) {
    const answer = await ask(path, { cookie });
    expect([path, answer?.status, answer?.headers["cache-control"]]).toEqual([
      path,
      status,
      "private, no-store",
    ]);
  }
});

test("responds only to our own host names, and refuses a foreign one with a valid cookie", async ({
  browser,
}) => {
  for (const host of ["localhost", "127.0.0.1:1", "[::1]", "192.168.7.7", "tv.example.com"]) {
    expect([host, (await ask("/signin", { host }))?.status]).toEqual([host, 200]);
  }
  const cookie = await cookieOf(browser);
  const foreign = { host: "evil.example", origin: "http://evil.example", cookie };
  for (const path of ["/", "/api/companies", "/api/v3/sync_status", "/metrics", "/icon.svg"]) {
    expect([path, (await ask(path, foreign))?.status]).toEqual([path, 421]);
  }
  expect((await ask("/", {}, "PROPFIND"))?.status).toBe(405);
  await expect.poll(() => app.output()).toMatch(/"event":"host_refused".*"address":"127.0.0.1"/);
  await expect.poll(() => app.output()).toContain('"event":"method_refused"');
  const other = { cookie, "content-type": "application/json" };
  for (const origin of ["http://tv.example.com", `https://localhost:${port()}`, "null"]) {
    const answer = await ask("/api/displays", { ...other, origin }, "POST");
    expect([origin, answer?.status]).toEqual([origin, 403]);
  }
  const own = { ...other, host: "tv.example.com", origin: "http://tv.example.com" };
  expect((await ask("/api/displays", own, "POST"))?.status).toBe(400);
});

test("warns of an unconfigured proxy once, and hides the metrics from it", async () => {
  expect((await ask("/metrics"))?.status).toBe(200);
  for (const name of ["x-forwarded-for", "forwarded", "x-real-ip"]) {
    expect((await ask("/metrics", { [name]: "127.0.0.1" }))?.status).toBe(404);
  }
  await expect.poll(() => app.output().split("forwarded_unasked").length - 1).toBe(1);
});

test("sends the security headers with every response", async () => {
  for (const path of [
    "/signin",
    "/",
    "/api/companies",
    "/api/v3/x",
    "/icon.svg",
    "/a/b/c",
    "/wall.css",
    "/wall-sw.js",
    "/api/health/live",
    "/api/health/ready",
    "/metrics",
    "/pair/step",
    "/s/none",
    "/api/auth/csrf",
  ]) {
    const headers = (await ask(path))?.headers ?? {};
    expect([path, headers]).toEqual([
      path,
      expect.objectContaining({
        "x-content-type-options": "nosniff",
        "content-security-policy": expect.stringMatching(/^default-src .*; base-uri 'none'; /),
        "referrer-policy": "same-origin",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": expect.stringContaining("camera=()"),
      }),
    ]);
    expect(headers["x-powered-by"]).toBeUndefined();
  }
});

test("allows framing only of the wall, and only where configured", async ({ page }) => {
  for (const [one, company, wallMayBeIn] of [
    [demoApp(), "northgate", "frame-ancestors 'self'"],
    [app, "main", "frame-ancestors 'self' https://intranet.example"],
  ] as const) {
    await beSignedIn(page, one);
    const headersOf = async (path: string) =>
      (await page.request.get(`${one.address}${path}`, { maxRedirects: 0 })).headers();
    for (const path of ["/wall", "/wall/plain", `/${company}/wall`]) {
      const { "content-security-policy": policy, "x-frame-options": options } =
        await headersOf(path);
      expect(policy?.split("; ")).toContain(wallMayBeIn);
      expect(options).toBeUndefined();
    }
    for (const path of ["/pair", "/settings/displays", `/${company}`, "/signin"]) {
      const { "content-security-policy": policy, "x-frame-options": options } =
        await headersOf(path);
      expect(policy?.split("; ")).toContain("frame-ancestors 'none'");
      expect(options).toBe("DENY");
    }
    await page.context().clearCookies();
  }
});

test("blocks style elements in HTML, and reports them on every page", async ({ page }) => {
  await page.goto(`${app.address}/signin`);
  expect(await policyViolations(page)).toEqual([]);
  await page.evaluate(() => document.body.insertAdjacentHTML("beforeend", "<style>i {}</style>"));
  await expect.poll(() => policyViolations(page)).toEqual([expect.stringContaining("style-src")]);
});
