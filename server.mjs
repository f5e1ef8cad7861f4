import { createServer } from "node:http";
import compression from "compression";
import next from "next";
import { limitBody } from "./lib/server/http/body-limit.mjs";
import { trueHeaders } from "./lib/server/http/client-address.mjs";
import { createCompressOnce } from "./lib/server/http/compress-once.mjs";

// In front of Next: Next's handlers see a client's own X-Forwarded-* verbatim, keep slow headers for
// 90 s and take any body. Everything that needs the socket happens here; everything else behind it.

const HEADER_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const DRAIN_MS = 8_000;

const dev = process.env.NODE_ENV === "development";
/** @type {Promise<import("./lib/server/runtime").RuntimeHandle>} */
const started = new Promise((resolve) => {
  Reflect.set(globalThis, Symbol.for("plumbline.started"), resolve);
});
const app = next({ dev, dir: import.meta.dirname, quiet: !dev });
await app.prepare();
// Next begins instrumentation.ts in prepare() and does not wait for it.
const runtime = await started;

const handle = app.getRequestHandler();
const compressStream = compression();
const compressOnce = createCompressOnce({ maxBytes: 32 * 1024 * 1024 });
let stopping = false;

const server = createServer(
  {
    headersTimeout: HEADER_TIMEOUT_MS,
    requestTimeout: REQUEST_TIMEOUT_MS,
    connectionsCheckingInterval: 1000,
    keepAliveTimeout: 65_000,
    maxHeaderSize: 16 * 1024,
  },
  (request, response) => {
    trueHeaders(request, runtime.config.trustProxy);
    const startedMs = performance.now();
    response.once("close", () =>
      runtime.observeHttp(
        request.method ?? "",
        request.url ?? "",
        response.statusCode,
        performance.now() - startedMs,
      ),
    );
    if (stopping) response.setHeader("connection", "close");
    if (!limitBody(request, response)) return;
    // The types of `compression` are Express's; it only uses what Node's own objects have.
    compressStream(/** @type {any} */ (request), /** @type {any} */ (response), () => {
      compressOnce(request, response);
      void handle(request, response);
    });
  },
);
if (dev) server.on("upgrade", (...args) => void app.getUpgradeHandler()(...args));

server.once("error", (error) => void giveUp(error));

server.listen(runtime.config.port, runtime.config.host, () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  void runtime.listening(port);
});

/** @param {Error} error why we cannot listen */
async function giveUp(error) {
  process.stderr.write(`Plumbline cannot listen: ${error.message}\n`);
  await runtime.stop();
  process.exit(1);
}

/** Stops accepting, lets what is under way end, then lets go of everything else; a second signal is ignored. */
async function stop() {
  if (stopping) return;
  stopping = true;
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
process.on("SIGTERM", () => void stop());
process.on("SIGINT", () => void stop());
