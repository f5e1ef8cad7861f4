import {
  createServer,
  request as ask,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import { resolve as resolvePath } from "node:path";
import type { WallReport } from "@/lib/contracts/wall";
import type { SyncStatusView } from "@/lib/contracts/dashboard";
import { rowFixture } from "@/lib/contracts/row-fixture";
import { NO_UPSTREAM, startApp, type App } from "@/e2e/app";

/** State of the connection between a wall and Plumbline. */
export type ProxyState =
  | "well"
  /** Connections are reset. */
  | "cut"
  /** Accepted, and never answered. */
  | "hanging"
  /** A proxy's error page. */
  | "bad-gateway"
  /** A proxy's authentication. */
  | "proxy-401"
  /** A denial by Plumbline itself, for one request only. */
  | "one-denial"
  /** The API works, but every page fails: a broken deployment. */
  | "broken-pages";

/** A built Plumbline behind a faulty proxy, in simulated time. */
export type ProxiedApp = {
  app: App;
  /** Address for the wall. */
  address: string;
  /** Epoch milliseconds; the time of everything behind the proxy. */
  time: { nowMs: number };
  setProxy(state: ProxyState): void;
  /** Serves another build from now on. */
  deploy(): void;
  /** Whether the collector polls; otherwise it has stopped, and reports that. */
  setReading(isReading: boolean): void;
  /** Number of endpoints, and whether each changes its verdict at every read. */
  setRows(count: number, isStorm: boolean): void;
  /** When the newest data sent so far was read, epoch milliseconds. */
  newestGivenMs(): number;
  /** The last requests, with the simulated hour and the connection state. */
  lastRequests(): readonly string[];
  /** The wall's last report; null: none yet. */
  report(): WallReport | null;
  /** Whether that wall runs the current build. */
  isUpToDate(): boolean;
  end(): Promise<void>;
};

export const COMPANY = "main";
const RHYTHM_MS = 60_000;
const MAX_REQUESTS = 20;
const SYNC_STATUS = `/api/wall/companies/${COMPANY}/sync-status`;

/** @param startMs start of the simulation, epoch milliseconds */
export async function startProxiedApp(startMs: number): Promise<ProxiedApp> {
  const shift = pathToFileURL(resolvePath(import.meta.dirname, "shifted-date.mjs")).href;
  const app = await startApp({
    NODE_OPTIONS: `--import ${shift}`,
    // Snapshots are published by the test.
    ...NO_UPSTREAM,
    V3_COMPANY_SLUG: COMPANY,
    V3_COMPANY_NAME: "Northgate Builders",
  });
  const time = { nowMs: startMs };
  let state: ProxyState = "well";
  let build = 0;
  let ownBuild = "";
  let readMs = startMs;
  let isReading = true;
  let rows = { count: 60, isStorm: false };
  let newestGivenMs = startMs;
  let report: WallReport | null = null;
  let requests: string[] = [];

  const read = () => {
    if (isReading) readMs = Math.floor(time.nowMs / RHYTHM_MS) * RHYTHM_MS;
    newestGivenMs = Math.max(newestGivenMs, readMs);
    return snapshot(readMs, time.nowMs, isReading, rows);
  };
  const buildName = (own: string) => (build === 0 ? own : `${own}-${build}`);

  const answer = (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? "/";
    const hour = ((time.nowMs - startMs) / 3_600_000).toFixed(3);
    requests = [...requests.slice(-MAX_REQUESTS + 1), `${hour} ${state} ${request.method} ${path}`];
    const isJson = path.startsWith("/api/");
    response.sendDate = false;
    response.setHeader("date", new Date(time.nowMs).toUTCString());
    switch (state) {
      case "cut":
        request.socket.destroy();
        return;
      case "hanging":
        return;
      case "bad-gateway":
        response.writeHead(502, { "content-type": "text/html" }).end("<h1>502 Bad Gateway</h1>");
        return;
      case "proxy-401":
        response.writeHead(401, { "content-type": "text/html" }).end("<h1>Who are you?</h1>");
        return;
      case "one-denial":
        state = "well";
        response
          .writeHead(401, { "content-type": "application/json" })
          .end('{"error":"unauthenticated","error_description":"Not paired."}');
        return;
      case "broken-pages":
        if (!isJson && !path.startsWith("/_next/")) {
          response.writeHead(500, { "content-type": "text/html" }).end("<h1>Broken</h1>");
          return;
        }
        break;
      case "well":
        break;
    }
    pass(request, response, {
      to: app.address,
      nowMs: time.nowMs,
      sent(body) {
        if (path === "/api/wall/report") report = JSON.parse(body);
      },
      change(status, body, type) {
        if (path === SYNC_STATUS && status === 200) return JSON.stringify(read());
        if (path === "/api/wall" && status === 200) {
          ownBuild = String(JSON.parse(body).build);
          return body.replace(`"build":"${ownBuild}"`, `"build":"${buildName(ownBuild)}"`);
        }
        if (!type.startsWith("text/html")) return body;
        return body.replace(
          /\\"build\\":\\"([^"\\]+)\\"/g,
          (_, own: string) => `\\"build\\":\\"${buildName(own)}\\"`,
        );
      },
    });
  };

  const door = createServer(answer);
  const address = await listen(door);
  return {
    app,
    address,
    time,
    setProxy: (next) => {
      state = next;
      if (next === "cut") door.closeAllConnections();
    },
    deploy: () => {
      build += 1;
    },
    setReading: (reads) => {
      isReading = reads;
    },
    setRows: (count, isStorm) => {
      rows = { count, isStorm };
    },
    newestGivenMs: () => newestGivenMs,
    lastRequests: () => requests,
    report: () => report,
    isUpToDate: () => report?.build === buildName(ownBuild),
    async end() {
      door.closeAllConnections();
      door.close();
      await app.end();
    },
  };
}

type Passing = {
  to: string;
  nowMs: number;
  sent(body: string): void;
  change(status: number, body: string, type: string): string;
};

/** Forwards a request to the app, and its modified response back. */
function pass(request: IncomingMessage, response: ServerResponse, given: Passing) {
  const { "if-none-match": _, "accept-encoding": __, ...headers } = request.headers;
  const onward = ask(
    new URL(request.url ?? "/", given.to),
    { method: request.method, headers: { ...headers, "x-test-now": String(given.nowMs) } },
    (answered) => {
      const chunks: Buffer[] = [];
      answered.on("data", (chunk: Buffer) => chunks.push(chunk));
      answered.on("end", () => {
        const type = answered.headers["content-type"] ?? "";
        const status = answered.statusCode ?? 502;
        const body = Buffer.concat(chunks);
        const isText = /^text\/html|^application\/json/.test(type);
        const { date: ___, "content-length": ____, etag: _____, ...kept } = answered.headers;
        response.writeHead(status, kept);
        response.end(isText ? given.change(status, body.toString("utf8"), type) : body);
      });
    },
  );
  onward.on("error", () => request.socket.destroy());
  const sent: Buffer[] = [];
  request.on("data", (chunk: Buffer) => sent.push(chunk));
  request.on("end", () => {
    const body = Buffer.concat(sent);
    given.sent(body.toString("utf8"));
    onward.end(body);
  });
}

function snapshot(
  readMs: number,
  nowMs: number,
  isReading: boolean,
  { count, isStorm }: { count: number; isStorm: boolean },
): SyncStatusView {
  const iso = (ms: number) => new Date(ms).toISOString();
  const nextMs = (Math.floor(nowMs / RHYTHM_MS) + 1) * RHYTHM_MS;
  return {
    as_of: iso(readMs),
    source: {
      confidence: isReading ? "live" : "delayed",
      reason: isReading ? null : "unreachable",
      last_success_at: iso(readMs),
      next_refresh_at: iso(nextMs),
      rhythm_seconds: RHYTHM_MS / 1000,
      rate_limit: null,
      budget: { used: 1, limit: 40 },
      api_clock_offset_ms: 0,
    },
    rows: Array.from({ length: count }, (_, index) => {
      // In a storm each endpoint has another verdict at each read, and a name of another length.
      const turn = isStorm ? Math.floor(readMs / RHYTHM_MS) + index : index;
      return rowFixture({
        id: `endpoint-${index}`,
        endpoint_key: `endpoint_${index}${isStorm ? "_".repeat(turn % 40) : ""}`,
        partner_name: `Partner ${index % 20}`,
        status: turn % 11 === 0 ? "inactive" : "active",
        frequency_minutes: 60,
        last_updated_at: turn % 13 === 0 ? null : iso(readMs - (turn % 7) * 40 * 60_000),
        last_sync_status: turn % 5 === 0 ? "failed" : "completed",
        last_sync_started_at: iso(readMs - (turn % 7) * 40 * 60_000 - 30_000),
        last_sync_finished_at: iso(readMs - (turn % 7) * 40 * 60_000),
        verdict: "fresh",
      });
    }),
  };
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    });
  });
}
