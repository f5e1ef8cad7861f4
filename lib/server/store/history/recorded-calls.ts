import type { Database } from "@/lib/server/store/database";
import { iso } from "@/lib/domain/time/instant";
import { forEndpoints } from "./for-endpoints";

/** Samples are taken at least every 15 minutes while polling; older ones are stale. */
const SAMPLE_HOLDS_MS = 30 * 60_000;

/**
 * The last sample of `api_calls_last_24h` at or before each timestamp; null where there is none recent enough.
 * Returns an entry for every endpoint.
 * @param rhythmMs current poll interval, which may be longer than usual
 */
export async function readCallsAt(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  instantsMs: readonly number[],
  rhythmMs: number,
): Promise<Map<string, (number | null)[]>> {
  const rows = await forEndpoints<{ id: string; read: (number | null)[] }>(
    database,
    `select wanted.id, json_agg(sample.value order by instant.n) as read
     from unnest($2::text[]) as wanted(id)
     cross join unnest($3::timestamptz[]) with ordinality as instant(at, n)
     left join lateral (
       select value from call_samples
       where company = $1 and endpoint_id = wanted.id
         and sampled_at <= instant.at and sampled_at > instant.at - make_interval(secs => $4)
       order by sampled_at desc limit 1
     ) sample on true
     group by wanted.id`,
    [company, endpointIds, instantsMs.map(iso), Math.max(SAMPLE_HOLDS_MS, 2.5 * rhythmMs) / 1000],
  );
  return new Map(rows.map((row) => [row.id, row.read]));
}
