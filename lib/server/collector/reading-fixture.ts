import { INCIDENT_SETTINGS } from "@/lib/domain/incidents/settings-fixture";
import { createLog } from "@/lib/server/log";
import type { ManualClock } from "@/lib/server/manual-clock";
import type { Database } from "@/lib/server/store/database";
import { createUpstream } from "@/lib/server/upstream/client";
import { createConnections, type Connections } from "@/lib/server/upstream/connections";
import type { Connection } from "@/lib/server/upstream/upstream";
import { createCollector } from "./collector";
import type { createFileIndexer } from "./file-index";
import { createSnapshots, type Snapshots } from "./snapshots";

const log = createLog("silent");

/**
 * Starts what one process runs to poll its companies once a minute.
 * @param first the initial companies
 * @param signal aborts requests of the connections
 * @returns `parts`: dependencies for other upstream readers
 */
export async function startReading(
  database: Database,
  clock: ManualClock,
  first: readonly Connection[],
  signal: AbortSignal,
): Promise<{
  connections: Connections;
  snapshots: Snapshots;
  parts: Parameters<typeof createFileIndexer>[0];
  stop(): Promise<void>;
}> {
  const connections = createConnections({
    first,
    clock,
    signal,
    open: (connection, ends) =>
      createUpstream({
        connection,
        clock,
        random: () => 0.5,
        log,
        database,
        requestsPerMinute: 6_000,
        tokenRequestsPerMinute: 100,
        pollSeconds: 60,
        databaseNowMs: clock.nowMs,
        ...ends,
      }),
  });
  const snapshots = createSnapshots({ database, clock, log });
  const parts = {
    database,
    clock,
    random: () => 0.5,
    log,
    companies: connections,
    pollSeconds: 60,
    disk: { isLow: () => Promise.resolve(false) },
  };
  const collector = createCollector({
    ...parts,
    pollsPerWindow: 3_998,
    retentionDays: 90,
    reportTimeZone: "UTC",
    incidents: INCIDENT_SETTINGS,
    onPublish: (snapshot) => snapshots.publish(snapshot),
  });
  await snapshots.start();
  collector.start();
  return {
    connections,
    snapshots,
    parts,
    stop: async () => void (await Promise.all([collector.stop(), snapshots.stop()])),
  };
}
