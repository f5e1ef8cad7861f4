import { expect } from "vitest";
import { sampleRows } from "@/e2e/upstream/sample-rows";
import { MINUTE_MS } from "@/lib/domain/time/units";
import { createManualClock } from "@/lib/server/manual-clock";
import { freshDatabaseTest } from "@/lib/server/store/test-database";
import { startCrowd, startCrowdedHost } from "./crowded-host-fixture";

const START_MS = Date.parse("2026-03-02T12:00:00Z");
const COMPANIES = 500;
/** Ten times the usual budget. */
const LIMITS = { requestsPerMinute: 600, tokenRequestsPerMinute: 100 };

const test = freshDatabaseTest();

test(
  "no company gets a second token while others have none",
  { timeout: 120_000 },
  async ({ db }) => {
    const clock = createManualClock(START_MS);
    const rows = sampleRows(1, START_MS);
    const host = await startCrowdedHost(clock, LIMITS, () => rows);
    const crowd = startCrowd({
      clock,
      database: db.database,
      host,
      limits: LIMITS,
      count: COMPANIES,
    });
    try {
      await crowd.start();
      await crowd.pass(MINUTE_MS / 6);
      const clients = host.tokenRequests.map(({ clientId }) => clientId);
      expect(clients.length).toBeGreaterThanOrEqual(LIMITS.tokenRequestsPerMinute);
      expect(new Set(clients).size).toBe(clients.length);
      expect(host.refused()).toBe(0);
    } finally {
      await crowd.stop();
      await host.close();
    }
  },
);
