/**
 * A collecting process that is killed: `node killed.fixture.mjs <plan as JSON>`. Its parent triggers each
 * check; it reports completed checks, and kills itself with SIGKILL at the given step, whose name is all it
 * prints.
 */
import { writeSync } from "node:fs";
import pino from "pino";
import type { PoolClient } from "pg";
import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { createManualClock } from "@/lib/server/manual-clock";
import { openDatabase } from "@/lib/server/store/connect";
import { createUpstream } from "@/lib/server/upstream/client";
import { HTTP_LIMITS } from "@/lib/server/upstream/http";
import { fixedCompanies } from "@/lib/server/upstream/upstream-fixture";
import { createCollector } from "./collector";

export type Plan = {
  connectionString: string;
  api: { baseUrl: string; clientId: string; clientSecret: string };
  company: string;
  pollSeconds: number;
};
export type Look = {
  nowMs: number;
  /** Kills at the nth step of the check, 1-based; null: at none. */
  killAt: number | null;
};

const plan = JSON.parse(process.argv[2] ?? "") as Plan;
const log = pino({ level: "silent" });
let stepsLeft = Infinity;
/**
 * Called at each step of the check: a response from upstream, before each statement, and when everything is
 * recorded.
 */
function come(step: string): void {
  stepsLeft -= 1;
  if (stepsLeft > 0) return;
  writeSync(process.stdout.fd, step);
  process.kill(process.pid, "SIGKILL");
}

const first = await nextLook();
const clock = createManualClock(first.nowMs);
const database = await openDatabase(plan.connectionString, { log });
const watched = new WeakSet<PoolClient>();
database.pool.on("acquire", (client) => {
  if (watched.has(client)) return;
  watched.add(client);
  const send = client.query.bind(client) as (...all: unknown[]) => unknown;
  let isSnapshot = false;
  Object.assign(client, {
    query(query: string | { text: string }, ...more: unknown[]) {
      const statement = (typeof query === "string" ? query : query.text).trim();
      const [verb = ""] = statement.split(" ");
      const table = /(?:into|from|^update) "?(\w+)/.exec(statement)?.[1];
      // The first write of its transaction.
      isSnapshot ||= verb !== "select" && table === "company_state";
      if (isSnapshot) come(table === undefined ? statement : `${verb} ${table}`);
      if (statement === "commit") isSnapshot = false;
      return send(query, ...more);
    },
  });
});
const { company, pollSeconds } = plan;
const connection = { ...plan.api, company, name: company };
const upstream = createUpstream({
  connection,
  clock,
  random: () => 0.5,
  log,
  database,
  requestsPerMinute: 1_000,
  tokenRequestsPerMinute: 1_000,
  pollSeconds,
  databaseNowMs: clock.nowMs,
  limits: { ...HTTP_LIMITS, wholeMs: 60_000 },
  onRequest: () => come("answered"),
});
let asOfMs: number | null = null;
const collector = createCollector({
  database,
  clock,
  random: () => 0.5,
  log,
  companies: fixedCompanies([{ connection, upstream }]),
  pollSeconds,
  pollsPerWindow: 1_000,
  retentionDays: 90,
  reportTimeZone: "UTC",
  incidents: INCIDENT_SETTINGS,
  disk: { isLow: () => Promise.resolve(false) },
  onPublish({ state }) {
    if (state.asOfMs === asOfMs) return;
    asOfMs = state.asOfMs;
    come("recorded");
    stepsLeft = Infinity;
    process.send?.("looked");
  },
});
process.on("message", (look: Look) => {
  stepsLeft = look.killAt ?? Infinity;
  void clock.advance(look.nowMs - clock.nowMs());
});
stepsLeft = first.killAt ?? Infinity;
collector.start();

function nextLook(): Promise<Look> {
  return new Promise((resolve) => void process.once("message", resolve));
}
