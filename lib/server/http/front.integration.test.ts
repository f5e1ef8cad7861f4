import { EventEmitter } from "node:events";
import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import { connect, type AddressInfo } from "node:net";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { MAX_BODY_BYTES, limitBody } from "./body-limit.mjs";
import { limitConnections } from "./connections.mjs";
import { bestEncoding } from "./encoding.mjs";
import { serializeRequests } from "./serialize-requests.mjs";
import { refuseUnreadable } from "./refuse.mjs";
import { respondWithReadyJson, readyJson } from "./ready-json";
import { sendResponse } from "./send-response";
import type { HandlerResponse } from "./handler-response";

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

describe("a handler's response", () => {
  const serve = (answer: () => HandlerResponse) =>
    listen(
      (request, response) => void sendResponse(request, response, answer(), ["x-common", "1"]),
    );
  const ready = readyJson(BODY, "private, no-cache");

  test("is sent in each encoding and decodes to the same", async () => {
    const port = await serve(() => respondWithReadyJson(ready, null));
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

  test("overrides the common headers, and keeps its own repeated ones", async () => {
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

  test("is compressed once for all readers, and again when it has changed", async () => {
    let now = ready;
    const port = await serve(() => respondWithReadyJson(now, null));
    const ask = async () => (await get(port, { "accept-encoding": "br" })).body;
    const [first, second] = await Promise.all([ask(), ask()]);
    expect(second).toEqual(first);
    now = readyJson(BODY.replaceAll("index", "place"), "private, no-cache");
    expect(brotliDecompressSync(await ask()).toString()).toContain("place");
  });

  test("is a 304 without a body when unchanged", async () => {
    const port = await serve(() => respondWithReadyJson(ready, ready.etag));
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
])("for Accept-Encoding %s is served as %s", (header, encoding) => {
  expect(bestEncoding(header)).toBe(encoding);
});

/** Sends raw bytes and collects the response until the other side closes. */
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

test.each(["declared", "streamed"])("answers a %s body over 64 KB with 413", async (kind) => {
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

test("accepts a body of exactly 64 KB", async () => {
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
])("closes a socket that requests an upgrade: %j", async (words) => {
  const port = await listen((_request, response) => response.end("answered"));
  limitConnections(server as Server, { isProxied: false, takesUpgrades: false }, () => {});
  expect(await raw(port, (socket) => socket.write(words))).toBe("");
});

test("limits the sockets of one address, and admits a new one when one closes", async () => {
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
  // The server may see the close after the new connection.
  while (!next.answered) next = await open();
  await gone;
  for (const { socket } of [...held, next]) socket.destroy();
});

test("counts addresses of one /64 together", () => {
  const listener = new EventEmitter();
  const refused: string[][] = [];
  limitConnections(
    listener as Server,
    { isProxied: false, takesUpgrades: false, mostOfOne: 2 },
    (...which) => refused.push(which),
  );
  const connected = [
    "2001:db8:0:1::1",
    "2001:db8:0:1:ffff::2",
    "2001:db8:0:1::3",
    "2001:db8:0:2::1",
  ]
    .map((remoteAddress) => {
      const socket = Object.assign(new EventEmitter(), { remoteAddress, isEnded: false });
      const destroy = () => (socket.isEnded = true);
      listener.emit("connection", Object.assign(socket, { destroy }));
      return socket;
    })
    .map(({ isEnded }) => !isEnded);
  expect(connected).toEqual([true, true, false, true]);
  expect(refused).toEqual([["connections_per_address", "2001:db8:0:1::/64"]]);
});

describe("pipelined requests on one socket", () => {
  const ask = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;

  test("are handled one after the other, and answered in order", async () => {
    const begun: string[] = [];
    const open: ServerResponse[] = [];
    const port = await listen(
      serializeRequests((request, response) => {
        begun.push(request.url ?? "");
        open.push(response);
      }),
    );
    const answered = raw(port, (socket) =>
      socket.write(ask("/1") + ask("/2") + ask("/3", "Connection: close\r\n")),
    );
    for (const at of [0, 1, 2]) {
      await expect.poll(() => open.length).toBe(at + 1);
      expect(begun).toEqual(["/1", "/2", "/3"].slice(0, at + 1));
      open[at]?.end(`answer ${at + 1}`);
    }
    expect((await answered).match(/answer \d/g)).toEqual(["answer 1", "answer 2", "answer 3"]);
  });

  test("let other sockets' requests in between", async () => {
    const begun: string[] = [];
    const port = await listen(
      serializeRequests((request, response) => {
        begun.push(request.url ?? "");
        // The other request is read in the event loop's next turn.
        if (request.url === "/1") other.write(ask("/other", "Connection: close\r\n"));
        response.end();
      }),
    );
    const other = connect(port, "127.0.0.1");
    await new Promise((resolve) => {
      other.once("connect", resolve);
    });
    const many = Array.from({ length: 400 }, (_, at) => ask(`/${at + 1}`));
    await raw(port, (socket) =>
      socket.write(many.join("") + ask("/last", "Connection: close\r\n")),
    );
    other.destroy();
    expect(begun.at(-1)).toBe("/last");
    expect(begun.indexOf("/other")).toBeLessThan(100);
  });

  test("close the socket when there are more than any client sends", async () => {
    let begun = 0;
    const port = await listen(serializeRequests(() => (begun += 1)));
    await raw(port, (socket) => socket.write(ask("/").repeat(1_000)));
    expect(begun).toBe(1);
  });

  test("are discarded with their socket", async () => {
    const begun: string[] = [];
    const closed: Promise<void>[] = [];
    const port = await listen(
      serializeRequests((request, response) => {
        begun.push(request.url ?? "");
        closed.push(new Promise((resolve) => void response.once("close", () => resolve())));
        request.socket.destroy();
      }),
    );
    await raw(port, (socket) => socket.write(ask("/1") + ask("/2")));
    await Promise.all(closed);
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
    expect(begun).toEqual(["/1"]);
  });
});

describe("an invalid request", () => {
  const common = { "x-common": "1" };

  test.each([
    ["words", "hello\r\n\r\n", 400],
    ["headers of 17 kB", `GET / HTTP/1.1\r\nHost: x\r\nA: ${"a".repeat(17_000)}\r\n\r\n`, 431],
    [
      "two lengths",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\na",
      400,
    ],
    [
      "a length and chunks",
      "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      400,
    ],
    [
      "chunks that aren't last",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked, gzip\r\n\r\n",
      400,
    ],
    [
      "a chunk without a length",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      400,
    ],
    [
      "a header folded into two lines",
      "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\nB : c\r\n\r\n",
      400,
    ],
    ["the beginning of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["an expectation that we don't know", "GET / HTTP/1.1\r\nHost: x\r\nExpect: tea\r\n\r\n", 417],
  ])("%s gets an error of ours, with the common headers", async (_, words, status) => {
    const port = await listen(serializeRequests((request) => void request.resume()));
    refuseUnreadable(server as Server, common);
    const answer = await raw(port, (socket) => socket.write(words));
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain("x-common: 1\r\n");
    expect(answer.toLowerCase()).toContain("connection: close\r\n");
    const [, body = ""] = answer.split("\r\n\r\n");
    expect(JSON.parse(body)).toEqual({
      error: expect.stringMatching(/^[a-z_]+$/),
      error_description: expect.stringMatching(/\.$/),
    });
  });

  test("closes the socket without a second response once one has started", async () => {
    const port = await listen(
      serializeRequests((_request, response) => {
        response.write("begun");
      }),
    );
    refuseUnreadable(server as Server, common);
    const answer = await raw(port, (socket) => {
      socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      socket.once("data", () => socket.write("hello\r\n\r\n"));
    });
    expect(answer).toContain("begun");
    expect(answer).not.toContain("x-common");
  });
});

describe("a streamed response", () => {
  const LINE = `${"x".repeat(9_999)}\n`;
  const serve = (pieces: () => AsyncGenerator<string, void, void>) =>
    listen((request, response) => {
      const answer = { status: 200, headers: { "content-type": "text/csv" }, pieces: pieces() };
      sendResponse(request, response, answer, [])?.catch(() => response.destroy());
    });
  async function* lines(count: number) {
    for (let at = 0; at < count; at += 1) yield LINE;
  }

  test("decodes to the same in each encoding", async () => {
    const port = await serve(() => lines(50));
    const all = LINE.repeat(50);
    const br = await get(port, { "accept-encoding": "br" });
    expect(br.headers["content-encoding"]).toBe("br");
    expect(brotliDecompressSync(br.body).toString()).toBe(all);
    expect(gunzipSync((await get(port, { "accept-encoding": "gzip" })).body).toString()).toBe(all);
    const plain = await get(port, {});
    expect(plain.headers).toMatchObject({ "content-type": "text/csv", vary: "Accept-Encoding" });
    expect(plain.body.toString()).toBe(all);
  });

  test("is generated no faster than it is read, and stops once its reader disconnects", async () => {
    let made = 0;
    let isOver = false;
    const port = await serve(async function* () {
      try {
        for (;;) {
          made += 1;
          yield LINE;
          await new Promise(setImmediate);
        }
      } finally {
        isOver = true;
      }
    });
    const socket = connect(port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
    socket.once("data", () => socket.pause());
    // Until the buffers in between are full.
    let before = -1;
    const progress = () => made;
    const hasEnded = () => isOver;
    while (progress() === 0 || progress() !== before) {
      before = progress();
      for (let turn = 0; turn < 200; turn += 1) await new Promise(setImmediate);
    }
    socket.destroy();
    while (!hasEnded()) await new Promise(setImmediate);
    expect(made - before).toBeLessThan(3);
  });

  test("is aborted when generating it fails", async () => {
    const port = await serve(async function* () {
      yield LINE;
      throw new Error("broken");
    });
    // Whether some of it was sent by then doesn't matter to a client that waits for its end.
    const broken = /aborted|socket hang up/;
    await expect(get(port, {})).rejects.toThrow(broken);
    await expect(get(port, { "accept-encoding": "gzip" })).rejects.toThrow(broken);
  });

  test("isn't generated for HEAD", async () => {
    let made = 0;
    const port = await serve(async function* () {
      made += 1;
      yield LINE;
    });
    const answer = await get(port, {}, "/", "HEAD");
    expect(answer.status).toBe(200);
    expect(made).toBe(0);
  });
});
