// The minimal HTTP server: bare `node:http` with a prepared body. Baseline for Plumbline's hot addresses.
import { createServer } from "node:http";

/** @type {{ body: Buffer, headers: Record<string, string> }} */
let ready = { body: Buffer.alloc(0), headers: {} };

const server = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
  if (request.method === "PUT") {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      ready = {
        body,
        headers: {
          "content-type": "application/json; charset=utf-8",
          "content-encoding": String(request.headers["x-encoding"] ?? "identity"),
          "content-length": String(body.length),
          etag: '"ready"',
        },
      };
      response.end();
    });
  } else if (request.headers["if-none-match"] === '"ready"') {
    response.writeHead(304, { etag: '"ready"' });
    response.end();
  } else {
    response.writeHead(200, ready.headers);
    response.end(ready.body);
  }
});
server.listen(0, "127.0.0.1", () => {
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  process.stdout.write(`address: http://127.0.0.1:${port}\n`);
});
process.once("SIGTERM", () => process.exit(0));
