import { createHash, timingSafeEqual } from "node:crypto";
import type { ErrorBody } from "@/lib/contracts/failure";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { CoreMeter, Metrics } from "@/lib/server/metrics";
import type { HttpRequest } from "@/lib/server/http/http-request";
import type { Clock } from "@/lib/server/clock";
import type { SecurityLog } from "@/lib/server/security-log";
import type { Recording } from "@/lib/server/recording";
import type { Snapshots } from "@/lib/server/collector/snapshots";
import type { Database } from "@/lib/server/store/database";
import type { Connection } from "@/lib/server/upstream/upstream";
import { within } from "@/lib/server/waiting";
import { readLastBackup } from "@/lib/server/store/backup/daily-backups";
import { countDeliveries } from "@/lib/server/store/delivery/outbox";
import { countOpen } from "@/lib/server/store/incidents/read-incidents";
import { countDisplays } from "@/lib/server/store/displays/displays";
import { countUsedByOrigin } from "@/lib/server/store/upstream/upstream-budget";
import { companyMetrics } from "./company-metrics";
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

  const [used, displays, backup, open, deliveries] = await Promise.all([
    soonOrNull(runtime.clock, countUsedByOrigin(runtime.database, MINUTE_MS)),
    displaysNow(runtime),
    readLastBackup(runtime.config.dataDir).catch(() => null),
    soonOrNull(runtime.clock, countOpen(runtime.database)),
    soonOrNull(runtime.clock, countDeliveries(runtime.database.orm)),
  ]);
  const { contentType, text } = await runtime.metrics.exposition({
    cores: runtime.coreMeter.now()?.cores ?? null,
    displays,
    backup,
    deliveries: deliveries === null ? null : deliveriesOf(deliveries, runtime.clock.nowMs()),
    recordingStopped: runtime.recording.stopped()?.reason ?? null,
  });
  const companies = await companyMetrics(runtime, { open, used });
  const endpoints = runtime.config.hasEndpointMetrics ? await endpointMetrics(runtime) : "";
  return new Response(text + companies + endpoints, {
    headers: { "content-type": contentType, "cache-control": "no-store" },
  });
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

/** Compares digests, so that timing reveals neither length nor content. */
function sameSecret(one: string, other: string): boolean {
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
