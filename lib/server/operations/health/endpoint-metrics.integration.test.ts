import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { createMetrics } from "@/lib/server/metrics";
import { HOUR_MS } from "@/lib/domain/time/units";
import {
  incidentsTest,
  type Found,
  type IncidentsApp,
} from "@/lib/server/operations/incidents/incidents-fixture";
import { endpointMetrics } from "./endpoint-metrics";
import { getMetrics } from "./get-metrics";

const HOSTILE = 'a"} 1\nplumbline_endpoint_age_seconds{x="\\\u0000\r\ud800';
const FOUND: readonly Found[] = [
  { id: "1", partner: "Procore", key: "rfis", verdict: "stale", overdue: 200 },
  { id: "2", partner: "Procore", key: "events", verdict: "fresh" },
  { id: "3", partner: HOSTILE, key: HOSTILE, verdict: "fresh" },
];

const test = incidentsTest();
test.beforeEach(async ({ app }) => {
  await app.begin();
  await app.check("northgate", FOUND);
  await app.check("harbour", [{ id: "h", partner: "Sage", key: "costs", verdict: "fresh" }]);
});

const runtimeOf = ({ handlersRuntime }: IncidentsApp) => handlersRuntime;
const samplesOf = (text: string) =>
  text.split("\n").filter((line) => line.startsWith("plumbline_"));

test("has the age, the lateness and the verdict of every endpoint", async ({ app }) => {
  const lines = samplesOf(await endpointMetrics(runtimeOf(app)));
  const own = 'company="northgate",partner="Procore"';
  expect(lines).toEqual(
    expect.arrayContaining([
      'plumbline_endpoint_series{detail="endpoint"} 1',
      'plumbline_endpoint_series{detail="partner"} 0',
      `plumbline_endpoint_age_seconds{${own},endpoint_id="1",endpoint="rfis"} 15600`,
      `plumbline_endpoint_overdue_seconds{${own},endpoint_id="1",endpoint="rfis"} 12000`,
      `plumbline_endpoint_overdue_seconds{${own},endpoint_id="2",endpoint="events"} 0`,
      `plumbline_endpoint_verdict{${own},endpoint_id="1",endpoint="rfis",verdict="stale"} 1`,
      `plumbline_endpoint_verdict{${own},endpoint_id="2",endpoint="events",verdict="fresh"} 1`,
    ]),
  );
  expect(lines).toHaveLength(3 + 4 * 3);
});

test("keeps names that look like metrics inside of their labels", async ({ app }) => {
  const text = await endpointMetrics(runtimeOf(app));
  const label = /^[a-z_]+="(?:[^"\\\n]|\\["\\n])*"/;
  for (const line of samplesOf(text)) {
    let rest = line.slice(line.indexOf("{") + 1);
    while (label.test(rest)) rest = rest.replace(label, "").replace(/^,/, "");
    expect(rest).toMatch(/^\} [\d.]+$/);
  }
  expect(text).toContain('a\\"} 1\\nplumbline_endpoint_age_seconds{x=\\"\\\\\uFFFD\uFFFD\uFFFD');
});

test("has nothing of a company that we can't see", async ({ app }) => {
  await app.clock.advance(HOUR_MS);
  await app.check("harbour", [{ id: "h", partner: "Sage", key: "costs", verdict: "fresh" }]);
  const lines = samplesOf(await endpointMetrics(runtimeOf(app)));
  expect(lines.filter((line) => line.includes("northgate"))).toEqual([]);
  expect(lines.filter((line) => line.includes("harbour"))).toHaveLength(3);
});

test("has the worst of each partner where there are too many endpoints, and says so", async ({
  app,
}) => {
  const lines = samplesOf(await endpointMetrics(runtimeOf(app), 3));
  const own = 'company="northgate",partner="Procore"';
  expect(lines).toEqual(
    expect.arrayContaining([
      'plumbline_endpoint_series{detail="endpoint"} 0',
      'plumbline_endpoint_series{detail="partner"} 1',
      `plumbline_endpoint_age_seconds{${own}} 15600`,
      `plumbline_endpoint_overdue_seconds{${own}} 12000`,
      `plumbline_endpoint_verdict{${own},verdict="stale"} 1`,
    ]),
  );
  expect(lines).toHaveLength(3 + 3 * 3);
  const none = samplesOf(await endpointMetrics(runtimeOf(app), 2));
  expect(none).toHaveLength(3);
  expect(none).toContain('plumbline_endpoint_series{detail="none"} 1');
});

test("has no lateness where it isn't known", async ({ app }) => {
  await app.check("northgate", [
    { id: "1", partner: "Procore", key: "rfis", verdict: "unknown" },
    { id: "2", partner: "Procore", key: "events", verdict: "fresh" },
  ]);
  const overdueOf = async (most?: number) =>
    samplesOf(await endpointMetrics(runtimeOf(app), most)).filter(
      (line) => line.includes("overdue_seconds") && line.includes("Procore"),
    );
  const own = 'company="northgate",partner="Procore"';
  expect(await overdueOf()).toEqual([
    `plumbline_endpoint_overdue_seconds{${own},endpoint_id="2",endpoint="events"} 0`,
  ]);
  expect(await overdueOf(2)).toEqual([]);
});

test("has no series twice, also of names that become equal in labels", async ({ app }) => {
  await app.check("northgate", [
    { id: "1\u0001", partner: "Sage\u0001", key: "costs", verdict: "fresh" },
    { id: "1\u0002", partner: "Sage\u0002", key: "costs", verdict: "stale", overdue: 200 },
  ]);
  for (const most of [undefined, 2]) {
    const lines = samplesOf(await endpointMetrics(runtimeOf(app), most));
    const series = lines.map((line) => line.slice(0, line.lastIndexOf(" ")));
    expect(new Set(series).size).toBe(series.length);
    const own = lines.filter((line) => line.includes("Sage\uFFFD"));
    expect(own).toHaveLength(3);
    expect(own.at(-1)).toContain('verdict="stale"');
  }
});

test("lets other work run while it judges", async ({ app }) => {
  const many = Array.from({ length: 20_000 }, (_, at): Found => {
    return { id: `m${at}`, partner: "Procore", key: "rfis", verdict: "fresh" };
  });
  await app.check("northgate", many);
  let others = 0;
  const timer = setInterval(() => (others += 1), 0);
  await endpointMetrics(runtimeOf(app));
  clearInterval(timer);
  expect(others).toBeGreaterThan(1);
});

type Given = { hasEndpointMetrics?: boolean; pausedAtMs?: number | null };

async function metricsOf(
  app: IncidentsApp,
  { hasEndpointMetrics = true, pausedAtMs = null }: Given = {},
): Promise<string> {
  const metrics = createMetrics();
  metrics.countUpstreamRequest({ host: "h", lane: "poll", outcome: "ok" });
  const browser = { pausedAtMs, isSecretReadable: true };
  const runtime = runtimeOf(app);
  const given = {
    ...runtime,
    securityLog: app.runtime.securityLog,
    metrics,
    upstreams: new Map(),
    coreMeter: { now: () => null },
    connections: [{ company: "northgate", baseUrl: "http://api.example/api/v3", browser }],
    config: {
      ...runtime.config,
      metricsToken: null,
      dataDir: "/nonexistent",
      hasEndpointMetrics,
    },
  } as never;
  const request = { headers: new Headers() };
  return (await getMetrics(given, { address: "127.0.0.1", request })).text();
}

test("counts no endpoints of a company that we can't see, and says that it's paused", async ({
  app,
}) => {
  const counts = 'plumbline_endpoints{company="northgate"';
  const seen = await metricsOf(app);
  expect(seen).toContain(counts);
  expect(seen).toContain('plumbline_connection_paused{company="northgate"} 0');
  await app.clock.advance(HOUR_MS);
  const blind = await metricsOf(app, { pausedAtMs: app.clock.nowMs() });
  expect(blind).not.toContain(counts);
  expect(blind).toContain('plumbline_connection_paused{company="northgate"} 1');
  expect(blind).toContain('plumbline_snapshot_age_seconds{company="northgate"}');
});

test("has every metric and label that the dashboard and the alerts use", async ({ app }) => {
  const text = await metricsOf(app);
  const without = await metricsOf(app, { hasEndpointMetrics: false });
  expect(without).not.toContain("plumbline_endpoint_");
  const known = new Map<string, Set<string>>();
  for (const [, name = ""] of text.matchAll(/^# TYPE (\w+)/gm)) known.set(name, new Set());
  for (const [, name = "", labels = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? /gm))
    for (const [, label = ""] of labels.matchAll(/(?:^|,)(\w+)="/g)) known.get(name)?.add(label);
  // No API answers here, so its budget has no series.
  for (const name of ["plumbline_upstream_budget_used", "plumbline_upstream_budget_limit"])
    known.set(name, new Set(["host"]));

  const files = ["dashboard.json", "alerts.yaml"].map((file) =>
    readFileSync(`deploy/grafana/${file}`, "utf8"),
  );
  const { panels } = JSON.parse(files[0] ?? "") as {
    panels: { targets: { expr: string }[] }[];
  };
  const expressions = [
    ...panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ...[...(files[1] ?? "").matchAll(/^ {8}expr: (.+)$/gm)].map(([, expr = ""]) => expr),
  ];
  expect(expressions.length).toBeGreaterThan(15);
  for (const expression of expressions) {
    const names = [...expression.matchAll(/plumbline_\w+/g)].map(([name]) => name);
    expect(names).not.toEqual([]);
    for (const name of names) expect([...known.keys()]).toContain(name);
    const labels = names.flatMap((name) => [...(known.get(name) ?? [])]);
    const grouped = [...expression.matchAll(/ by \(([^)]+)\)/g)].flatMap(([, all = ""]) =>
      all.split(", "),
    );
    const matched = [...expression.matchAll(/[{,](\w+)(?:=~|!=|=)"/g)].map(([, one = ""]) => one);
    for (const label of [...grouped, ...matched]) expect(labels).toContain(label);
  }
});
