import type { Database } from "@/lib/server/store/database";
import { iso } from "@/lib/domain/time/instant";
import { mapSteps } from "@/lib/domain/steps";
import { inSlices } from "@/lib/server/slices";
import { forEndpoints, MOMENTS_PER_QUERY } from "./for-endpoints";
import { readRolledUpCalls, type RolledUpReading } from "./rolled-up-calls";

/** Of fewer endpoints samples are read: a rolled-up row holds those of the whole company. */
const MIN_ROLLED_UP = 50;
/** Some 10 to 25 ms of the database, far from the statement timeout also where each waits for the disk. */
const READINGS_PER_QUERY = 1_200;
/** Samples are taken at least every 15 minutes while polling; older ones are stale. */
const SAMPLE_HOLDS_MS = 30 * 60_000;

/**
 * The last sample of `api_calls_last_24h` at or before each timestamp; null where there is none recent enough.
 * Returns an entry for every endpoint. What is rolled up is as it was then.
 * @param rhythmMs current poll interval, which may be longer than usual
 */
export async function readCallsAt(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  instantsMs: readonly number[],
  rhythmMs: number,
): Promise<Map<string, (number | null)[]>> {
  if (endpointIds.length < MIN_ROLLED_UP)
    return readSamplesAt(database, company, endpointIds, instantsMs, rhythmMs);
  const rolledUp = await readRolledUpCalls(database, company, instantsMs);
  const otherMs = instantsMs.filter((atMs) => !rolledUp.has(atMs));
  const others = await readSamplesAt(database, company, endpointIds, otherMs, rhythmMs);
  const readingAt = instantsMs.map((atMs) => rolledUp.get(atMs) ?? null);
  const joinOf = (id: string): [string, (number | null)[]] => {
    const rest = (others.get(id) ?? []).values();
    const valueIn = ({ places, values }: RolledUpReading) => values[places.get(id) ?? -1] ?? null;
    return [
      id,
      readingAt.map((reading) =>
        reading === null ? (rest.next().value ?? null) : valueIn(reading),
      ),
    ];
  };
  return new Map(await inSlices(mapSteps(endpointIds, joinOf)));
}

/** The same, from samples only. */
export async function readSamplesAt(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  instantsMs: readonly number[],
  rhythmMs: number,
): Promise<Map<string, (number | null)[]>> {
  if (instantsMs.length === 0) return new Map(endpointIds.map((id) => [id, []]));
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
    Math.max(1, Math.min(MOMENTS_PER_QUERY, Math.floor(READINGS_PER_QUERY / instantsMs.length))),
  );
  return new Map(rows.map((row) => [row.id, row.read]));
}
