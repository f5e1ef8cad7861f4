import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect } from "node:net";
import type { AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { MAX_BODY_BYTES, limitBody } from "./body-limit.mjs";
import { bestEncoding, createCompressOnce } from "./compress-once.mjs";
import { handOver, takingInto } from "./ready-body.mjs";

let server: Server | undefined;
afterEach(() => server?.close());

async function listen(handler: Parameters<typeof createServer>[1]): Promise<number> {
  server = createServer(handler);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function get(port: number, headers: Record<string, string>, path = "/") {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    send({ port, host: "127.0.0.1", path, headers }, resolve).once("error", reject).end();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { headers: response.headers, body: Buffer.concat(chunks) };
}

const BODY = JSON.stringify({ rows: Array.from({ length: 200 }, (_, index) => ({ index })) });

test("an answer with an ETag is compressed in each encoding and reads back the same", async () => {
  const compressOnce = createCompressOnce({ maxBytes: 1_000_000 });
  const port = await listen((request, response) => {
    compressOnce(request, response, { body: null });
    response.setHeader("content-type", "application/json");
    response.setHeader("etag", 'W/"1"');
    response.flushHeaders();
    response.write(BODY.slice(0, 100));
    response.end(BODY.slice(100));
  });
  const br = await get(port, { "accept-encoding": "gzip, br" });
  expect(br.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(br.body).toString()).toBe(BODY);
  const gzip = await get(port, { "accept-encoding": "br;q=0, gzip" });
  expect(gunzipSync(gzip.body).toString()).toBe(BODY);
  expect(gzip.headers.vary).toContain("accept-encoding");
  const plain = await get(port, {});
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(plain.body.toString()).toBe(BODY);
});

test("a changed ETag is never answered with the compressed bytes of the one before", async () => {
  const compressOnce = createCompressOnce({ maxBytes: 1_000_000 });
  let version = 0;
  const port = await listen((request, response) => {
    compressOnce(request, response, { body: null });
    version += 1;
    response.setHeader("content-type", "application/json");
    response.setHeader("etag", `W/"${version}"`);
    response.end(JSON.stringify({ version }));
  });
  for (const expected of [1, 2, 3]) {
    const answer = await get(port, { "accept-encoding": "br" });
    expect(JSON.parse(brotliDecompressSync(answer.body).toString())).toEqual({ version: expected });
  }
});

test("answers without an ETag pass untouched", async () => {
  const compressOnce = createCompressOnce({ maxBytes: 1_000_000 });
  const port = await listen((request, response) => {
    compressOnce(request, response, { body: null });
    response.setHeader("content-type", "application/json");
    response.end(BODY);
  });
  const answer = await get(port, { "accept-encoding": "br" });
  expect(answer.headers["content-encoding"]).toBeUndefined();
  expect(answer.body.toString()).toBe(BODY);
});

test("a body that was handed over is sent in every encoding, and only with the answer it belongs to", async () => {
  const compressOnce = createCompressOnce({ maxBytes: 1_000_000 });
  const handler = async (status: number, response: ServerResponse) => {
    // Handlers begin later than the server does, as Next's do.
    await new Promise(setImmediate);
    expect(handOver(Buffer.from(BODY))).toBe(true);
    response.statusCode = status;
    response.setHeader("content-type", "application/json");
    response.setHeader("etag", 'W/"1"');
    response.end();
  };
  const port = await listen((request, response) => {
    const slot = { body: null };
    compressOnce(request, response, slot);
    takingInto(slot, () => void handler(request.url === "/fails" ? 500 : 200, response));
  });
  const br = await get(port, { "accept-encoding": "br" });
  expect(brotliDecompressSync(br.body).toString()).toBe(BODY);
  const plain = await get(port, {});
  expect(plain.headers["content-encoding"]).toBeUndefined();
  expect(plain.headers["content-length"]).toBe(String(BODY.length));
  expect(plain.body.toString()).toBe(BODY);
  expect((await get(port, { "accept-encoding": "br" }, "/fails")).body.length).toBe(0);
  expect(handOver(Buffer.from(BODY))).toBe(false);
});

test.each([
  ["br", "br"],
  ["gzip;q=1.0, br;q=0", "gzip"],
  ["deflate", null],
  ["", null],
])("Accept-Encoding %s is served as %s", (header, encoding) => {
  expect(bestEncoding(header)).toBe(encoding);
});

/** Sends raw bytes and collects what comes back until the other side closes. */
async function raw(port: number, write: (socket: ReturnType<typeof connect>) => void) {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => {});
  write(socket);
  let answer = "";
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

test.each(["declared", "streamed"])("a %s body over 64 KB is answered 413", async (kind) => {
  let whole = 0;
  const port = await listen((request, response) => {
    if (!limitBody(request, response)) return;
    request.on("data", () => {});
    request.on("end", () => {
      whole += 1;
      response.end("taken");
    });
  });
  const size = MAX_BODY_BYTES + 1;
  const answer = await raw(port, (socket) => {
    const head = "POST / HTTP/1.1\r\nHost: x\r\n";
    if (kind === "declared") socket.write(`${head}Content-Length: ${size}\r\n\r\n`);
    else {
      socket.write(`${head}Transfer-Encoding: chunked\r\n\r\n${size.toString(16)}\r\n`);
      socket.write(Buffer.alloc(size, 97));
    }
  });
  expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  expect(answer).toContain('"payload_too_large"');
  expect(whole).toBe(0);
});

test("a body of exactly 64 KB is taken", async () => {
  const port = await listen((request, response) => {
    if (!limitBody(request, response)) return;
    request.on("data", () => {});
    request.on("end", () => response.end("taken"));
  });
  const answer = await raw(port, (socket) => {
    socket.write(
      `POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${MAX_BODY_BYTES}\r\n\r\n`,
    );
    socket.write(Buffer.alloc(MAX_BODY_BYTES, 97));
  });
  expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});
