import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { METHODS } from "@/lib/server/http/routes/methods.mjs";
import { STOPPED_REASONS, type RecordingStopped } from "./recording";

export const DELIVERY_STATES = ["queued", "unknown", "sent", "failed"] as const;
type DeliveryState = (typeof DELIVERY_STATES)[number];

/** Processor time of this process, of all its threads; PostgreSQL is another process. */
export type CoreMeter = {
  /**
   * Of the last one to five minutes. `cores`: 1 is one core all the time; `overSeconds`: the period that was measured.
   * Null: none was yet.
   */
  now(): { cores: number; overSeconds: number } | null;
};

export type Metrics = {
  countUpstreamRequest(labels: { host: string; lane: string; outcome: string }): void;
  /** Counts a due backup that wasn't made. @param why label: lack of disk space, or an error */
  countBackupNotMade(why: string): void;
  /** @param address the address that answered, as in the file tree; null for pages, files and refusals */
  observeHttp(
    method: string,
    url: string,
    address: string | null,
    status: number,
    milliseconds: number,
  ): void;
  /** The response of `/metrics` without companies and endpoints, with these values of the gauges. */
  exposition(now: {
    /** Share of one core that this process uses; null: not measured yet. */
    cores: number | null;
    /** Null while the database doesn't answer. */
    displays: { paired: number; seen: number } | null;
    /** The newest backup in this instance's DATA_DIR; null: none. */
    backup: { atMs: number; bytes: number } | null;
    /** Messages by state, and the age of the oldest queued or unknown one; null while the database doesn't answer. */
    deliveries: {
      byState: Readonly<Record<DeliveryState, number>>;
      oldestSeconds: number;
    } | null;
    /** Why recording is stopped; null: it isn't. */
    recordingStopped: RecordingStopped["reason"] | null;
  }): Promise<{ contentType: string; text: string }>;
};

/** Creates a registry with the process's metrics, including Node's default ones (event-loop delay, memory). */
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
  const coreUse = new Gauge({
    name: "plumbline_core_use_ratio",
    help: "Share of one core that this process used in the last minutes, at most five; NaN: not measured yet",
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
  // From 0, so that the first is an increase, too.
  for (const reason of ["disk", "error"]) backupsNotMade.inc({ reason }, 0);

  const recordingStopped = new Gauge({
    name: "plumbline_recording_stopped",
    help: "1 while observations are not being recorded, by reason: disk_full, database_away, database_read_only or write_failed",
    labelNames: ["reason"],
    registers,
  });

  /** Histogram children by labels: prom-client's lookup takes longer than the observation itself. */
  const observers = new Map<string, { observe(seconds: number): void }>();

  return {
    countUpstreamRequest: ({ host, lane, outcome }) =>
      upstreamRequests.inc({ host, lane, outcome }),
    observeHttp(method, url, address, status, milliseconds) {
      // Methods that we don't support share one label.
      const known = METHODS.find((one) => one === method) ?? "other";
      const route = address ?? routeLabel(url);
      const key = `${known} ${route} ${status}`;
      const observed = observers.get(key) ?? http.labels(known, route, String(status));
      observers.set(key, observed);
      observed.observe(milliseconds / 1000);
    },
    countBackupNotMade: (reason) => backupsNotMade.inc({ reason }),
    async exposition(now) {
      const { displays, backup, recordingStopped: stopped } = now;
      for (const reason of STOPPED_REASONS) {
        recordingStopped.set({ reason }, reason === stopped ? 1 : 0);
      }
      coreUse.set(now.cores ?? Number.NaN);
      for (const state of DELIVERY_STATES)
        deliveries.set({ state }, now.deliveries?.byState[state] ?? Number.NaN);
      deliveryAge.set(now.deliveries?.oldestSeconds ?? Number.NaN);
      displaysPaired.set(displays?.paired ?? Number.NaN);
      displaysSeen.set(displays?.seen ?? Number.NaN);
      backupTime.set(backup === null ? Number.NaN : backup.atMs / 1000);
      backupBytes.set(backup?.bytes ?? Number.NaN);
      return { contentType: registry.contentType, text: await registry.metrics() };
    },
  };
}

/**
 * The label for an address, from a small fixed set, so that clients can't create unbounded labels.
 * @param url path and query as received
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
