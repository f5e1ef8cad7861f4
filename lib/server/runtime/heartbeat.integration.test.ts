import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createManualClock, type ManualClock } from "@/lib/server/manual-clock";
import { createPlainSend } from "@/lib/server/upstream/plain-send";
import { NO_PROXIES } from "@/lib/server/upstream/proxy";
import { createHeartbeat } from "./heartbeat";

const POLL_MS = 60_000;

let clock: ManualClock;
let requests: string[];
let answer: (response: ServerResponse) => void;
let server: ReturnType<typeof createServer>;
let url: string;
let logged: { event?: string; why?: string }[];
/** Time of each company's last complete snapshot; null: never. */
let seenMs: Record<string, number | null>;
let isRecorded: boolean;

beforeEach(async () => {
  clock = createManualClock(0);
  requests = [];
  logged = [];
  isRecorded = true;
  seenMs = { northgate: 0, harbour: 0 };
  answer = (response) => response.end("OK");
  server = createServer((request, response) => {
    requests.push(request.url ?? "");
    answer(response);
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping/secret-id`;
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

function heartbeat(wholeMs = 5_000) {
  return createHeartbeat({
    url,
    snapshots: () =>
      Object.values(seenMs).map((atMs) => ({
        ageMs: atMs === null ? null : clock.nowMs() - atMs,
        rhythmSeconds: POLL_MS / 1000,
      })),
    recording: {
      stopped: () => (isRecorded ? null : { reason: "disk_full", sinceMs: 0 }),
    },
    send: createPlainSend({ limits: { wholeMs, bodyBytes: 1024 }, clock, proxies: NO_PROXIES }),
    log: pino(
      {
        level: "info",
      },
      { write: (line: string) => void logged.push(JSON.parse(line) as object) },
    ),
  });
}

test("requests its URL while every snapshot is live or delayed, and the failure URL when one is blind", async () => {
  const beat = heartbeat();
  await beat();
  await clock.advance(4 * POLL_MS);
  await beat();
  seenMs["northgate"] = clock.nowMs();
  await clock.advance(2 * POLL_MS);
  await beat();
  seenMs["harbour"] = clock.nowMs();
  await beat();
  expect(requests).toEqual([
    "/ping/secret-id",
    "/ping/secret-id",
    "/ping/secret-id/fail",
    "/ping/secret-id",
  ]);
});

test("reports a company never read, and a stopped recording, as failures", async () => {
  const beat = heartbeat();
  isRecorded = false;
  await beat();
  isRecorded = true;
  seenMs["orchard"] = null;
  await beat();
  expect(requests).toEqual(["/ping/secret-id/fail", "/ping/secret-id/fail"]);
});

test("logs failed and recovered delivery once, never with the URL, and follows no redirects", async () => {
  const beat = heartbeat(200);
  answer = (response) => response.writeHead(500).end();
  await beat();
  answer = (response) => response.writeHead(302, { location: `${url}/elsewhere` }).end();
  await beat();
  answer = (response) => void response.destroy();
  await beat();
  answer = () => {};
  await beat();
  answer = (response) => response.end("x".repeat(5_000));
  await beat();
  answer = (response) => response.end("OK");
  await beat();
  await beat();
  expect(requests).toHaveLength(7);
  expect(requests).not.toContain("/ping/secret-id/elsewhere");
  expect(logged.map(({ event, why }) => [event, why])).toEqual([
    ["heartbeat_lost", "status 500"],
    ["heartbeat_again", undefined],
  ]);
  expect(JSON.stringify(logged)).not.toContain("secret-id");
});
