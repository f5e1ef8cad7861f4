import { createHash, timingSafeEqual } from "node:crypto";
import type { ErrorBody } from "@/lib/contracts/failure";
import { tally } from "@/lib/domain/verdict";
import type { BudgetGauges, CoreMeter, HostGauges, Metrics } from "@/lib/server/metrics";
import type { HttpRequest } from "@/lib/server/http/http-request";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import type { Recording } from "@/lib/server/recording";
import type { Snapshots } from "@/lib/server/collector/snapshots";
import type { Database } from "@/lib/server/store/database";
import { companiesPerMinute } from "@/lib/server/upstream/budget";
import { restsBecause, type Connection, type Upstream } from "@/lib/server/upstream/upstream";
import { within } from "@/lib/server/waiting";
import { syncStatusView } from "@/lib/server/operations/sync/get-sync-status";
import { readLastBackup } from "@/lib/server/store/backup/daily-backups";
import { countDeliveries } from "@/lib/server/store/delivery/outbox";
import { countOpen } from "@/lib/server/store/incidents/read-incidents";
import { countDisplays } from "@/lib/server/store/displays/displays";
import { endpointMetrics } from "./endpoint-metrics";

type MetricsRuntime = Omit<
  Parameters<typeof endpointMetrics>[0],
  "config" | "connections" | "snapshots"
> & {
  config: {
    metricsToken: string | null;
    dataDir: string;
    hasEndpointMetrics: boolean;
    pollSeconds: number;
    requestsPerMinute: number;
  };
  database: Database;
  clock: Clock;
  securityLog: SecurityLog;
  metrics: Pick<Metrics, "exposition">;
  coreMeter: CoreMeter;
  snapshots: Pick<Snapshots, "get" | "ageMs">;
  recording: Pick<Recording, "stopped">;
  connections: readonly Connection[];
  upstreams: ReadonlyMap<string, Upstream>;
};

/** Shorter than a scraper's timeout, which is shorter than the database's. */
const DATABASE_PATIENCE_MS = 1_000;
const SEEN_LATELY_MS = 5 * 60_000;
const LOOPBACK = /^(127\.|::1$)/;

/**
 * The text of `/metrics`. With `METRICS_TOKEN` the caller must send it, without it only loopback is
 * allowed, and no proxy: one that is set up wrong would make its own address the client's. Other callers get a 404,
 * which hides the endpoint.
 * @param caller.address the client's true address
 */
export async function getMetrics(
  runtime: MetricsRuntime,
  caller: { address: string; request: Pick<HttpRequest, "headers"> },
): Promise<Response> {
  const { metricsToken } = runtime.config;
  const { headers } = caller.request;
  const allowed =
    metricsToken === null
      ? LOOPBACK.test(caller.address) && headers.get("x-plumbline-forwarded") === null
      : sameSecret(headers.get("authorization") ?? "", `Bearer ${metricsToken}`);
  if (!allowed) {
    runtime.securityLog.record("metrics_refused", { address: caller.address });
    const body: ErrorBody = {
      error: "not_found",
      error_description: "Not found.",
    };
    return Response.json(body, { status: 404, headers: { "cache-control": "no-store" } });
  }

  const [budgets, displays, backup, open, deliveries] = await Promise.all([
    budgetsByHost(runtime),
    displaysNow(runtime),
    readLastBackup(runtime.config.dataDir).catch(() => null),
    soonOrNull(runtime.clock, countOpen(runtime.database)),
    soonOrNull(runtime.clock, countDeliveries(runtime.database.orm)),
  ]);
  const { contentType, text } = await runtime.metrics.exposition({
    companies: runtime.connections.map((connection) => {
      const { company } = connection;
      const ageMs = runtime.snapshots.ageMs(company);
      const view = syncStatusView(runtime, company);
      return {
        company,
        snapshotAgeSeconds: ageMs === null ? null : ageMs / 1000,
        isPaused: restsBecause(connection) === "disconnected",
        verdicts:
          view.source.confidence === "blind" ? null : tally(view.rows.map((row) => row.verdict)),
        incidents: open === null ? null : openOf(company, open),
      };
    }),
    budgets,
    hosts: companiesByHost(runtime),
    cores: runtime.coreMeter.now()?.cores ?? null,
    displays,
    backup,
    deliveries: deliveries === null ? null : deliveriesOf(deliveries, runtime.clock.nowMs()),
    recordingStopped: runtime.recording.stopped()?.reason ?? null,
  });
  const endpoints = runtime.config.hasEndpointMetrics ? await endpointMetrics(runtime) : "";
  return new Response(text + endpoints, {
    headers: { "content-type": contentType, "cache-control": "no-store" },
  });
}

function openOf(company: string, open: Awaited<ReturnType<typeof countOpen>>) {
  const counts = { failing: 0, stale: 0, late: 0, unknown: 0 };
  for (const one of open) if (one.company === company) counts[one.verdict] += one.open;
  return counts;
}

function deliveriesOf(counted: Awaited<ReturnType<typeof countDeliveries>>, nowMs: number) {
  const byState = { queued: 0, unknown: 0, sent: 0, failed: 0 };
  for (const { state, amount } of counted) byState[state] = amount;
  const oldestMs = Math.min(nowMs, ...counted.flatMap((one) => one.oldestMs ?? []));
  return { byState, oldestSeconds: (nowMs - oldestMs) / 1000 };
}

/** Null when the database fails or takes too long. */
function soonOrNull<T>(clock: Clock, count: Promise<T>): Promise<T | null> {
  return within(clock, DATABASE_PATIENCE_MS, count, () => null).catch(() => null);
}

function displaysNow({ database, clock }: MetricsRuntime) {
  const nowMs = clock.nowMs();
  const since = { nowMs, sinceMs: nowMs - SEEN_LATELY_MS };
  return soonOrNull(clock, countDisplays(database, since));
}

function companiesByHost({ connections, config }: MetricsRuntime): HostGauges[] {
  const counts = new Map<string, number>();
  for (const { baseUrl } of connections) {
    const { host } = new URL(baseUrl);
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  const mostCompanies = companiesPerMinute(config.requestsPerMinute);
  return Array.from(counts, ([host, companies]) => ({ host, companies, mostCompanies }));
}

/** One entry per host; hosts whose database does not respond are left out. */
async function budgetsByHost({
  connections,
  upstreams,
  clock,
}: MetricsRuntime): Promise<BudgetGauges[]> {
  const hosts = new Map(
    connections.map(({ baseUrl, company }) => [new URL(baseUrl).host, upstreams.get(company)]),
  );
  const budgets = [...hosts].map(async ([host, upstream]) => {
    const budget = upstream === undefined ? null : await soonOrNull(clock, upstream.budget());
    return budget === null ? [] : [{ host, ...budget }];
  });
  return (await Promise.all(budgets)).flat();
}

/** Compares digests, so that timing reveals neither length nor content. */
function sameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
