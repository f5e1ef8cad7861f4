import type { CheckFailed, CheckStep } from "@/lib/contracts/connections";
import { Failure, FAILURE_STATUS } from "@/lib/contracts/failure";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { rhythmOf } from "@/lib/server/collector/rhythm";
import type { Clock } from "@/lib/server/clock";
import type { Snapshots } from "@/lib/server/collector/snapshots";
import type { Log } from "@/lib/server/log";
import type { Database } from "@/lib/server/store/database";
import type { DatabaseTime } from "@/lib/server/store/database-time";
import type { DialGuard } from "@/lib/server/upstream/dial/allowed-targets";
import type { Proxies } from "@/lib/server/upstream/proxy";
import { createUpstreamBudgetStore } from "@/lib/server/store/upstream/upstream-budget";
import { takeCheck } from "@/lib/server/store/connections/check-turns";
import { budgetShares } from "@/lib/server/upstream/budget";
import { isConnectable } from "@/lib/domain/check-steps";
import { checkApi, type CheckParts } from "@/lib/server/upstream/check/check-api";
import { restsBecause, type Connection } from "@/lib/server/upstream/upstream";
import { CHECK_FAILED, NOT_CHECKED, TOO_MANY_CHECKS } from "./words";

/** Dependencies of a check with given credentials. */
export type ProbeRuntime = {
  clock: Clock;
  log: Log;
  database: Database;
  dialGuard: DialGuard;
  readonly connections: readonly Connection[];
  config: {
    requestsPerMinute: number;
    tokenRequestsPerMinute: number;
    pollSeconds: number;
    targetProxies: Proxies;
  };
  metrics: { countUpstreamRequest: CheckParts["onRequest"] };
  snapshots: Pick<Snapshots, "get">;
  /** For tests: limits of requests, and the database clock of the stored budget. */
  probing?: Pick<CheckParts, "limits" | "databaseNowMs">;
};
type Credentials = Pick<Connection, "baseUrl" | "clientId" | "clientSecret">;

/** Checks that a person may request within any minute. */
const MAX_CHECKS = 6;

/**
 * Counts one of a person's checks, over all instances.
 * @throws Failure `too_many_requests`
 */
export async function takeTurn(
  { database, auth }: { database: Database; auth: { time: Pick<DatabaseTime, "now"> } },
  personId: string,
): Promise<void> {
  const { judgedMs: nowMs } = await auth.time.now();
  const waitMs = await takeCheck(database, { personId, nowMs, most: MAX_CHECKS });
  if (waitMs > 0) {
    const retryAfterSeconds = Math.ceil(waitMs / 1000);
    throw new Failure("too_many_requests", TOO_MANY_CHECKS, { retryAfterSeconds });
  }
}

/** What is known of a host that isn't connected is deleted after this time without a request. */
const FORGET_HOST_MS = 10 * MINUTE_MS;

/** The steps of a check, each as soon as it is done. */
export async function* probe(
  runtime: ProbeRuntime,
  credentials: Credentials,
): AsyncGenerator<CheckStep, void, void> {
  const { clock, log, database, config, dialGuard, metrics, probing } = runtime;
  const stored = createUpstreamBudgetStore(database, probing?.databaseNowMs ?? null);
  // Without the database, the check says so.
  await stored.prune(FORGET_HOST_MS).catch(() => {});
  const isConnected = (host: string) =>
    runtime.connections.some(({ baseUrl }) => new URL(baseUrl).host === host);
  yield* checkApi(
    {
      clock,
      random: Math.random,
      log,
      database,
      requestsPerMinute: config.requestsPerMinute,
      tokenRequestsPerMinute: config.tokenRequestsPerMinute,
      proxies: config.targetProxies,
      guard: dialGuard,
      plannedPerMinute: (pages) => plannedPerMinute(runtime, credentials, pages),
      // Metrics keep every host that they have counted.
      onRequest: ({ host, ...request }) =>
        metrics.countUpstreamRequest({ ...request, host: isConnected(host) ? host : "other" }),
      ...probing,
    },
    credentials,
  );
}

/** @returns null: it can be connected; otherwise the response that says why not */
export async function failedProbe(
  runtime: ProbeRuntime,
  credentials: Credentials,
): Promise<Response | null> {
  const steps: CheckStep[] = [];
  for await (const step of probe(runtime, credentials)) steps.push(step);
  if (isConnectable(steps)) return null;
  const hasFailed = steps.some(({ ok }) => ok === false);
  const body: CheckFailed = {
    error: "check_failed",
    error_description: hasFailed ? CHECK_FAILED : NOT_CHECKED,
    steps,
  };
  return Response.json(body, { status: FAILURE_STATUS.check_failed });
}

/** Requests a minute for a company's checks, beside the other companies of its host. */
function plannedPerMinute(
  { connections, snapshots, config }: ProbeRuntime,
  { baseUrl, clientId }: Credentials,
  pages: number,
): number {
  const { origin } = new URL(baseUrl);
  const others = connections
    .filter(
      (other) =>
        new URL(other.baseUrl).origin === origin &&
        other.clientId !== clientId &&
        restsBecause(other) === null,
    )
    .map(({ company }) => snapshots.get(company)?.state.totalPages ?? 1);
  const { checkMs } = rhythmOf({
    pages: [...others, pages],
    pollSeconds: config.pollSeconds,
    pollsPerWindow: budgetShares(config.requestsPerMinute).polls,
  });
  return (pages * 60_000) / checkMs;
}
