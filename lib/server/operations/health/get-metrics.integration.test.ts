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
        },
        database,
        clock,
        securityLog: runtime.securityLog,
        metrics: createMetrics(),
        snapshots: createSnapshots({ database, clock, log: runtime.log }),
        recording: { stopped: () => null },
        connections: [],
        upstreams: new Map(),
        leftCompanies: runtime.leftCompanies,
      },
      { address: "127.0.0.1", request: { headers: new Headers() } },
    );
  expect(await (await ask()).text()).toContain("plumbline_displays_paired 0\n");

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
