import { OUTCOMES_WORST_FIRST } from "@/lib/domain/history";
import type { Database } from "@/lib/server/store/database";
import type { RunRecord } from "@/lib/server/store/sync/records";
import { iso } from "@/lib/domain/time/instant";
import {
  DAYS_PER_QUERY,
  type Slots,
  forEndpoints,
  forEndpointsAsJson,
  perQueryOf,
} from "./for-endpoints";

/** Runs, grouped by the slot in which they started. */
type RunSlots = {
  /** The worst outcome of each slot with runs: a letter of `outcomeSlots`, at the slot's start. */
  slots: { startedMs: number; letter: string }[];
  runs: number;
  notCompleted: number;
};

/** The letter of a run; "latest" is the endpoint's last start: only its last run can be in progress. */
const LETTER = `case status
  when 'completed' then 'c' when 'failed' then 'f' when 'timed_out' then 't' when 'rate_limited' then 'r'
  when 'in_progress' then case when started_at = latest.started_at then 'i' else 'o' end
  else 'o' end`;

/** Returns only endpoints with runs on the axis. */
export async function readRunSlots(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs, slotMs }: Slots,
): Promise<Map<string, RunSlots>> {
  type Row = { id: string; slots: string; runs: number; not_completed: number };
  const rows = await forEndpoints<Row>(
    database,
    // Encoded as text such as "0c1c17f": tens of thousands of rows would dominate the cost.
    `select wanted.id, strip.*
     from unnest($2::text[]) as wanted(id)
     cross join lateral (
       select started_at from runs
       where company = $1 and endpoint_id = wanted.id
       order by started_at desc limit 1
     ) latest
     cross join lateral (
       select string_agg(slot || substr('${OUTCOMES_WORST_FIRST}', worst, 1), '' order by slot) as slots,
         sum(n)::int as runs, sum(not_completed)::int as not_completed
       from (
         select floor(date_part('epoch', started_at - $3::timestamptz) / $5)::int as slot,
           min(strpos('${OUTCOMES_WORST_FIRST}', ${LETTER})) as worst, count(*) as n,
           count(*) filter (where status in ('failed', 'timed_out', 'rate_limited')) as not_completed
         from runs
         where company = $1 and endpoint_id = wanted.id and started_at >= $3 and started_at < $4
         group by 1
       ) slot
     ) strip
     where strip.slots is not null`,
    [company, endpointIds, iso(fromMs), iso(untilMs), slotMs / 1000],
    perQueryOf({ fromMs, untilMs }),
  );
  return new Map(
    rows.map((row) => {
      const slots = [...row.slots.matchAll(/(\d{1,9})([a-z])/g)].map(([, slot, letter]) => ({
        startedMs: fromMs + Number(slot) * slotMs,
        letter: letter ?? "",
      }));
      return [row.id, { slots, runs: row.runs, notCompleted: row.not_completed }];
    }),
  );
}

/**
 * Statistics of the runs started in one slot. Durations are seconds, over completed runs that have one; null if
 * there are none.
 */
export type RunStatistics = {
  count: number;
  counts: Record<"completed" | "failed" | "timed_out" | "rate_limited" | "in_progress", number>;
  completed: number;
  p50: number | null;
  p95: number | null;
  max: number | null;
  /** Longest run that ended otherwise. */
  otherMax: number | null;
};

const STATISTICS = `count(*)::int as count,
  json_build_object(
    'completed', count(*) filter (where status = 'completed'),
    'failed', count(*) filter (where status = 'failed'),
    'timed_out', count(*) filter (where status = 'timed_out'),
    'rate_limited', count(*) filter (where status = 'rate_limited'),
    'in_progress', count(*) filter (where status = 'in_progress' and started_at = latest.at)
  ) as counts`;

/** `percentile_disc` uses the nearest-rank method. */
const DURATIONS = `count(lasted)::int as completed,
  percentile_disc(0.5) within group (order by lasted) as p50,
  percentile_disc(0.95) within group (order by lasted) as p95,
  max(lasted) as max,
  max(duration_seconds) filter (where coalesce(status, '') not in ('completed', 'in_progress')) as "otherMax"`;

/** Outcomes and durations of one endpoint's runs, per slot in which they started and in total. */
export async function readRunStatistics(
  database: Database,
  company: string,
  endpointId: string,
  { fromMs, untilMs, slotMs }: Slots,
): Promise<{ slots: (RunStatistics & { atMs: number })[]; all: RunStatistics }> {
  const { rows } = await database.pool.query<RunStatistics & { slot: number | null }>(
    `select slot, ${STATISTICS}, ${DURATIONS}
     from (
       select started_at, status, duration_seconds,
         floor(date_part('epoch', started_at - $3::timestamptz) / $5)::int as slot,
         case when status = 'completed' then duration_seconds end as lasted
       from runs
       where company = $1 and endpoint_id = $2 and started_at >= $3 and started_at < $4
     ) run
     cross join (
       select max(started_at) as at from runs where company = $1 and endpoint_id = $2
     ) latest
     group by grouping sets ((slot), ())
     order by slot`,
    [company, endpointId, iso(fromMs), iso(untilMs), slotMs / 1000],
  );
  // `grouping sets` returns the total row even for no runs, and last, because null sorts after all slots.
  const slots = rows.flatMap(({ slot, ...statistics }) =>
    slot === null ? [] : [{ ...statistics, atMs: fromMs + slot * slotMs }],
  );
  const all = rows.find(({ slot }) => slot === null) ?? NO_RUNS;
  return { slots, all };
}

const NO_RUNS: RunStatistics = {
  count: 0,
  counts: { completed: 0, failed: 0, timed_out: 0, rate_limited: 0, in_progress: 0 },
  completed: 0,
  p50: null,
  p95: null,
  max: null,
  otherMax: null,
};

type TableRun = RunRecord & {
  /** A later run has started. */
  isSuperseded: boolean;
  /** The last landing between its start and end. */
  landedMs: number | null;
  firstSeenMs: number;
  origin: string;
};

/** Sort columns of the run table. */
const SORTS = { started: "started_at", duration: "duration_seconds", status: "status" } as const;

/** SQL conditions of the run table's `status` filter. */
const FILTERS = {
  completed: "status = 'completed'",
  failed: "status = 'failed'",
  timed_out: "status = 'timed_out'",
  rate_limited: "status = 'rate_limited'",
  in_progress: "status = 'in_progress' and started_at = latest.at",
  other: `(status is null or status not in ('completed', 'failed', 'timed_out', 'rate_limited', 'in_progress')
    or (status = 'in_progress' and started_at < latest.at))`,
} as const;

/** One page of an endpoint's recorded runs; status null: all runs; `atMs`: only those started by then. */
export async function readRunPage(
  database: Database,
  company: string,
  endpointId: string,
  wanted: {
    status: keyof typeof FILTERS | null;
    sort: keyof typeof SORTS;
    order: "asc" | "desc";
    atMs?: number | null;
    offset: number;
    limit: number;
  },
): Promise<{ runs: TableRun[]; statistics: Pick<RunStatistics, "count" | "counts"> }> {
  const filter = wanted.status === null ? "true" : FILTERS[wanted.status];
  const until = wanted.atMs == null ? "infinity" : iso(wanted.atMs);
  const own = "company = $1 and endpoint_id = $2 and started_at <= $3";
  const latest = `(select max(started_at) as at from runs where ${own}) latest`;
  const { rows } = await database.pool.query<{
    started_at: Date;
    finished_at: Date | null;
    status: string | null;
    duration_seconds: number | null;
    first_seen_at: Date;
    origin: string;
    superseded: boolean;
    landed_at: Date | null;
  }>(
    `select page.*, landing.landed_at
     from (
       select started_at, finished_at, status, duration_seconds, first_seen_at, origin,
         started_at < latest.at as superseded
       from runs cross join ${latest}
       where ${own} and ${filter}
       order by ${SORTS[wanted.sort]} ${wanted.order} nulls last, started_at desc
       limit $4 offset $5
     ) page
     left join lateral (
       select landed_at from landings
       where company = $1 and endpoint_id = $2
         and landed_at >= page.started_at and landed_at <= page.finished_at
       order by landed_at desc limit 1
     ) landing on true
     order by ${SORTS[wanted.sort]} ${wanted.order} nulls last, started_at desc`,
    [company, endpointId, until, wanted.limit, wanted.offset],
  );
  const { rows: counted } = await database.pool.query<Pick<RunStatistics, "count" | "counts">>(
    `select ${STATISTICS} from runs cross join ${latest} where ${own}`,
    [company, endpointId, until],
  );
  return {
    runs: rows.map((row) => ({
      endpointId,
      startedMs: row.started_at.getTime(),
      finishedMs: row.finished_at?.getTime() ?? null,
      status: row.status,
      durationSeconds: row.duration_seconds,
      firstSeenMs: row.first_seen_at.getTime(),
      origin: row.origin,
      isSuperseded: row.superseded,
      landedMs: row.landed_at?.getTime() ?? null,
    })),
    statistics: counted[0] ?? NO_RUNS,
  };
}

/** Runs of one endpoint within a period. In progress or unrecognised ones count only as started. */
export type RunTally = { started: number; completed: number; rateLimited: number };

/** How the runs that started within a period of a day or so ended. Returns only endpoints with runs. */
export async function readRunTallies(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs }: Pick<Slots, "fromMs" | "untilMs">,
): Promise<Map<string, RunTally>> {
  const rows = await forEndpointsAsJson<RunTally & { id: string }>(
    database,
    `select wanted.id, tally.*
     from unnest($2::text[]) as wanted(id)
     cross join lateral (
       select count(*)::int as started, (count(*) filter (where status = 'completed'))::int as completed,
         (count(*) filter (where status = 'rate_limited'))::int as "rateLimited"
       from runs
       where company = $1 and endpoint_id = wanted.id and started_at > $3 and started_at <= $4
     ) tally
     where tally.started > 0`,
    [company, endpointIds, iso(fromMs), iso(untilMs)],
    DAYS_PER_QUERY,
  );
  return new Map(rows.map(({ id, ...tally }) => [id, tally]));
}

/** Number of rate-limited runs of all the endpoints together, by the slot in which they started; only slots with any. */
export async function readRateLimitedSlots(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs, slotMs }: Slots,
): Promise<{ fromMs: number; count: number }[]> {
  const rows = await forEndpointsAsJson<{ slot: number; count: number }>(
    database,
    `select slot, count(*)::int as count
     from unnest($2::text[]) as wanted(id)
     cross join lateral (
       select floor(date_part('epoch', started_at - $3::timestamptz) / $5)::int as slot
       from runs
       where company = $1 and endpoint_id = wanted.id and started_at >= $3 and started_at < $4
         and status = 'rate_limited'
     ) run
     group by slot`,
    [company, endpointIds, iso(fromMs), iso(untilMs), slotMs / 1000],
    perQueryOf({ fromMs, untilMs }),
  );
  const counts = new Map<number, number>();
  for (const { slot, count } of rows) counts.set(slot, (counts.get(slot) ?? 0) + count);
  return [...counts]
    .map(([slot, count]) => ({ fromMs: fromMs + slot * slotMs, count }))
    .toSorted((a, b) => a.fromMs - b.fromMs);
}
