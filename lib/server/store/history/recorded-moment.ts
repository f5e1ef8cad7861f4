import type { RecordedRun } from "@/lib/domain/history";
import { type Verdict } from "@/lib/domain/sync";
import type { Database } from "@/lib/server/store/database";
import { HELD_BEFORE, HELD } from "./recorded-verdicts";
import { iso } from "@/lib/domain/time/instant";
import { epochMs } from "@/lib/server/store/epoch-ms";
import { forEndpointsAsJson, MOMENTS_PER_QUERY } from "./for-endpoints";

/** Recorded state of an endpoint at a given time. */
export type EndpointAt = {
  /** Verdict in effect; null: unknown, or removed. */
  verdict: Verdict | null;
  landedMs: number | null;
  /** The last run started by then, with its eventual end. */
  run: RecordedRun | null;
};

/** Returns an entry for every endpoint. */
export async function readEndpointsAt(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  atMs: number,
): Promise<Map<string, EndpointAt>> {
  type Row = {
    id: string;
    held: Verdict | null;
    landed: number | null;
    started: number | null;
    finished: number | null;
    status: string | null;
    duration_seconds: number | null;
  };
  const rows = await forEndpointsAsJson<Row>(
    database,
    `select wanted.id, ${HELD} as held, ${epochMs("landing.landed_at")} as landed,
       ${epochMs("run.started_at")} as started, ${epochMs("run.finished_at")} as finished,
       run.status, run.duration_seconds
     from unnest($2::text[]) as wanted(id)
     ${HELD_BEFORE("$3")}
     left join lateral (
       select landed_at from landings
       where company = $1 and endpoint_id = wanted.id and landed_at < $3
       order by landed_at desc limit 1
     ) landing on true
     left join lateral (
       select started_at, finished_at, status, duration_seconds from runs
       where company = $1 and endpoint_id = wanted.id and started_at < $3
       order by started_at desc limit 1
     ) run on true`,
    // Includes events in the same millisecond.
    [company, endpointIds, iso(atMs + 1)],
    MOMENTS_PER_QUERY,
  );
  return new Map(
    rows.map((row) => {
      const run =
        row.started === null
          ? null
          : {
              startedMs: row.started,
              finishedMs: row.finished,
              status: row.status,
              durationSeconds: row.duration_seconds,
            };
      return [row.id, { verdict: row.held, landedMs: row.landed, run }];
    }),
  );
}
