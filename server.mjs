import { onSignal } from "./lib/server/http/signals.mjs";
import { readFileSync } from "node:fs";
import { createServer, get, Server } from "node:http";
import path from "node:path";
import { format } from "node:util";
import compression from "compression";
import next from "next";
import { admit, createHostCheck, pathOf, plainAddress } from "./lib/server/http/admit.mjs";
import { limitBody } from "./lib/server/http/body-limit.mjs";
import { proxiedHostOf, trueHeaders } from "./lib/server/http/client-address.mjs";
import { limitConnections } from "./lib/server/http/connections.mjs";
import { commonHeaders } from "./lib/server/http/headers.mjs";
import { serializeRequests } from "./lib/server/http/serialize-requests.mjs";
import { isPreviewBot } from "./lib/server/http/preview/preview-bots.mjs";
import {
  explainFailure,
  isPage,
  sendNotFoundPage,
  sendStartingPage,
} from "./lib/server/http/pages.mjs";
import { refuse, refuseUnreadable } from "./lib/server/http/refuse.mjs";
import { completeHead, trimForRoute } from "./lib/server/http/routes/routed-headers.mjs";
import { isRouterState } from "./lib/server/http/router-state.mjs";
import { readStaticFiles } from "./lib/server/http/static-files.mjs";

// In front of Next: Next's handlers see a client's own X-Forwarded-* verbatim, keep slow headers for 90 s,
// take any body, adopt sockets and respond at addresses of Next's own. Everything that needs the socket
// happens here, hot addresses and files are served here, and Next gets only existing pages and routes.

const HEADER_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
/** A client that neither sends nor receives anything for this long is disconnected. */
const SILENT_SOCKET_MS = 120_000;
const DRAIN_MS = 6_000;
/** Time from the first signal to exit, even if something hangs: process managers often wait only 10 s. */
const STOP_MS = 9_500;

const dev = process.env.NODE_ENV === "development";
// Paths of the build, the migrations and PostgreSQL are relative to this folder, whatever the working directory was.
process.chdir(import.meta.dirname);
// We send no telemetry.
process.env.NEXT_TELEMETRY_DISABLED ??= "1";
/** What Next prints before the log exists. @type {string[]} */
const printed = [];
if (!dev)
  for (const name of /** @type {const} */ (["log", "info"])) {
    console[name] = (...words) => void printed.push(format(...words));
  }
/** @type {Promise<import("./lib/server/running").RuntimeHandle>} */
const started = new Promise((resolve) => {
  Reflect.set(globalThis, Symbol.for("plumbline.started"), resolve);
});
// Next handles upgrades of the server of its first request unless given another one: this one never listens.
const upgrades = new Server();
if (!dev) takeBuiltConfig();
const app = next({ dev, dir: import.meta.dirname, quiet: !dev, httpServer: upgrades });
await app.prepare();
// Next starts instrumentation.ts in prepare() without waiting for it.
const runtime = await started;
const { config, routes, log } = runtime;
for (const words of printed) log.info({ source: "console" }, words);

const render = app.getRequestHandler();
const compressStream = compression();
const answerStatic = await readStaticFiles(import.meta.dirname);
const appUrl = config.appUrl ?? `http://localhost:${config.port}`;
const headers = commonHeaders(appUrl, config.hstsSubdomains);
const closing = { ...headers, connection: "close" };
const [inTurns, closingInTurns] = [headers, closing].map((one) => Object.entries(one).flat());
const proxiedHost = proxiedHostOf(appUrl);
const whose = createHostCheck([new URL(appUrl).hostname, config.host, ...config.allowedHosts]);
let stopping = false;
let hasWarnedOfProxy = false;

const server = createServer(
  {
    headersTimeout: HEADER_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
    // `admit` checks it, and responds with our headers.
    requireHostHeader: false,
  },
  serializeRequests((request, response) => {
    const startedMs = performance.now();
    /** @type {string | null} */
    let address = null;
    response.once("close", () =>
      runtime.observeHttp(
        request.method ?? "",
        request.url ?? "",
        address,
        response.statusCode,
        performance.now() - startedMs,
      ),
    );
    const common = stopping ? closing : headers;
    const client = trueHeaders(request, config.trustProxy, proxiedHost);
    const note = (/** @type {"host_refused" | "method_refused"} */ event) =>
      runtime.recordEvent(event, client);
    if (!admit(request, response, whose, common, note)) return;
    warnOfProxy(client);
    const url = plainAddress(request.url ?? "/");
    request.url = url;
    const pathname = pathOf(url);
    const tooLarge = (/** @type {boolean} */ isBegun) =>
      runtime.tooLarge(pathname, client.address, isBegun);
    if (!limitBody(request, response, common, tooLarge)) return;

    const found = routes.find(pathname);
    address = found?.address ?? null;
    // Without headers set before, Node writes a flat list unchanged; merging headers took most of a response's time.
    const flat = (stopping ? closingInTurns : inTurns) ?? [];
    const isRead = request.method === "GET" || request.method === "HEAD";
    const isLiveness = address === "/api/health/live" && isRead;
    if (found !== null && (runtime.isReady() || isLiveness)) {
      routes.answer(request, response, found, flat, () => callRoute(request, response, common));
      return;
    }
    if (runtime.isReady() && /^\/api(?:\/|$)/.test(pathname)) {
      routes.refuse(request, response, flat);
      return;
    }
    for (const [name, value] of Object.entries(common)) response.setHeader(name, value);
    if (!runtime.isReady()) {
      if (isPage(pathname) || pathname.startsWith("/s/"))
        sendStartingPage(response, pathname, runtime.startingSentence());
      else refuse(response, 503, "unavailable", runtime.startingSentence(), { "retry-after": "1" });
    } else if (!dev && answerStatic(request, response, pathname)) {
      return;
    } else if (isPage(pathname)) {
      visitPage(request, response);
    } else if (dev && /^\/(?:_next\/(?!image)|__nextjs|[^/]*\.\w+$)/.test(pathname)) {
      renderPage(request, response);
    } else if (isPreviewBot(request.method, request.headers["user-agent"])) {
      // Same as for a page: no preview reveals which addresses exist.
      runtime.sendCard(request, response);
    } else {
      sendNotFoundPage(response);
    }
  }),
);
// Node would drop headers beyond its default limit, but `admit` has to check all.
server.maxHeadersCount = 0;
refuseUnreadable(server, headers);
server.setTimeout(SILENT_SOCKET_MS);
limitConnections(
  server,
  { isProxied: config.trustProxy > 0, takesUpgrades: dev },
  (limit, address) => runtime.recordEvent("connection_refused", { address }, { limit }),
);
// In development a page hydrates only after its socket is open.
if (dev) server.on("upgrade", (...args) => void upgrades.emit("upgrade", ...args));

server.once(
  "error",
  (error) =>
    void giveUp(
      `Plumbline can't listen on ${config.host}:${config.port}. ${runtime.problemOf(error)}`,
    ),
);

server.listen(config.port, config.host, () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  runtime.listening(port).then(renderFirstPage, (/** @type {unknown} */ error) => {
    // An error of a start that is being stopped is no problem.
    if (stopping) return;
    void giveUp(`Plumbline can't start: ${runtime.problemOf(error)}`);
  });
});

/**
 * Rendering the first page loads modules, which blocks all other requests meanwhile. Half of that is done in advance, by
 * the only page that needs no session.
 */
function renderFirstPage() {
  const address = server.address();
  if (dev || typeof address !== "object" || address === null) return;
  get({ host: address.address, port: address.port, path: "/signin", agent: false }, (response) =>
    response.resume(),
  ).on("error", () => {});
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
function visitPage(request, response) {
  if (request.method !== "GET" && request.method !== "HEAD" && !dev) {
    refuse(response, 405, "method_not_allowed", "Pages can only be read.", { allow: "GET, HEAD" });
  } else if (!isRouterState(request.headers["next-router-state-tree"]?.toString())) {
    refuse(response, 400, "invalid_request", "The router state isn't valid.");
  } else {
    runtime.visitPage(request, response, () => renderPage(request, response));
  }
}

/**
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 */
function renderPage(request, response) {
  // The types of `compression` are Express's; it only uses what Node's own objects have.
  compressStream(/** @type {any} */ (request), /** @type {any} */ (response), () => {
    // Also on what Next answers itself, such as a redirect of an address that ends with a slash.
    response.setHeader("cache-control", "private, no-store");
    explainFailure(response, pathOf(request.url ?? ""), () => runtime.isDatabaseAway());
    void render(request, response);
  });
}

/**
 * Lets Next call the handler of a `route.ts`.
 * @param {import("node:http").IncomingMessage} request
 * @param {import("node:http").ServerResponse} response
 * @param {Readonly<Record<string, string>>} common
 */
function callRoute(request, response, common) {
  compressStream(/** @type {any} */ (request), /** @type {any} */ (response), () => {
    trimForRoute(request);
    completeHead(response, common);
    // Routes respond to all their errors: this is an aborted export or a disconnected client.
    render(request, response).catch(() => void response.destroy());
  });
}

/** @param {ReturnType<typeof trueHeaders>} client */
function warnOfProxy({ address, proxyFault }) {
  if (proxyFault === null || hasWarnedOfProxy) return;
  hasWarnedOfProxy = true;
  const why =
    proxyFault === "unasked" ? "but TRUST_PROXY is 0" : "which doesn't send X-Forwarded-For";
  log.warn(
    { event: `forwarded_${proxyFault}`, address },
    `requests come through a proxy, ${why}: all its clients count as one`,
  );
}

/** The build contains its configuration: reading `next.config.ts` again would need a compiler. */
function takeBuiltConfig() {
  const file = path.join(import.meta.dirname, ".next/required-server-files.json");
  const { config: built } = JSON.parse(readFileSync(file, "utf8"));
  process.env["__NEXT_PRIVATE_STANDALONE_CONFIG"] = JSON.stringify(built);
}

/** @param {string} sentence why the process can't continue */
async function giveUp(sentence) {
  runtime.complain(sentence);
  setTimeout(() => process.exit(1), STOP_MS);
  await runtime.pause();
  await runtime.stop();
  process.exit(1);
}

/** Stops accepting requests, lets running ones complete, then releases everything else. A second signal is ignored. */
async function stop() {
  if (stopping) return;
  stopping = true;
  setTimeout(() => process.exit(0), STOP_MS);
  const closed = new Promise((resolve) => {
    server.close(resolve);
  });
  server.closeIdleConnections();
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  const pausing = runtime.pause();
  await Promise.race([
    closed,
    new Promise((resolve) => {
      setTimeout(resolve, DRAIN_MS);
    }),
  ]);
  clearInterval(idle);
  server.closeAllConnections();
  await pausing;
  await runtime.stop();
  process.exit(0);
}
onSignal(() => void stop());
