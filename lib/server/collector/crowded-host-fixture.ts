import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { setMaxListeners } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setImmediate as realTurn } from "node:timers/promises";
import pino from "pino";
import type { ManualClock } from "@/lib/server/manual-clock";
import type { Database } from "@/lib/server/store/database";
import { budgetShares } from "@/lib/server/upstream/budget";
import { createUpstream } from "@/lib/server/upstream/client";
import { fixedCompanies } from "@/lib/server/upstream/upstream-fixture";
import { createCollector } from "./collector";
import { createSnapshots } from "./snapshots";
import { MINUTE_MS } from "@/lib/domain/time/units";

const log = pino({ level: "silent" });
const AUTH_SECRET = "a secret of the test, long enough";

/** Limits of one host. */
export type CrowdLimits = { requestsPerMinute: number; tokenRequestsPerMinute: number };

type Answer = (response: ServerResponse, nowMs: number) => void;

/** How a host answers some of its clients; omitted: as usual. */
export type HostFault = {
  api?: Answer;
  token?: Answer;
};

/** Lifetime of the API's tokens. */
const TOKEN_SECONDS = 3_600;

/** An upstream host with the API's rate limiting: windows of a minute, shared by all companies. */
export async function startCrowdedHost(
  clock: ManualClock,
  limits: CrowdLimits,
  rowsAt: (nowMs: number) => readonly unknown[],
  tokenSeconds = TOKEN_SECONDS,
) {
  const counted = new Map<string, number>();
  const tokenRequests: { clientId: string; scope: string | null; atMs: number }[] = [];
  const polls: { clientId: string; atMs: number }[] = [];
  const issued = new Map<string, { clientId: string; untilMs: number }>();
  let faulty: readonly string[] = [];
  let fault: HostFault = {};
  let refused = 0;
  // Counted at creation: on a busy machine a request may take a while to reach the server.
  let inFlight = 0;
  const began = () => void (inFlight += 1);
  const ended = () => void (inFlight -= 1);
  subscribe("undici:request:create", began);
  subscribe("undici:request:trailers", ended);
  subscribe("undici:request:error", ended);

  function isOver(kind: string, most: number): boolean {
    const window = `${kind} ${Math.floor(clock.nowMs() / MINUTE_MS)}`;
    const count = (counted.get(window) ?? 0) + 1;
    counted.set(window, count);
    if (count > most) refused += 1;
    return count > most;
  }

  const send = (response: ServerResponse, status: number, body: unknown) =>
    response
      .writeHead(status, {
        "content-type": "application/json",
        date: new Date(clock.nowMs()).toUTCString(),
      })
      .end(JSON.stringify(body));

  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "", "http://host");
    let body = "";
    request.on("data", (chunk: Buffer) => (body += chunk.toString()));
    request.once("end", () => {
      if (pathname === "/oauth/token") {
        const form = new URLSearchParams(body);
        const clientId = form.get("client_id") ?? "";
        const scope = form.get("scope");
        tokenRequests.push({ clientId, scope, atMs: clock.nowMs() });
        if (faulty.includes(clientId) && fault.token) return fault.token(response, clock.nowMs());
        if (isOver("token", limits.tokenRequestsPerMinute)) {
          return send(response, 429, { error: "rate_limited" });
        }
        const value = `${clientId}.${tokenRequests.length}`;
        issued.set(value, { clientId, untilMs: clock.nowMs() + tokenSeconds * 1000 });
        return send(response, 200, {
          access_token: value,
          token_type: "Bearer",
          expires_in: tokenSeconds,
          scope: scope ?? "read:sync_status read:schedule_files write:schedule_files",
        });
      }
      const token = issued.get(request.headers.authorization?.slice("Bearer ".length) ?? "");
      if (isOver("api", limits.requestsPerMinute)) {
        return send(response, 429, { error: "rate_limited" });
      }
      if (faulty.includes(token?.clientId ?? "") && fault.api)
        return fault.api(response, clock.nowMs());
      if (token === undefined || token.untilMs <= clock.nowMs()) {
        return send(response, 401, { error: "unauthorized" });
      }
      polls.push({ clientId: token.clientId, atMs: clock.nowMs() });
      const data = rowsAt(clock.nowMs());
      return send(response, 200, {
        data,
        meta: { page: 1, per_page: 100, total_count: data.length, total_pages: 1 },
      });
    });
  });
  server.listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    tokenRequests,
    polls,
    /** From now on, answers the requests of these clients, and only these, in this way. */
    fail: (clientIds: readonly string[], how: HostFault) => {
      faulty = clientIds;
      fault = how;
    },
    /** Number of requests beyond its limits. */
    refused: () => refused,
    isIdle: () => inFlight === 0,
    close: () => {
      unsubscribe("undici:request:create", began);
      unsubscribe("undici:request:trailers", ended);
      unsubscribe("undici:request:error", ended);
      return new Promise((resolve) => server.close(resolve));
    },
  };
}

type CrowdedHost = Awaited<ReturnType<typeof startCrowdedHost>>;

/** Starts the collector of one process with many companies at one host. */
export function startCrowd({
  clock,
  database,
  host,
  limits,
  count,
  isRecentlyViewed = () => false,
}: {
  clock: ManualClock;
  database: Database;
  host: CrowdedHost;
  limits: CrowdLimits;
  count: number;
  isRecentlyViewed?: (company: string) => boolean;
}) {
  const stopping = new AbortController();
  setMaxListeners(0, stopping.signal);
  const companies = Array.from({ length: count }, (_, index) => {
    const company = `company-${String(index).padStart(3, "0")}`;
    const connection = {
      company,
      name: company,
      baseUrl: host.baseUrl,
      clientId: company,
      clientSecret: `secret of ${company}`,
    };
    const upstream = createUpstream({
      ...limits,
      connection,
      clock,
      random: () => 0.5,
      log,
      database,
      pollSeconds: 60,
      databaseNowMs: clock.nowMs,
      authSecrets: [AUTH_SECRET],
      companiesAtHost: () => count,
      firstTokensAwaited: () => firstTokensAwaited(),
      isRecentlyViewed: () => isRecentlyViewed(company),
      signal: stopping.signal,
    });
    return { connection, upstream };
  });
  const firstTokensAwaited = () =>
    companies.filter(({ upstream }) => upstream.isFirstTokenAwaited()).length;
  const snapshots = createSnapshots({ database, clock, log });
  const collector = createCollector({
    database,
    clock,
    random: () => 0.5,
    log,
    companies: fixedCompanies(companies),
    pollSeconds: 60,
    pollsPerWindow: budgetShares(limits.requestsPerMinute).polls,
    retentionDays: 90,
    reportTimeZone: "UTC",
    incidents: INCIDENT_SETTINGS,
    disk: { isLow: () => Promise.resolve(false) },
    onPublish: (snapshot) => snapshots.publish(snapshot),
  });
  const slugs = companies.map(({ connection }) => connection.company);
  return {
    slugs,
    snapshots,
    /** Resolves once it leads: winning leadership takes real time, in which simulated time must not advance. */
    async start() {
      await snapshots.start();
      collector.start();
      while (!collector.isLeading()) await realTurn();
    },
    async stop() {
      const stopped = Promise.all([collector.stop(), snapshots.stop()]);
      stopping.abort();
      await stopped;
    },
    /** Companies without a snapshot. */
    missing: () =>
      slugs.filter((slug) => (snapshots.get(slug)?.state.asOfMs ?? null) === null).length,
    /** Advances simulated time, completing everything triggered at each step before the next. */
    async pass(ms: number, onStep: () => void = () => {}) {
      const untilMs = clock.nowMs() + ms;
      const { pool } = database;
      const isAtRest = () =>
        host.isIdle() && pool.idleCount === pool.totalCount && pool.waitingCount === 0;
      while (clock.nowMs() < untilMs) {
        const soonestMs = clock.sleeping()[0] ?? ms;
        await clock.advance(Math.max(1, Math.min(soonestMs, untilMs - clock.nowMs(), 5_000)));
        for (let quiet = 0; quiet < 5; quiet = isAtRest() ? quiet + 1 : 0) await realTurn();
        onStep();
      }
    },
  };
}
