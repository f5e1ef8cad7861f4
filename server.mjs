import { createServer } from "node:http";
import path from "node:path";
import compression from "compression";
import next from "next";
import { limitBody } from "./lib/server/http/body-limit.mjs";
import { trueHeaders } from "./lib/server/http/client-address.mjs";
import { createCompressOnce } from "./lib/server/http/compress-once.mjs";
import { plainAddress, refuseOddMethod } from "./lib/server/http/odd-request.mjs";
import { takingInto } from "./lib/server/http/ready-body.mjs";
import { readStaticFiles } from "./lib/server/http/static-files.mjs";

// In front of Next: Next's handlers see a client's own X-Forwarded-* verbatim, keep slow headers for
// 90 s and take any body. Everything that needs the socket happens here; everything else behind it.

const HEADER_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 30_000;
const DRAIN_MS = 6_000;
/** From the first signal to the end, whatever still hangs: who stops us waits for no more than 10 s. */
const STOP_MS = 9_500;

const dev = process.env.NODE_ENV === "development";
// Nothing of ours is told to anybody unasked.
process.env.NEXT_TELEMETRY_DISABLED ??= "1";
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
const answerStatic = await readStaticFiles(path.join(import.meta.dirname, ".next"));
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
    request.url = plainAddress(request.url ?? "/");
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
    if (!refuseOddMethod(request, response) || !limitBody(request, response)) return;
    if (!dev && answerStatic(request, response)) return;
    // The types of `compression` are Express's; it only uses what Node's own objects have.
    compressStream(/** @type {any} */ (request), /** @type {any} */ (response), () => {
      const slot = { body: null };
      compressOnce(request, response, slot);
      takingInto(slot, () => void handle(request, response));
    });
  },
);
if (dev) server.on("upgrade", (...args) => void app.getUpgradeHandler()(...args));

server.once("error", (error) => void giveUp(`Plumbline cannot listen: ${error.message}`));

server.listen(runtime.config.port, runtime.config.host, () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  runtime.listening(port).catch((/** @type {unknown} */ error) => {
    void giveUp(
      `Plumbline cannot start: ${error instanceof Error ? error.message : String(error)}`,
    );
  });
});

/** @param {string} sentence why we cannot go on */
async function giveUp(sentence) {
  process.stderr.write(`${sentence}\n`);
  setTimeout(() => process.exit(1), STOP_MS);
  await runtime.pause();
  await runtime.stop();
  process.exit(1);
}

/** Stops accepting, lets what is under way end, then lets go of everything else; a second signal is ignored. */
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
process.on("SIGTERM", () => void stop());
process.on("SIGINT", () => void stop());
