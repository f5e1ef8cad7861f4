import type { PastRun } from "@/lib/domain/deadlines/rehearsed-warning";
import { iso } from "@/lib/domain/time/instant";
import type { Database } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";

/** A period of an endpoint, epoch milliseconds on the API's clock; `at` names it. */
export type WantedRuns = { at: number; id: string; fromMs: number; untilMs: number };

/**
 * Runs that started in each period, and the last one that started before; ascending, by `at`.
 * @param most rows
 * @returns null: there are more
 */
export async function readRunsAround(
  { pool }: Pick<Database, "pool">,
  company: string,
  wanted: readonly WantedRuns[],
  most: number,
): Promise<Map<number, PastRun[]> | null> {
  const runs = new Map<number, PastRun[]>();
  if (wanted.length === 0) return runs;
  const { rows } = await pool.query<{ at: number; started: number; finished: number | null }>(
    `select wanted.at, ${epochMs("own.started_at")} as started, ${epochMs("own.finished_at")} as finished
     from unnest($2::int[], $3::text[], $4::timestamptz[], $5::timestamptz[])
       as wanted (at, id, from_at, until_at)
     cross join lateral (
       (select started_at, finished_at from runs
        where company = $1 and endpoint_id = wanted.id and started_at <= wanted.from_at
        order by started_at desc limit 1)
       union all
       (select started_at, finished_at from runs
        where company = $1 and endpoint_id = wanted.id and started_at > wanted.from_at
          and started_at < wanted.until_at)
     ) own
     order by wanted.at, own.started_at limit $6`,
    [
      company,
      wanted.map(({ at }) => at),
      wanted.map(({ id }) => id),
      wanted.map(({ fromMs }) => iso(fromMs)),
      wanted.map(({ untilMs }) => iso(untilMs)),
      most + 1,
    ],
  );
  if (rows.length > most) return null;
  for (const { at, started, finished } of rows) {
    const own = runs.get(at) ?? [];
    runs.set(at, own);
    own.push({ startedMs: started, finishedMs: finished });
  }
  return runs;
}
