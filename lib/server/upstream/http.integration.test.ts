import { setImmediate as nextTurn } from "node:timers/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createManualClock } from "@/lib/server/manual-clock";
import { createHttp, HTTP_LIMITS } from "./http";

let server: Server;
let url: URL;
let connections: number;
let requests: string[];
let ending: AbortController;
beforeEach(async () => {
  [connections, requests] = [0, []];
  ending = new AbortController();
  server = createServer((request, response) => {
    requests.push(request.url ?? "");
    response.setHeader("x-twice", ["one", "two"]).end("answered");
  });
  server.on("connection", () => (connections += 1));
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
afterEach(async () => {
  ending.abort();
  server.closeAllConnections();
  await new Promise((resolve) => {
    server.close(resolve);
  });
});

const connect = () =>
  createHttp(HTTP_LIMITS, createManualClock(0), { proxy: null, signal: ending.signal });
const get = (path: string, mayBeSent: () => boolean) =>
  ({ method: "GET", url: new URL(path, url), headers: {}, mayBeSent }) as const;

test("doesn't send a request that became too late while connecting", async () => {
  const http = connect();
  let requestCount = 0;
  const late = await http.send(get("/late", () => ((requestCount += 1), false)));
  expect(late).toMatchObject({ failed: "not_allowed", maybeReceived: false, status: null });
  expect(requestCount).toBe(1);
  // Checked after connecting, not before.
  await expect.poll(() => connections).toBe(1);
  expect(requests).toEqual([]);
  // A request in time is sent as usual.
  const answer = await http.send(get("/in-time", () => true));
  expect(answer).toMatchObject({ status: 200, headers: { "x-twice": ["one", "two"] } });
  expect("body" in answer && answer.body.toString()).toBe("answered");
  expect(requests).toEqual(["/in-time"]);
});

test("doesn't send a late request on an open connection either", async () => {
  const http = connect();
  await http.send(get("/first", () => true));
  expect(await http.send(get("/late", () => false))).toMatchObject({ failed: "not_allowed" });
  expect(requests).toEqual(["/first"]);
});

test("refuses a body of another encoding without an uncaught error", async () => {
  server.removeAllListeners("request").on("request", (_request, response) => {
    response.setHeader("content-encoding", "br").end("answered");
  });
  const uncaught: unknown[] = [];
  const note = (error: unknown) => void uncaught.push(error);
  process.on("uncaughtException", note);
  try {
    const answer = await connect().send(get("/", () => true));
    expect(answer).toMatchObject({ failed: "undecodable", status: 200 });
    // The error would come before these turns are over.
    for (let turn = 0; turn < 5; turn += 1) await nextTurn();
    expect(uncaught).toEqual([]);
  } finally {
    process.off("uncaughtException", note);
  }
});
