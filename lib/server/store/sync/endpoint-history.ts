import { eq } from "drizzle-orm";
import type { Database } from "@/lib/server/store/database";
import type { RunRecord } from "./records";
import { gaps } from "@/lib/server/store/schema/record";

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

/** Recent runs and landings of endpoints; returns an entry for each, possibly empty. */
export async function readEndpointHistories(
  database: Database,
  company: string,
  endpointIds: readonly string[],
): Promise<Map<string, EndpointHistory>> {
  const histories = new Map<string, EndpointHistory>();
  for (let from = 0; from < endpointIds.length; from += ENDPOINTS_PER_QUERY) {
    const ids = endpointIds.slice(from, from + ENDPOINTS_PER_QUERY);
    const runs = await readRuns(database, company, ids);
    const landings = await readLandings(database, company, ids);
    for (const id of ids)
      histories.set(id, { runs: runs.get(id) ?? [], landingsMs: landings.get(id) ?? [] });
  }
  return histories;
}

async function readRuns(
  database: Database,
  company: string,
  ids: readonly string[],
): Promise<Map<string, Omit<RunRecord, "endpointId">[]>> {
  type Row = {
    id: string;
    started_at: Date;
    finished_at: Date | null;
    status: string | null;
    duration_seconds: number | null;
  };
  const { rows } = await database.pool.query<Row>(
    `select wanted.id, recent.*
     from unnest($2::text[]) as wanted(id)
     cross join lateral (
       select started_at, finished_at, status, duration_seconds from runs
       where company = $1 and endpoint_id = wanted.id
       order by started_at desc limit $3
     ) recent
     order by wanted.id, recent.started_at desc`,
    [company, ids, RECENT_RUNS],
  );
  return grouped(rows, (row) => ({
    startedMs: row.started_at.getTime(),
    finishedMs: row.finished_at?.getTime() ?? null,
    status: row.status,
    durationSeconds: row.duration_seconds,
  }));
}

async function readLandings(
  database: Database,
  company: string,
  ids: readonly string[],
): Promise<Map<string, number[]>> {
  const { rows } = await database.pool.query<{ id: string; landed_at: Date }>(
    `select wanted.id, recent.landed_at
     from unnest($2::text[]) as wanted(id)
     cross join lateral (
       select landed_at from landings
       where company = $1 and endpoint_id = wanted.id
       order by landed_at desc limit $3
     ) recent
     order by wanted.id, recent.landed_at`,
    [company, ids, RECENT_LANDINGS],
  );
  return grouped(rows, (row) => row.landed_at.getTime());
}

/** Gaps of a company; timestamps on the API clock. */
export async function readGaps(
  database: Database,
  company: string,
): Promise<{ fromMs: number; untilMs: number }[]> {
  const rows = await database.orm.select().from(gaps).where(eq(gaps.company, company));
  return rows.map((row) => ({ fromMs: row.fromAt.getTime(), untilMs: row.untilAt.getTime() }));
}

function grouped<Row extends { id: string }, Value>(
  rows: readonly Row[],
  valueOf: (row: Row) => Value,
): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const row of rows) {
    const group = groups.get(row.id);
    if (group === undefined) groups.set(row.id, [valueOf(row)]);
    else group.push(valueOf(row));
  }
  return groups;
}
