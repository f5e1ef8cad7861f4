import type { ReadSyncStatus } from "@/lib/contracts/v3";
import type { LandingGroup, RecordedRun, Stretch, VerdictSlot } from "@/lib/domain/history";
import { type SourceReason, type Verdict, VERDICTS } from "@/lib/domain/sync";
import type { Database } from "./database";
import type { RunRecord } from "./record";

/**
 * The record, read for charts and tables. Everything is grouped here, in SQL, to what can be shown: what
 * is read costs by the range that is asked for, not by what the record holds. Every statement goes endpoint
 * by endpoint through a primary key: (company, endpoint, time).
 *
 * Instants are epoch milliseconds on the API's clock but where it is said.
 */

/** At a cadence of 15 minutes 90 days of them are half a million runs: far from the statement timeout. */
const ENDPOINTS_PER_QUERY = 50;

/** What the record has of a company's state; instants on our clock. */
export type RecordedState = {
  /** The last snapshot that was recorded; null before the first. */
  asOfMs: number | null;
  reason: SourceReason | null;
  rhythmSeconds: number;
  /** The API's clock minus ours. */
  apiClockOffsetMs: number;
};

/** @returns null before anything of the company was recorded */
export async function readRecordedState(
  database: Database,
  company: string,
): Promise<RecordedState | null> {
  const { rows } = await database.pool.query<{
    as_of: Date | null;
    reason: SourceReason | null;
    rhythm_seconds: number;
    api_clock_offset_ms: number;
  }>(
    `select as_of, reason, rhythm_seconds, api_clock_offset_ms from company_state where company = $1`,
    [company],
  );
  const [row] = rows;
  if (row === undefined) return null;
  return {
    asOfMs: row.as_of?.getTime() ?? null,
    reason: row.reason,
    rhythmSeconds: row.rhythm_seconds,
    apiClockOffsetMs: row.api_clock_offset_ms,
  };
}

/** `lasts`: it has not ended yet. */
export type RecordedGap = Stretch & { reason: string; lasts: boolean };

/** When we did not look, as far as it overlaps a stretch; ascending. A gap is recorded when it ends. */
export async function readGapsWithin(
  database: Database,
  company: string,
  { fromMs, untilMs }: Stretch,
): Promise<RecordedGap[]> {
  const { rows } = await database.pool.query<{ from_at: Date; until_at: Date; reason: string }>(
    `select from_at, until_at, reason from gaps
     where company = $1 and from_at < $3 and until_at > $2
     order by from_at`,
    [company, iso(fromMs), iso(untilMs)],
  );
  return rows.map((row) => ({
    fromMs: row.from_at.getTime(),
    untilMs: row.until_at.getTime(),
    reason: row.reason,
    lasts: false,
  }));
}

/** An endpoint that the record holds, removed or not. */
export type RecordedEndpoint = {
  id: string;
  endpointKey: string;
  partnerName: string;
  /** Minutes: as given, else as learned; null: neither. */
  frequencyMinutes: number | null;
  verdict: Verdict;
  /** On our clock, as the next two. */
  firstSeenMs: number;
  lastReportedMs: number | null;
  removedMs: number | null;
  /** The earliest reading on record: demo history begins before anybody looked. Null: none left. */
  firstSampleMs: number | null;
};

/**
 * The endpoints of a company, or of one partner, or the one with an id, in the order of `sync-status`.
 * @param wanted.isShown only those that were not removed
 */
export async function readRecordedEndpoints(
  database: Database,
  company: string,
  wanted: { partnerName?: string; endpointId?: string; isShown?: boolean },
): Promise<RecordedEndpoint[]> {
  const { rows } = await database.pool.query<{
    endpoint_id: string;
    endpoint_key: string;
    partner_name: string;
    frequency_minutes: number | null;
    verdict: Verdict;
    first_seen_at: Date;
    last_reported_at: Date | null;
    removed_at: Date | null;
    first_sample_at: Date | null;
  }>(
    `select e.endpoint_id, e.endpoint_key, e.partner_name, e.verdict,
       coalesce(case when e.frequency_minutes > 0 then e.frequency_minutes end,
         e.learned_frequency_minutes) as frequency_minutes,
       e.first_seen_at, e.last_reported_at, e.removed_at, first.sampled_at as first_sample_at
     from endpoints e
     left join lateral (
       select sampled_at from call_samples
       where company = e.company and endpoint_id = e.endpoint_id
       order by sampled_at limit 1
     ) first on true
     where e.company = $1
       and ($2::text is null or e.partner_name = $2)
       and ($3::text is null or e.endpoint_id = $3)
       and (not $4 or e.removed_at is null)
     order by e.partner_name collate "C", e.endpoint_key collate "C", e.endpoint_id collate "C"`,
    [company, wanted.partnerName ?? null, wanted.endpointId ?? null, wanted.isShown === true],
  );
  return rows.map((row) => ({
    id: row.endpoint_id,
    endpointKey: row.endpoint_key,
    partnerName: row.partner_name,
    frequencyMinutes: row.frequency_minutes,
    verdict: row.verdict,
    firstSeenMs: row.first_seen_at.getTime(),
    lastReportedMs: row.last_reported_at?.getTime() ?? null,
    removedMs: row.removed_at?.getTime() ?? null,
    firstSampleMs: row.first_sample_at?.getTime() ?? null,
  }));
}

/**
 * The row as the API gave it last, and when the present value of each attribute was first seen.
 * @returns null when the record has no such endpoint
 */
export async function readRawRow(
  database: Database,
  company: string,
  endpointId: string,
): Promise<{ row: ReadSyncStatus; attributesSeenMs: Record<string, number> } | null> {
  const { rows } = await database.pool.query<{
    raw: ReadSyncStatus;
    attributes_seen_ms: Record<string, number>;
  }>(`select raw, attributes_seen_ms from endpoints where company = $1 and endpoint_id = $2`, [
    company,
    endpointId,
  ]);
  const [found] = rows;
  return found === undefined
    ? null
    : { row: found.raw, attributesSeenMs: found.attributes_seen_ms };
}

/** Runs by the slot that they began in. */
export type RunSlots = {
  /** The worst outcome of each slot that has runs: a letter of `outcomeSlots`, at the slot's begin. */
  slots: { startedMs: number; letter: string }[];
  runs: number;
  notCompleted: number;
};

type Slots = Stretch & { slotMs: number };

/** The letter of a run; "latest" is the endpoint's last start: only its last run can be in progress. */
const LETTER = `case status
  when 'completed' then 'c' when 'failed' then 'f' when 'timed_out' then 't' when 'rate_limited' then 'r'
  when 'in_progress' then case when started_at = latest.started_at then 'i' else 'o' end
  else 'o' end`;

/** Only endpoints that have runs on the axis are in the answer. */
export async function readRunSlots(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs, slotMs }: Slots,
): Promise<Map<string, RunSlots>> {
  type Row = { id: string; slots: string; runs: number; not_completed: number };
  const rows = await forEndpoints<Row>(
    database,
    // As text such as "0c1c17f": tens of thousands of rows would cost more than all the rest.
    `select wanted.id, strip.*
     from unnest($2::text[]) as wanted(id)
     cross join lateral (
       select started_at from runs
       where company = $1 and endpoint_id = wanted.id
       order by started_at desc limit 1
     ) latest
     cross join lateral (
       select string_agg(slot || substr('ftroic', worst, 1), '' order by slot) as slots,
         sum(n)::int as runs, sum(not_completed)::int as not_completed
       from (
         select floor(date_part('epoch', started_at - $3::timestamptz) / $5)::int as slot,
           min(strpos('ftroic', ${LETTER})) as worst, count(*) as n,
           count(*) filter (where status in ('failed', 'timed_out', 'rate_limited')) as not_completed
         from runs
         where company = $1 and endpoint_id = wanted.id and started_at >= $3 and started_at < $4
         group by 1
       ) slot
     ) strip
     where strip.slots is not null`,
    [company, endpointIds, iso(fromMs), iso(untilMs), slotMs / 1000],
  );
  return new Map(
    rows.map((row) => {
      const slots = [...row.slots.matchAll(/(\d+)([a-z])/g)].map(([, slot, letter]) => ({
        startedMs: fromMs + Number(slot) * slotMs,
        letter: letter ?? "",
      }));
      return [row.id, { slots, runs: row.runs, notCompleted: row.not_completed }];
    }),
  );
}

export type LandingHistory = { beforeMs: number | null; groups: LandingGroup[] };

/** Landings in groups of `groupMs`, and the last one before them; every endpoint is in the answer. */
export async function readLandingGroups(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs }: Stretch,
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

export type VerdictHistory = {
  /** What held when the axis began; null: not known, or removed. */
  before: Verdict | null;
  slots: VerdictSlot[];
  /** The last change up to the end of the axis; null: none on record. */
  last: VerdictChange | null;
};

/** `previous` is null where the endpoint was new or came back: nobody knows what it was before. */
export type VerdictChange = { atMs: number; verdict: Verdict | null; previous: Verdict | null };

/**
 * What held up to an instant: the change before it; where retention has dropped that, what the change
 * after it replaced; without any change on record the present verdict has held all the while.
 */
const HELD_BEFORE = (instant: string) => `
  left join lateral (
    select changed_at, verdict from verdict_changes
    where company = $1 and endpoint_id = wanted.id and changed_at < ${instant}
    order by changed_at desc limit 1
  ) before on true
  left join lateral (
    select changed_at, previous from verdict_changes
    where company = $1 and endpoint_id = wanted.id and changed_at >= ${instant}
    order by changed_at limit 1
  ) after on before.changed_at is null
  left join lateral (
    select verdict from endpoints
    where company = $1 and endpoint_id = wanted.id and removed_at is null
  ) present on before.changed_at is null and after.changed_at is null`;
const HELD = `case when before.changed_at is not null then before.verdict
  when after.changed_at is not null then after.previous else present.verdict end`;

/** Verdict changes by slot; every endpoint is in the answer. */
export async function readVerdictSlots(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs, slotMs }: Slots,
): Promise<Map<string, VerdictHistory>> {
  type Row = {
    id: string;
    held: Verdict | null;
    last_at: Date | null;
    last: Verdict | null;
    last_previous: Verdict | null;
    slots: [number, number | null, number | null][] | null;
  };
  const rows = await forEndpoints<Row>(
    database,
    `select wanted.id, ${HELD} as held, last.changed_at as last_at, last.verdict as last,
       last.previous as last_previous, changed.slots
     from unnest($2::text[]) as wanted(id)
     ${HELD_BEFORE("$3")}
     left join lateral (
       select changed_at, verdict, previous from verdict_changes
       where company = $1 and endpoint_id = wanted.id and changed_at < $4
       order by changed_at desc limit 1
     ) last on true
     cross join lateral (
       select json_agg(json_build_array(first_ms, worst, last) order by first_ms) as slots
       from (
         select min(at_ms) as first_ms, min(rank) as worst,
           (array_agg(rank order by at_ms desc))[1] as last
         from (
           select round(date_part('epoch', changed_at) * 1000) as at_ms,
             array_position($6::text[], verdict) - 1 as rank,
             floor(date_part('epoch', changed_at - $3::timestamptz) / $5) as slot
           from verdict_changes
           where company = $1 and endpoint_id = wanted.id and changed_at >= $3 and changed_at < $4
         ) change
         group by slot
       ) slot
     ) changed`,
    [company, endpointIds, iso(fromMs), iso(untilMs), slotMs / 1000, VERDICTS],
  );
  const wordAt = (rank: number | null) => (rank === null ? null : (VERDICTS[rank] ?? null));
  return new Map(
    rows.map((row) => {
      const slots = (row.slots ?? []).map(([firstMs, worst, last]) => ({
        firstMs,
        worst: wordAt(worst),
        last: wordAt(last),
      }));
      const last =
        row.last_at === null
          ? null
          : { atMs: row.last_at.getTime(), verdict: row.last, previous: row.last_previous };
      return [row.id, { before: row.held, slots, last }];
    }),
  );
}

/**
 * While endpoints were removed; `untilMs` is infinite where they have not come back. Only endpoints that
 * were removed before the end of the stretch are in the answer.
 */
export async function readAbsences(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { untilMs }: Pick<Stretch, "untilMs">,
): Promise<Map<string, Stretch[]>> {
  const rows = await forEndpoints<{ id: string; from_at: Date; until_at: Date | null }>(
    database,
    `select removal.endpoint_id as id, removal.changed_at as from_at, back.changed_at as until_at
     from verdict_changes removal
     left join lateral (
       select changed_at from verdict_changes
       where company = $1 and endpoint_id = removal.endpoint_id and changed_at > removal.changed_at
       order by changed_at limit 1
     ) back on true
     where removal.company = $1 and removal.endpoint_id = any($2) and removal.verdict is null
       and removal.changed_at < $3
     order by removal.changed_at`,
    [company, endpointIds, iso(untilMs)],
  );
  const absences = new Map<string, Stretch[]>();
  for (const { id, from_at, until_at } of rows) {
    const absence = { fromMs: from_at.getTime(), untilMs: until_at?.getTime() ?? Infinity };
    absences.set(id, [...(absences.get(id) ?? []), absence]);
  }
  return absences;
}

/** A reading is renewed at least every 15 minutes while we look; older than this it says nothing. */
const SAMPLE_HOLDS_MS = 30 * 60_000;

/**
 * The last reading of `api_calls_last_24h` at or before each instant; null where there is none, or none
 * recent enough. Every endpoint is in the answer.
 * @param rhythmMs between two polls, which may be longer than usual
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

/** Runs that began in one slot. Durations are seconds, null without a finished run that has one. */
export type RunStatistics = {
  count: number;
  counts: Record<"completed" | "failed" | "timed_out" | "rate_limited" | "in_progress", number>;
  finished: number;
  p50: number | null;
  p95: number | null;
  max: number | null;
};

const STATISTICS = `count(*)::int as count,
  json_build_object(
    'completed', count(*) filter (where status = 'completed'),
    'failed', count(*) filter (where status = 'failed'),
    'timed_out', count(*) filter (where status = 'timed_out'),
    'rate_limited', count(*) filter (where status = 'rate_limited'),
    'in_progress', count(*) filter (where status = 'in_progress' and started_at = latest.at)
  ) as counts`;
/** `percentile_disc` is the nearest rank. */
const DURATIONS = `count(lasted)::int as finished,
  percentile_disc(0.5) within group (order by lasted) as p50,
  percentile_disc(0.95) within group (order by lasted) as p95,
  max(lasted) as max`;

/** Outcomes and durations of one endpoint's runs by the slot that they began in, and over all of them. */
export async function readRunStatistics(
  database: Database,
  company: string,
  endpointId: string,
  { fromMs, untilMs, slotMs }: Slots,
): Promise<{ slots: (RunStatistics & { atMs: number })[]; all: RunStatistics }> {
  const { rows } = await database.pool.query<RunStatistics & { slot: number | null }>(
    `select slot, ${STATISTICS}, ${DURATIONS}
     from (
       select started_at, status,
         floor(date_part('epoch', started_at - $3::timestamptz) / $5)::int as slot,
         case when status is distinct from 'in_progress' then duration_seconds end as lasted
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
  // `grouping sets` gives the total even over nothing, in last place: null sorts after all slots.
  const slots = rows.flatMap(({ slot, ...statistics }) =>
    slot === null ? [] : [{ ...statistics, atMs: fromMs + slot * slotMs }],
  );
  const all = rows.find(({ slot }) => slot === null) ?? NO_RUNS;
  return { slots, all };
}

const NO_RUNS: RunStatistics = {
  count: 0,
  counts: { completed: 0, failed: 0, timed_out: 0, rate_limited: 0, in_progress: 0 },
  finished: 0,
  p50: null,
  p95: null,
  max: null,
};

/** The latest verdict changes of an endpoint within a stretch, newest first. */
export async function readVerdictChanges(
  database: Database,
  company: string,
  endpointId: string,
  { fromMs, untilMs }: Stretch,
  most: number,
): Promise<VerdictChange[]> {
  const { rows } = await database.pool.query<{
    changed_at: Date;
    verdict: Verdict | null;
    previous: Verdict | null;
  }>(
    `select changed_at, verdict, previous from verdict_changes
     where company = $1 and endpoint_id = $2 and changed_at >= $3 and changed_at < $4
     order by changed_at desc limit $5`,
    [company, endpointId, iso(fromMs), iso(untilMs), most],
  );
  return rows.map(({ changed_at, verdict, previous }) => ({
    atMs: changed_at.getTime(),
    verdict,
    previous,
  }));
}

export type TableRun = RunRecord & {
  /** A later run has begun. */
  isSuperseded: boolean;
  /** The last landing from its start to its end. */
  landedMs: number | null;
  firstSeenMs: number;
  origin: string;
};

/** What a run table is sorted by, in SQL. */
const SORTS = { started: "started_at", duration: "duration_seconds", status: "status" } as const;

/** Which runs `status` of the run table means. */
const FILTERS = {
  completed: "status = 'completed'",
  failed: "status = 'failed'",
  timed_out: "status = 'timed_out'",
  rate_limited: "status = 'rate_limited'",
  in_progress: "status = 'in_progress' and started_at = latest.at",
  other: `(status is null or status not in ('completed', 'failed', 'timed_out', 'rate_limited', 'in_progress')
    or (status = 'in_progress' and started_at < latest.at))`,
} as const;

/** One page of an endpoint's runs, of all that are on record; a status of null asks for all of them. */
export async function readRunPage(
  database: Database,
  company: string,
  endpointId: string,
  wanted: {
    status: keyof typeof FILTERS | null;
    sort: keyof typeof SORTS;
    order: "asc" | "desc";
    offset: number;
    limit: number;
  },
): Promise<{ runs: TableRun[]; statistics: Pick<RunStatistics, "count" | "counts"> }> {
  const filter = wanted.status === null ? "true" : FILTERS[wanted.status];
  const latest = `(select max(started_at) as at from runs where company = $1 and endpoint_id = $2) latest`;
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
       where company = $1 and endpoint_id = $2 and ${filter}
       order by ${SORTS[wanted.sort]} ${wanted.order} nulls last, started_at desc
       limit $3 offset $4
     ) page
     left join lateral (
       select landed_at from landings
       where company = $1 and endpoint_id = $2
         and landed_at >= page.started_at and landed_at <= page.finished_at
       order by landed_at desc limit 1
     ) landing on true
     order by ${SORTS[wanted.sort]} ${wanted.order} nulls last, started_at desc`,
    [company, endpointId, wanted.limit, wanted.offset],
  );
  const { rows: counted } = await database.pool.query<Pick<RunStatistics, "count" | "counts">>(
    `select ${STATISTICS} from runs cross join ${latest} where company = $1 and endpoint_id = $2`,
    [company, endpointId],
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

/** What the record knows of an endpoint at an instant. */
export type EndpointThen = {
  /** What held; null: not known, or removed. */
  verdict: Verdict | null;
  landedMs: number | null;
  /** The last run that had begun, as it ended later. */
  run: RecordedRun | null;
};

/** Every endpoint is in the answer. */
export async function readEndpointsThen(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  atMs: number,
): Promise<Map<string, EndpointThen>> {
  type Row = {
    id: string;
    held: Verdict | null;
    landed_at: Date | null;
    started_at: Date | null;
    finished_at: Date | null;
    status: string | null;
    duration_seconds: number | null;
  };
  const rows = await forEndpoints<Row>(
    database,
    `select wanted.id, ${HELD} as held, landing.landed_at, run.*
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
    // What happened at that very millisecond had happened.
    [company, endpointIds, iso(atMs + 1)],
  );
  return new Map(
    rows.map((row) => {
      const run =
        row.started_at === null
          ? null
          : {
              startedMs: row.started_at.getTime(),
              finishedMs: row.finished_at?.getTime() ?? null,
              status: row.status,
              durationSeconds: row.duration_seconds,
            };
      return [row.id, { verdict: row.held, landedMs: row.landed_at?.getTime() ?? null, run }];
    }),
  );
}

/** Runs a statement for some endpoints at a time; `$1` is the company, `$2` their ids. */
async function forEndpoints<Row extends Record<string, unknown>>(
  database: Database,
  statement: string,
  [company, endpointIds, ...more]: [string, readonly string[], ...unknown[]],
): Promise<Row[]> {
  const all: Row[] = [];
  for (let from = 0; from < endpointIds.length; from += ENDPOINTS_PER_QUERY) {
    const ids = endpointIds.slice(from, from + ENDPOINTS_PER_QUERY);
    const { rows } = await database.pool.query<Row>(statement, [company, ids, ...more]);
    all.push(...rows);
  }
  return all;
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
