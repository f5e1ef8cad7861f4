import pino from "pino";
import type { ManualClock } from "@/lib/server/manual-clock";
import type { Database } from "@/lib/server/store/database";
import { createUpstream } from "./client";
import type { ConnectedCompany, LivingCompanies } from "./connections";
import type { Upstream } from "./upstream";

/** For tests: an upstream of a company, with the API's own limits and a single clock. */
export function upstreamFixture({
  api,
  company,
  clock,
  database,
  signal,
}: {
  api: { baseUrl: string; clientId: string; clientSecret: string };
  company: string;
  clock: ManualClock;
  database: Database;
  signal: AbortSignal;
}): Upstream {
  const { baseUrl, clientId, clientSecret } = api;
  return createUpstream({
    connection: { company, name: company, baseUrl, clientId, clientSecret },
    clock,
    random: () => 0,
    log: pino({ level: "silent" }),
    database,
    requestsPerMinute: 60,
    tokenRequestsPerMinute: 10,
    pollSeconds: 60,
    databaseNowMs: clock.nowMs,
    signal,
  });
}

/** Companies that never change. */
export function fixedCompanies(companies: readonly ConnectedCompany[]): LivingCompanies {
  return { current: () => companies, onChange: () => () => {} };
}
