import { expect } from "vitest";
import { createSnapshots } from "@/lib/server/collector/snapshots";
import { appTest } from "@/lib/server/gate/app-fixture";
import { createMetrics } from "@/lib/server/metrics";
import { getMetrics } from "./get-metrics";

const test = appTest();

test("serves metrics within a second while the database hangs, without the database's own", async ({
  app,
}) => {
  const { database, clock, runtime } = app;
  const ask = () =>
    getMetrics(
      {
        config: {
          metricsToken: null,
          dataDir: "/nonexistent",
          hasEndpointMetrics: true,
          pollSeconds: 60,
          requestsPerMinute: 60,
        },
        database,
        clock,
        securityLog: runtime.securityLog,
        metrics: createMetrics(),
        coreMeter: { now: () => null },
        snapshots: createSnapshots({ database, clock, log: runtime.log }),
        recording: { stopped: () => null },
        connections: [],
        leftCompanies: runtime.leftCompanies,
      },
      { address: "127.0.0.1", request: { headers: new Headers() } },
    );
  const first = await (await ask()).text();
  expect(first).toContain("plumbline_displays_paired 0\n");
  // Not measured yet: not 0, which would be an idle machine.
  expect(first).toContain("plumbline_core_use_ratio Nan\n");

  const holder = await database.pool.connect();
  try {
    await holder.query("begin");
    await holder.query("lock table displays in access exclusive mode");
    const metrics = ask();
    while (clock.sleeping().length === 0) await new Promise(setImmediate);
    await clock.advance(1_000);
    expect(await (await metrics).text()).toContain("plumbline_displays_paired Nan\n");
  } finally {
    await holder.query("rollback");
    holder.release();
  }
});
