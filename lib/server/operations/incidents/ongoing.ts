import { createBatchedCache, type BatchedCache } from "@/lib/server/cache/batched-cache";
import { heldOngoing } from "@/lib/server/cache/held-ongoing";
import type { CompanySnapshot, Snapshots } from "@/lib/server/collector/snapshots";
import type { Clock } from "@/lib/server/clock";
import type { Log } from "@/lib/server/log";
import type { MaybePromise } from "@/lib/server/maybe-promise";
import type { Database } from "@/lib/server/store/database";
import { readOngoing, type Ongoing } from "@/lib/server/store/incidents/read-ongoing";

export type OngoingRuntime = {
  database: Database;
  clock: Clock;
  snapshots: Pick<Snapshots, "get">;
  log: Pick<Log, "warn" | "info">;
};

const MAX_COMPANIES = 10_000;

/**
 * Open incidents, quiet times and ownership of some companies, as of their latest snapshots; from memory unless a
 * snapshot or a person changed something. While the database doesn't answer, what is remembered.
 * @returns an entry for every company
 */
export function ongoingOf(
  runtime: OngoingRuntime,
  companies: readonly string[],
): MaybePromise<ReadonlyMap<string, Ongoing>> {
  const { snapshots } = runtime;
  return cacheOf(runtime).get(
    companies.map((key) => ({ key, version: snapshots.get(key)?.state.version ?? 0 })),
  );
}

function cacheOf({ database, clock, snapshots, log }: OngoingRuntime): BatchedCache<Ongoing> {
  const held = heldOngoing<Ongoing>(database);
  held.cache ??= createBatchedCache<Ongoing>({
    read(companies) {
      const nowMs = clock.nowMs();
      const offsets = companies.map((company) => offsetOf(snapshots.get(company)));
      const quietFromMs = Math.floor(nowMs + Math.min(...offsets));
      return readOngoing(database, companies, { nowMs, quietFromMs });
    },
    what: "open incidents",
    clock,
    log,
    most: MAX_COMPANIES,
  });
  return held.cache;
}

const offsetOf = (snapshot: CompanySnapshot | null) => snapshot?.state.apiClockOffsetMs ?? 0;
