import { createServer, request as send, type IncomingMessage, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { MAX_BODY_BYTES, limitBody } from "./body-limit.mjs";
import { limitConnections } from "./connections.mjs";
import { bestEncoding } from "./encoding.mjs";
import { answerReady, readyJson } from "./ready-json";
import { sendAnswer } from "./send-answer";
import type { Answer } from "./answer";

let server: Server | undefined;
afterEach(() => server?.close());

async function listen(handler: Parameters<typeof createServer>[1]): Promise<number> {
  server = createServer(handler);
  await new Promise<void>((resolve) => server?.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

async function get(port: number, headers: Record<string, string>, path = "/", method = "GET") {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    send({ port, host: "127.0.0.1", path, headers, method }, resolve).once("error", reject).end();
  });
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

const BODY = JSON.stringify({ rows: Array.from({ length: 200 }, (_, index) => ({ index })) });

describe("an answer of a handler", () => {
  const serve = (answer: () => Answer) =>
    listen((request, response) => void sendAnswer(request, response, answer(), ["x-common", "1"]));
  const ready = readyJson(BODY, "private, no-cache");

  test("is sent in each encoding and reads back the same", async () => {
    const port = await serve(() => answerReady(ready, null));
    const br = await get(port, { "accept-encoding": "gzip, br" });
    expect(br.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(br.body).toString()).toBe(BODY);
    const gzip = await get(port, { "accept-encoding": "br;q=0, gzip" });
    expect(gunzipSync(gzip.body).toString()).toBe(BODY);
    expect(gzip.headers).toMatchObject({
      vary: "Cookie, Accept-Encoding",
      etag: ready.etag,
      "cache-control": "private, no-cache",
      "content-length": String(gzip.body.length),
      "x-common": "1",
    });
    const plain = await get(port, {});
    expect(plain.headers["content-encoding"]).toBeUndefined();
    expect(plain.body.toString()).toBe(BODY);
  });

  test("overrules what every answer says, and keeps what it says twice itself", async () => {
    const port = await serve(() => {
      const answer = new Response("x", { headers: { "x-common": "2" } });
      answer.headers.append("set-cookie", "a=1");
      answer.headers.append("set-cookie", "b=2");
      return answer;
    });
    const { headers } = await get(port, {});
    expect(headers["x-common"]).toBe("2");
    expect(headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  });

  test("is compressed once for all who ask, and anew when it has changed", async () => {
    let now = ready;
    const port = await serve(() => answerReady(now, null));
    const ask = async () => (await get(port, { "accept-encoding": "br" })).body;
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(second).toEqual(first);
    now = readyJson(BODY.replaceAll("index", "place"), "private, no-cache");
    expect(brotliDecompressSync(await ask()).toString()).toContain("place");
  });

  test("that has not changed is a 304 without a body", async () => {
    const port = await serve(() => answerReady(ready, ready.etag));
    const answer = await get(port, { "accept-encoding": "br" });
    expect(answer.status).toBe(304);
    expect(answer.headers["content-length"]).toBeUndefined();
    expect(answer.headers["content-encoding"]).toBeUndefined();
  });

  test("keeps every cookie that it sets", async () => {
    const port = await serve(() => {
      const response = Response.json({});
      response.headers.append("Set-Cookie", "a=1");
      response.headers.append("Set-Cookie", "b=2");
      return response;
    });
    expect((await get(port, {})).headers["set-cookie"]).toEqual(["a=1", "b=2"]);
  });

  test("has its length but no body for HEAD", async () => {
    const port = await serve(() => ({ status: 200, headers: {}, body: "twelve bytes" }));
    const { headers, body } = await get(port, {}, "/", "HEAD");
    expect([headers["content-length"], body.length]).toEqual(["12", 0]);
  });
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

const refusal = (isBegun: boolean) => ({
  error: "payload_too_large",
  headers: { "x-begun": String(isBegun) },
});

test.each(["declared", "streamed"])("a %s body over 64 KB is answered 413", async (kind) => {
  let whole = 0;
  const port = await listen((request, response) => {
    if (!limitBody(request, response, {}, refusal)) return;
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
  expect(answer).toContain(`x-begun: ${kind === "streamed"}\r\n`);
  expect(whole).toBe(0);
});

test("a body of exactly 64 KB is taken", async () => {
  const port = await listen((request, response) => {
    if (!limitBody(request, response, {}, refusal)) return;
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

test.each([
  "GET /a/b/c HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
  "CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n",
])("a socket that wants to be something else is ended: %j", async (words) => {
  const port = await listen((_request, response) => response.end("answered"));
  limitConnections(server as Server, { isProxied: false, takesUpgrades: false }, () => {});
  expect(await raw(port, (socket) => socket.write(words))).toBe("");
});

test("one address holds no more than its share of sockets, and a new one gets in when it lets go", async () => {
  const port = await listen((_request, response) => response.end("answered"));
  const refused: string[][] = [];
  limitConnections(
    server as Server,
    { isProxied: false, takesUpgrades: false, mostOfOne: 3 },
    (...which) => refused.push(which),
  );
  const open = async () => {
    const socket = connect(port, "127.0.0.1").on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
    const answered = await new Promise<boolean>((resolve) => {
      socket.once("data", () => resolve(true)).once("close", () => resolve(false));
    });
    return { socket, answered };
  };
  const held = [await open(), await open(), await open()];
  expect(held.map(({ answered }) => answered)).toEqual([true, true, true]);
  expect((await open()).answered).toBe(false);
  expect(refused).toEqual([["connections_per_address", "127.0.0.1"]]);
  const gone = new Promise((resolve) => {
    (server as Server).once("connection", resolve);
  });
  held[0]?.socket.destroy();
  let next = await open();
  // The server may hear of the end a moment later than of the new beginning.
  while (!next.answered) next = await open();
  await gone;
  for (const { socket } of [...held, next]) socket.destroy();
});
