import type { Period } from "@/lib/domain/history";
import {
  MIN_CADENCE_MS,
  MAX_SILENCES,
  type LocalDay,
  type Syncs,
} from "@/lib/domain/learned-week/learn-week";
import { iso } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Database } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";
import { forEndpoints } from "@/lib/server/store/history/for-endpoints";

/** An endpoint whose week can be learned. */
export type LearningFeed = { id: string; cadenceMs: number };

/** What its record says. Instants are epoch milliseconds on the API's clock. */
export type FeedRecord = {
  firstMs: number;
  /** Of each of the given days; empty, as the silences, where there are too many of them. */
  syncs: Syncs[];
  /** Between consecutive landings, where longer than two cadences, and since the last one until the record ends. */
  silences: Period[];
};

/** The active endpoints of a company that have a cadence at which weeks are learned. */
export async function readLearningFeeds(
  { pool }: Pick<Database, "pool">,
  company: string,
): Promise<LearningFeed[]> {
  const { rows } = await pool.query<LearningFeed>(
    `select endpoint_id as id, 60000 * coalesce(case when frequency_minutes > 0 then frequency_minutes end,
       learned_frequency_minutes) as "cadenceMs"
     from endpoints
     where company = $1 and removed_at is null and raw #>> '{attributes,status}' = 'active'
       and coalesce(case when frequency_minutes > 0 then frequency_minutes end, learned_frequency_minutes) >= $2
     order by endpoint_id`,
    [company, MIN_CADENCE_MS / MINUTE_MS],
  );
  return rows;
}

/**
 * The landings of a period, as far as a week is learned from them. Returns only endpoints that have any.
 * @param days consecutive, latest first
 */
export async function readFeedRecords(
  database: Database,
  company: string,
  feeds: readonly LearningFeed[],
  { fromMs, untilMs }: Period,
  days: readonly LocalDay[],
): Promise<Map<string, FeedRecord>> {
  const daysMs = [...days.map((day) => day.fromMs).toReversed(), days[0]?.untilMs ?? Infinity];
  const cadences = JSON.stringify(
    Object.fromEntries(feeds.map(({ id, cadenceMs }) => [id, cadenceMs])),
  );
  const rows = await forEndpoints<{
    id: string;
    first: number;
    days:
      | [day: number, landedMs: number, dueMs: number, silences: [number, number][] | null][]
      | null;
  }>(
    database,
    // Endpoint by endpoint, whatever the planner knows of a table that has just been filled.
    `select wanted.id, own.*
     from unnest($2::text[]) as wanted (id)
     cross join lateral (select ($5::jsonb ->> wanted.id)::float8 as cadence) given
     cross join lateral (
       select min(first) as first,
         case when sum(json_array_length(silences)) <= $7
           then json_agg(json_build_array(day, landed_ms, due_ms, silences) order by day) end as days
       from (
         select width_bucket(landed, $6::float8[]) as day, min(landed) as first,
           sum(least(next - landed, cadence)) as landed_ms,
           sum(least(next - landed, 2 * cadence)) as due_ms,
           json_agg(json_build_array(landed, next) order by landed)
             filter (where next - landed > 2 * cadence or is_last) as silences
         from (
           select ${epochMs("landed_at")} as landed,
             coalesce(${epochMs("lead(landed_at) over own")}, ${epochMs("$4::timestamptz")}) as next,
             lead(landed_at) over own is null as is_last
           from landings
           where company = $1 and endpoint_id = wanted.id and landed_at >= $3 and landed_at < $4
           window own as (order by landed_at)
         ) one
         group by day
       ) of_day
     ) own
     where first is not null`,
    [company, feeds.map(({ id }) => id), iso(fromMs), iso(untilMs), cadences, daysMs, MAX_SILENCES],
  );
  return new Map(
    rows.map(({ id, first, days: found }) => {
      if (found === null) return [id, { firstMs: first, syncs: [], silences: [] }];
      const ofDay = new Map(found.map(([day, landedMs, dueMs]) => [day, { landedMs, dueMs }]));
      return [
        id,
        {
          firstMs: first,
          syncs: days.map((_, at) => ofDay.get(days.length - at) ?? { landedMs: 0, dueMs: 0 }),
          silences: found.flatMap(([, , , silences]) =>
            (silences ?? []).map(([from, until]) => ({ fromMs: from, untilMs: until })),
          ),
        },
      ];
    }),
  );
}

/** Landings after a time, by endpoint, ascending. Returns only endpoints that have any. */
export async function readLandingsSince(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs }: Period,
): Promise<Map<string, number[]>> {
  const rows = await forEndpoints<{ id: string; landings: number[] }>(
    database,
    `select wanted.id, array_agg(${epochMs("landed_at")} order by landed_at) as landings
     from unnest($2::text[]) as wanted (id)
     join landings on company = $1 and endpoint_id = wanted.id and landed_at > $3 and landed_at <= $4
     group by wanted.id`,
    [company, endpointIds, iso(fromMs), iso(untilMs)],
  );
  return new Map(rows.map(({ id, landings }) => [id, landings]));
}

/** When endpoints weren't expected to receive data, weren't listed, or failed. Returns only those that have any. */
export async function readDisturbed(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs }: Period,
): Promise<Map<string, Period[]>> {
  const rows = await forEndpoints<{ id: string; periods: [number, number][] }>(
    database,
    `select id, json_agg(json_build_array(from_ms, until_ms) order by from_ms) as periods
     from (
       select wanted.id, verdict, ${epochMs("changed_at")} as from_ms,
         coalesce(${epochMs("lead(changed_at) over (partition by wanted.id order by changed_at)")},
           ${epochMs("$4::timestamptz")}) as until_ms
       from unnest($2::text[]) as wanted (id)
       join verdict_changes on company = $1 and endpoint_id = wanted.id and changed_at < $4
         and changed_at >= coalesce((
           select max(changed_at) from verdict_changes
           where company = $1 and endpoint_id = wanted.id and changed_at <= $3), $3)
     ) own
     where verdict is null or verdict in ('paused', 'webhook', 'unknown', 'failing')
     group by id`,
    [company, endpointIds, iso(fromMs), iso(untilMs)],
  );
  return new Map(
    rows.map(({ id, periods }) => [
      id,
      periods.map(([from, until]) => ({ fromMs: from, untilMs: until })),
    ]),
  );
}

/** Starts of runs that failed, timed out or were rate limited, by endpoint, ascending. Returns only endpoints that have any. */
export async function readFailedRuns(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs }: Period,
): Promise<Map<string, number[]>> {
  const rows = await forEndpoints<{ id: string; starts: number[] }>(
    database,
    `select wanted.id, array_agg(${epochMs("started_at")} order by started_at) as starts
     from unnest($2::text[]) as wanted (id)
     join runs on company = $1 and endpoint_id = wanted.id and started_at >= $3 and started_at < $4
     where status in ('failed', 'timed_out', 'rate_limited')
     group by wanted.id`,
    [company, endpointIds, iso(fromMs), iso(untilMs)],
  );
  return new Map(rows.map(({ id, starts }) => [id, starts]));
}

/**
 * Since when endpoints have had their cadence, give or take a tenth, epoch milliseconds. Returns only those that are
 * known to have had another one.
 */
export async function readCadenceChanges(
  database: Database,
  company: string,
  feeds: readonly LearningFeed[],
): Promise<Map<string, number>> {
  const cadences = JSON.stringify(
    Object.fromEntries(feeds.map(({ id, cadenceMs }) => [id, cadenceMs / MINUTE_MS])),
  );
  const rows = await forEndpoints<{ id: string; since: number }>(
    database,
    `select id, max(until_ms) as since
     from (
       select wanted.id, cadence_minutes as before, ($3::jsonb ->> wanted.id)::float8 as cadence,
         ${epochMs("lead(seen_at) over (partition by wanted.id order by seen_at)")} as until_ms
       from unnest($2::text[]) as wanted (id)
       join endpoint_facts on company = $1 and endpoint_id = wanted.id
     ) own
     where until_ms is not null and abs(before - cadence) > cadence / 10
     group by id`,
    [company, feeds.map(({ id }) => id), cadences],
  );
  return new Map(rows.map(({ id, since }) => [id, since]));
}
