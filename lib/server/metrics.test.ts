import { expect, test } from "vitest";
import { createMetrics, routeLabel } from "./metrics";

test.each([
  ["/", "/"],
  ["/signin?callbackUrl=%2F", "/signin"],
  ["/northgate", "/[company]"],
  ["/northgate/partners/Sage%20300", "/[company]/other"],
  ["/api/unheard-of", "/api/other"],
  ["/_next/static/chunks/a.js", "/_next"],
])("labels %s as %s", (url, label) => {
  expect(routeLabel(url)).toBe(label);
});

test("labels an unknown method as other", async () => {
  const metrics = createMetrics();
  metrics.observeHttp("BREW", "/", null, 405, 3);
  metrics.observeHttp("GET", "/api/wall?x=1", "/api/wall", 200, 3);
  const { text } = await metrics.exposition({
    cores: null,
    displays: null,
    backup: null,
    deliveries: null,
    recordingStopped: null,
  });
  expect(text).toContain('method="other",route="/",status="405"');
  expect(text).toContain('method="GET",route="/api/wall",status="200"');
  expect(text).not.toContain("BREW");
});

test("exposes the gauges of the process, of what is known", async () => {
  const metrics = createMetrics();
  const first = await metrics.exposition({
    cores: 0.06,
    displays: { paired: 3, seen: 2 },
    backup: { atMs: 1_772_420_400_000, bytes: 4_711 },
    deliveries: null,
    recordingStopped: "disk_full",
  });
  expect(first.text).toContain("plumbline_core_use_ratio 0.06");
  expect(first.text).toContain("plumbline_displays_paired 3");
  expect(first.text).toContain("plumbline_displays_seen 2");
  expect(first.text).toContain("plumbline_backup_last_timestamp_seconds 1772420400");
  expect(first.text).toContain("plumbline_backup_last_bytes 4711");
  expect(first.text).toContain('plumbline_backup_not_made_total{reason="disk"} 0');
  expect(first.text).toContain('plumbline_backup_not_made_total{reason="error"} 0');
  expect(first.text).toContain('plumbline_recording_stopped{reason="disk_full"} 1');
  expect(first.text).toContain('plumbline_recording_stopped{reason="database_away"} 0');
  expect(first.text).toContain("nodejs_eventloop_lag_p99_seconds");
  const second = await metrics.exposition({
    cores: null,
    displays: null,
    backup: null,
    deliveries: null,
    recordingStopped: null,
  });
  // Not measured yet, which isn't 0.
  expect(second.text).toContain("plumbline_core_use_ratio Nan\n");
});
