import { readFileSync } from "node:fs";
import pino from "pino";
import { expect, test } from "vitest";
import { rowFixture } from "@/lib/contracts/row-fixture";
import { HOUR_MS } from "@/lib/domain/time/units";
import { createSnapshots } from "@/lib/server/collector/snapshots";
import { createManualClock } from "@/lib/server/manual-clock";
import { stateFixture } from "@/lib/server/operations/sync/state-fixture";
import type { Database } from "@/lib/server/store/database";
import type { Connection } from "@/lib/server/upstream/upstream";
import { companyMetrics } from "./company-metrics";

const START_MS = Date.parse("2026-03-02T12:00:00Z");

function installation(companies: readonly Partial<Connection>[]) {
  const clock = createManualClock(START_MS);
  const log = pino({ level: "silent" });
  const snapshots = createSnapshots({ database: {} as Database, clock, log });
  const connections = companies.map((one) => ({
    baseUrl: "https://api.example:8443/api/v3",
    browser: undefined,
    ...one,
  })) as Connection[];
  for (const { company } of connections)
    snapshots.publish({
      company,
      state: stateFixture(START_MS),
      rows: (["fresh", "fresh", "late"] as const).map((verdict, at) =>
        rowFixture({ id: String(at), verdict }),
      ),
    });
  const runtime = {
    snapshots,
    connections,
    config: { requestsPerMinute: 60 },
    recording: { stopped: () => null },
    leftCompanies: { get: () => null },
  };
  return { runtime, clock };
}

const PAUSED = { pausedAtMs: START_MS, isSecretReadable: true } as NonNullable<
  Connection["browser"]
>;
const NOT_COUNTED = { open: null, used: null };

async function samplesOf(text: Promise<string>): Promise<string[]> {
  return (await text).split("\n").filter((line) => line.startsWith("plumbline_"));
}

test("has the endpoints of a company by verdict, its open incidents and the age of its snapshot", async () => {
  const { runtime, clock } = installation([{ company: "main" }]);
  await clock.advance(42_000);
  const open = [
    { company: "main", verdict: "failing" as const, open: 2 },
    { company: "another", verdict: "stale" as const, open: 7 },
  ];
  const samples = await samplesOf(companyMetrics(runtime, { open, used: null }));
  expect(samples).toEqual(
    expect.arrayContaining([
      'plumbline_snapshot_age_seconds{company="main"} 42',
      'plumbline_connection_paused{company="main"} 0',
      'plumbline_endpoints{company="main",verdict="fresh"} 2',
      'plumbline_endpoints{company="main",verdict="late"} 1',
      'plumbline_endpoints{company="main",verdict="failing"} 0',
      'plumbline_incidents_open{company="main",verdict="failing"} 2',
      'plumbline_incidents_open{company="main",verdict="stale"} 0',
    ]),
  );
  expect(samples.filter((line) => line.includes("another"))).toEqual([]);
});

test("counts nothing that isn't known: blind companies, and incidents without the database", async () => {
  const { runtime, clock } = installation([{ company: "main" }]);
  await clock.advance(HOUR_MS);
  const samples = await samplesOf(companyMetrics(runtime, NOT_COUNTED));
  expect(samples).toContain('plumbline_snapshot_age_seconds{company="main"} 3600');
  const counts =
    /^plumbline_(?:endpoints|incidents_open|upstream_budget_used|upstream_budget_limit)\{/;
  expect(samples.filter((line) => counts.test(line))).toEqual([]);
});

test("has no age of a company that was never read, which an alert notices by its connection", async () => {
  const { runtime } = installation([{ company: "main" }]);
  const never = { ...runtime.connections[0], company: "never" } as Connection;
  const samples = await samplesOf(
    companyMetrics({ ...runtime, connections: [...runtime.connections, never] }, NOT_COUNTED),
  );
  expect(samples).toContain('plumbline_connection_paused{company="never"} 0');
  expect(samples).toContain('plumbline_snapshot_age_seconds{company="main"} 0');
  expect(samples.join()).not.toContain('plumbline_snapshot_age_seconds{company="never"}');
  const rule =
    "expr: max by (company) (plumbline_connection_paused) == 0 unless on (company) plumbline_snapshot_age_seconds\n";
  for (const file of ["deploy/grafana/alerts.yaml", "docs/operating.md"])
    expect(readFileSync(file, "utf8")).toContain(rule);
});

test("has the requests of a host once, for all of its companies", async () => {
  const { runtime } = installation([
    { company: "first" },
    { company: "second" },
    { company: "third", baseUrl: "http://other.example/v3" },
  ]);
  const used = new Map([["https://api.example:8443", 3]]);
  const samples = await samplesOf(companyMetrics(runtime, { open: null, used }));
  const ofHosts = samples.filter((line) => line.startsWith("plumbline_upstream_"));
  expect(ofHosts).toEqual([
    'plumbline_upstream_budget_used{host="api.example:8443"} 3',
    'plumbline_upstream_budget_used{host="other.example"} 0',
    'plumbline_upstream_budget_limit{host="api.example:8443"} 60',
    'plumbline_upstream_budget_limit{host="other.example"} 60',
    'plumbline_upstream_companies{host="api.example:8443"} 2',
    'plumbline_upstream_companies{host="other.example"} 1',
    'plumbline_upstream_companies_limit{host="api.example:8443"} 38',
    'plumbline_upstream_companies_limit{host="other.example"} 38',
  ]);
});

test("has no budget of a host whose connections are all paused", async () => {
  const { runtime } = installation([{ company: "main", browser: PAUSED }]);
  const samples = await samplesOf(companyMetrics(runtime, { open: null, used: new Map() }));
  expect(samples).toContain('plumbline_connection_paused{company="main"} 1');
  expect(samples).toContain('plumbline_upstream_companies{host="api.example:8443"} 1');
  expect(samples.filter((line) => line.startsWith("plumbline_upstream_budget"))).toEqual([]);
});
