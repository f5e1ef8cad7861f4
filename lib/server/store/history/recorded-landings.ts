import type { LandingGroup, Period } from "@/lib/domain/history";
import type { Database } from "@/lib/server/store/database";
import { iso } from "@/lib/domain/time/instant";
import { forEndpoints, perQueryOf } from "./for-endpoints";

type LandingHistory = { beforeMs: number | null; groups: LandingGroup[] };

/**
 * Landings grouped into buckets of `groupMs`, and the last one before the period. Returns an entry for every
 * endpoint.
 */
export async function readLandingGroups(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs }: Period,
  groupMs: number,
): Promise<Map<string, LandingHistory>> {
  type Row = { id: string; before: Date | null; groups: [number, number, number, number][] | null };
  const rows = await forEndpoints<Row>(
    database,
    `select wanted.id, before.landed_at as before, grouped.groups
     from unnest($2::text[]) as wanted(id)
     left join lateral (
       select landed_at from landings
       where company = $1 and endpoint_id = wanted.id and landed_at < $3
       order by landed_at desc limit 1
     ) before on true
     cross join lateral (
       select json_agg(json_build_array(first_ms, last_ms, n, gap_ms) order by first_ms) as groups
       from (
         select min(at_ms) as first_ms, max(at_ms) as last_ms, count(*) as n,
           coalesce(max(gap_ms), 0) as gap_ms
         from (
           select at_ms, bucket, at_ms - lag(at_ms) over (partition by bucket order by at_ms) as gap_ms
           from (
             select round(date_part('epoch', landed_at) * 1000) as at_ms,
               floor(date_part('epoch', landed_at - $3::timestamptz) / $5) as bucket
             from landings
             where company = $1 and endpoint_id = wanted.id and landed_at >= $3 and landed_at < $4
           ) landing
         ) landing
         group by bucket
       ) landed
     ) grouped`,
    [company, endpointIds, iso(fromMs), iso(untilMs), groupMs / 1000],
    perQueryOf({ fromMs, untilMs }),
  );
  return new Map(
    rows.map((row) => {
      const groups = (row.groups ?? []).map(([first_ms, last_ms, count, longest_gap_ms]) => ({
        first_ms,
        last_ms,
        count,
        longest_gap_ms,
      }));
      return [row.id, { beforeMs: row.before?.getTime() ?? null, groups }];
    }),
  );
}
