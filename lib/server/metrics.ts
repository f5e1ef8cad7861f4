import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import type { RecordingStopped } from "./recording";
import { VERDICTS, type Verdict } from "@/lib/domain/sync";

/** What an open incident can be; `unknown`: we can't tell. */
export const INCIDENT_VERDICTS = ["failing", "stale", "late", "unknown"] as const;
type IncidentVerdict = (typeof INCIDENT_VERDICTS)[number];

export const DELIVERY_STATES = ["queued", "unknown", "sent", "failed"] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];

/** What `/metrics` tells of one company at the moment of asking. */
type CompanyGauges = {
  company: string;
  /** Null before the first snapshot. */
  snapshotAgeSeconds: number | null;
  verdicts: Readonly<Record<Verdict, number>>;
  /** Its open incidents by their worst verdict now; null while the database does not answer. */
  incidents: Readonly<Record<IncidentVerdict, number>> | null;
};

/** What `/metrics` tells of the request budget of one upstream host. */
export type BudgetGauges = { host: string; used: number; limit: number };

export type Metrics = {
  countUpstreamRequest(labels: { host: string; lane: string; outcome: string }): void;
  /** @param why there was no room, or it failed */
  countBackupNotMade(why: string): void;
  /** @param address the address that answered, as in the file tree; null for pages, files and refusals */
  observeHttp(
    method: string,
    url: string,
    address: string | null,
    status: number,
    milliseconds: number,
  ): void;
  /** The text of `/metrics`, with the gauges read now. */
  exposition(now: {
    companies: readonly CompanyGauges[];
    budgets: readonly BudgetGauges[];
    /** Null while the database does not answer. */
    displays: { paired: number; seen: number } | null;
    /** The newest in this instance's DATA_DIR; null: there is none. */
    backup: { atMs: number; bytes: number } | null;
    /** Messages by state, and how long the oldest waits that isn't settled; null while the database does not answer. */
    deliveries: {
      byState: Readonly<Record<DeliveryState, number>>;
      oldestSeconds: number;
    } | null;
    /** Why what is seen is not recorded now; null: it is. */
    recordingStopped: RecordingStopped["reason"] | null;
  }): Promise<{ contentType: string; text: string }>;
};

const STOPPED_REASONS = ["disk_full", "database_away"] as const;

/** Methods worth a label of their own; a client may send any word. */
const METHODS = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);

/** Creates the process's metrics on a registry of their own, with Node's (event-loop delay, memory). */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 20 });

  const upstreamRequests = new Counter({
    name: "plumbline_upstream_requests_total",
    help: "Requests sent to an upstream, by outcome",
    labelNames: ["host", "lane", "outcome"],
    registers,
  });
  const http = new Histogram({
    name: "plumbline_http_request_duration_seconds",
    help: "Time from a request's headers to its last byte",
    labelNames: ["method", "route", "status"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
    registers,
  });
  const budgetUsed = new Gauge({
    name: "plumbline_upstream_budget_used",
    help: "Requests sent to an upstream host within the last minute, by all instances",
    labelNames: ["host"],
    registers,
  });
  const budgetLimit = new Gauge({
    name: "plumbline_upstream_budget_limit",
    help: "Requests a minute that we allow ourselves for an upstream host",
    labelNames: ["host"],
    registers,
  });
  const snapshotAge = new Gauge({
    name: "plumbline_snapshot_age_seconds",
    help: "Age of a company's last complete snapshot",
    labelNames: ["company"],
    registers,
  });
  const endpoints = new Gauge({
    name: "plumbline_endpoints",
    help: "Endpoints of a company by verdict, at its last snapshot",
    labelNames: ["company", "verdict"],
    registers,
  });

  const incidentsOpen = new Gauge({
    name: "plumbline_incidents_open",
    help: "Open incidents of a company by their worst verdict now; unknown: we can't tell",
    labelNames: ["company", "verdict"],
    registers,
  });

  const deliveries = new Gauge({
    name: "plumbline_deliveries",
    help: "Messages in the outbox, by what became of them: queued, unknown, sent or failed",
    labelNames: ["state"],
    registers,
  });
  const deliveryAge = new Gauge({
    name: "plumbline_delivery_oldest_seconds",
    help: "Age of the oldest message that is neither sent nor given up; 0: there is none",
    registers,
  });

  const displaysPaired = new Gauge({
    name: "plumbline_displays_paired",
    help: "Paired displays",
    registers,
  });
  const displaysSeen = new Gauge({
    name: "plumbline_displays_seen",
    help: "Paired displays that connected within the last five minutes",
    registers,
  });

  const backupTime = new Gauge({
    name: "plumbline_backup_last_timestamp_seconds",
    help: "When the newest backup in DATA_DIR was made, in Unix time",
    registers,
  });
  const backupBytes = new Gauge({
    name: "plumbline_backup_last_bytes",
    help: "Size of the newest backup in DATA_DIR",
    registers,
  });
  const backupsNotMade = new Counter({
    name: "plumbline_backup_not_made_total",
    help: "How often a daily backup was due and not made, by reason: disk or error",
    labelNames: ["reason"],
    registers,
  });

  const recordingStopped = new Gauge({
    name: "plumbline_recording_stopped",
    help: "1 while what is seen is not recorded, by reason: disk_full or database_away",
    labelNames: ["reason"],
    registers,
  });

  /** By their labels, which are few: finding them anew takes longer than counting. */
  const observers = new Map<string, { observe(seconds: number): void }>();

  return {
    countUpstreamRequest: ({ host, lane, outcome }) =>
      upstreamRequests.inc({ host, lane, outcome }),
    observeHttp(method, url, address, status, milliseconds) {
      const known = METHODS.has(method) ? method : "other";
      const route = address ?? routeLabel(url);
      const key = `${known} ${route} ${status}`;
      const observed = observers.get(key) ?? http.labels(known, route, String(status));
      observers.set(key, observed);
      observed.observe(milliseconds / 1000);
    },
    countBackupNotMade: (reason) => backupsNotMade.inc({ reason }),
    async exposition(now) {
      const { companies, budgets, displays, backup, recordingStopped: stopped } = now;
      for (const reason of STOPPED_REASONS) {
        recordingStopped.set({ reason }, reason === stopped ? 1 : 0);
      }
      for (const gauge of [budgetUsed, budgetLimit, snapshotAge, endpoints, incidentsOpen])
        gauge.reset();
      for (const state of DELIVERY_STATES)
        deliveries.set({ state }, now.deliveries?.byState[state] ?? Number.NaN);
      deliveryAge.set(now.deliveries?.oldestSeconds ?? Number.NaN);
      displaysPaired.set(displays?.paired ?? Number.NaN);
      displaysSeen.set(displays?.seen ?? Number.NaN);
      backupTime.set(backup === null ? Number.NaN : backup.atMs / 1000);
      backupBytes.set(backup?.bytes ?? Number.NaN);
      for (const { host, used, limit } of budgets) {
        budgetUsed.set({ host }, used);
        budgetLimit.set({ host }, limit);
      }
      for (const { company, snapshotAgeSeconds, verdicts, incidents } of companies) {
        if (snapshotAgeSeconds !== null) snapshotAge.set({ company }, snapshotAgeSeconds);
        for (const verdict of VERDICTS) endpoints.set({ company, verdict }, verdicts[verdict]);
        if (incidents === null) continue;
        for (const verdict of INCIDENT_VERDICTS)
          incidentsOpen.set({ company, verdict }, incidents[verdict]);
      }
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/**
 * The address's kind: a small closed set, so that no client can grow the metrics without bound.
 * @param url path and query as they came
 */
export function routeLabel(url: string): string {
  const [path = "/"] = url.split("?");
  const segments = path.split("/").filter((segment) => segment !== "");
  const [first, second] = segments;
  if (first === undefined) return "/";
  if (first === "_next") return "/_next";
  if (first === "api") return "/api/other";
  if (PAGES.has(first)) return `/${first}`;
  return second === undefined ? "/[company]" : "/[company]/other";
}

const PAGES = new Set(["pair", "signin", "wall"]);
