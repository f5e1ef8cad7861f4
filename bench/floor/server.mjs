// The minimal server for a Next app: baseline for Plumbline's own server.
import { createServer } from "node:http";
import compression from "compression";
import next from "next";

const app = next({ dev: false, dir: import.meta.dirname, quiet: true });
await app.prepare();
const handle = app.getRequestHandler();
const compress = compression();

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  // Handlers aren't compressed, because compression is part of what they are compared with.
  if (request.url?.startsWith("/api/")) return void handle(request, response);
  // The types of `compression` are for Express, but it only uses Node's own objects.
  compress(/** @type {any} */ (request), /** @type {any} */ (response), () => {
    void handle(request, response);
  });
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`address: http://127.0.0.1:${port}\n`);
});
process.once("SIGTERM", () => process.exit(0));
