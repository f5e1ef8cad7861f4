import { eq, sql } from "drizzle-orm";
import { batches } from "@/lib/server/store/batches";
import type { Database } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";
import { gaps, landings, runs } from "@/lib/server/store/schema/record";
import { prepared, type Prepared } from "@/lib/server/store/statements/prepared";
import type { RunRecord } from "./records";

/** Recent history of one endpoint. Timestamps are epoch milliseconds on the API clock. */
export type EndpointHistory = {
  /** Newest first. */
  runs: readonly Omit<RunRecord, "endpointId">[];
  /** Ascending. */
  landingsMs: readonly number[];
};

/** Enough for a 95th percentile and for any relevant failure streak. */
export const RECENT_RUNS = 100;
/** Enough for a median that follows a changed cadence. */
export const RECENT_LANDINGS = 30;
const ENDPOINTS_PER_QUERY = 200;

/** A list for each column, because one value per row and column would take several times as long to read. */
const READ: Prepared<{ company: string; ids: readonly string[] }> = prepared(
  "read_endpoint_histories",
  sql`select wanted.id, (
      select json_build_array(
        json_agg(${sql.raw(epochMs("started_at"))}), json_agg(${sql.raw(epochMs("finished_at"))}),
        json_agg(status), json_agg(duration_seconds))
      from (
        select started_at, finished_at, status, duration_seconds from ${runs}
        where company = ${sql.placeholder("company")} and endpoint_id = wanted.id
        order by started_at desc limit ${sql.raw(String(RECENT_RUNS))}
      ) recent
    ) as runs, (
      select json_agg(${sql.raw(epochMs("landed_at"))} order by landed_at)
      from (
        select landed_at from ${landings}
        where company = ${sql.placeholder("company")} and endpoint_id = wanted.id
        order by landed_at desc limit ${sql.raw(String(RECENT_LANDINGS))}
      ) recent
    ) as landings
    from unnest(${sql.placeholder("ids")}::text[]) as wanted (id)`,
);

type Read = {
  id: string;
  runs: [
    startedMs: number[] | null,
    finishedMs: (number | null)[] | null,
    statuses: (string | null)[] | null,
    durationsSeconds: (number | null)[] | null,
  ];
  landings: number[] | null;
};

/** Recent runs and landings of endpoints; returns an entry for each, possibly empty. */
export async function readEndpointHistories(
  { pool }: Pick<Database, "pool">,
  company: string,
  endpointIds: readonly string[],
): Promise<Map<string, EndpointHistory>> {
  const histories = new Map<string, EndpointHistory>();
  for (const ids of batches(endpointIds, ENDPOINTS_PER_QUERY)) {
    const { rows } = await pool.query<Read>(READ({ company, ids }));
    for (const {
      id,
      runs: [started, finished, statuses, durations],
      landings: landed,
    } of rows)
      histories.set(id, {
        runs: (started ?? []).map((startedMs, at) => ({
          startedMs,
          finishedMs: finished?.[at] ?? null,
          status: statuses?.[at] ?? null,
          durationSeconds: durations?.[at] ?? null,
        })),
        landingsMs: landed ?? [],
      });
  }
  return histories;
}

/** Gaps of a company; timestamps on the API clock. */
export async function readGaps(
  database: Database,
  company: string,
): Promise<{ fromMs: number; untilMs: number }[]> {
  const rows = await database.orm.select().from(gaps).where(eq(gaps.company, company));
  return rows.map((row) => ({ fromMs: row.fromAt.getTime(), untilMs: row.untilAt.getTime() }));
}
