import type { Database } from "@/lib/server/store/database";
import { DAY_MS } from "@/lib/domain/time/units";

/** Size of a company's record. */
export type RecordSize = {
  company: string;
  endpoints: number;
  /** The endpoints are distributed evenly among them: "Partner 0", "Partner 1", ... */
  partners: number;
  days: number;
  cadenceMinutes: number;
};

/**
 * Fills the record of a company up to `nowMs`: per endpoint a run, a landing and a call sample each cadence, and two
 * verdict changes each hour. In chronological order, as the collector writes, so that the rows of one endpoint are
 * scattered over the tables.
 */
export async function fillRecord(
  database: Database,
  { company, endpoints, partners, days, cadenceMinutes }: RecordSize,
  nowMs: number,
): Promise<void> {
  const { pool } = database;
  const firstMs = nowMs - days * DAY_MS;
  await pool.query(
    `insert into company_state (company, version, as_of, last_attempt_at, rhythm_seconds, next_refresh_at,
       api_clock_offset_ms, total_pages, budget)
     values ($1, 1, $2, $2, 60, $2, 0, 1, '{"used":0,"limit":60}')`,
    [company, iso(nowMs)],
  );
  await pool.query(
    `insert into endpoints (company, endpoint_id, endpoint_key, partner_name, frequency_minutes, raw, verdict, first_seen_at)
     select $1, 'e' || n, 'key ' || n, 'Partner ' || n % $3, $4,
       json_build_object('id', 'e' || n, 'attributes', json_build_object()), 'fresh', $5
     from generate_series(0, $2::int - 1) as n`,
    [company, endpoints, partners, cadenceMinutes, iso(firstMs)],
  );
  // One day at a time, far below the statement timeout.
  for (let fromMs = firstMs; fromMs < nowMs; fromMs += DAY_MS) {
    const untilMs = Math.min(fromMs + DAY_MS, nowMs) - 1;
    const each = (select: string, stepMinutes: number) =>
      pool.query(
        `${select}
         from generate_series($2::timestamptz, $3, make_interval(mins => $4)) as cycle(at)
         cross join generate_series(0, $5::int - 1) as n
         order by cycle.at, n`,
        [company, iso(fromMs), iso(untilMs), stepMinutes, endpoints],
      );
    await each(
      `insert into runs (company, endpoint_id, started_at, finished_at, status, duration_seconds,
         first_seen_at, origin)
       select $1, 'e' || n, cycle.at + n % 60 * interval '1 s', cycle.at + n % 60 * interval '1 s' + interval '40 s',
         case when (n + extract(hour from cycle.at)) % 24 = 0 then 'failed' else 'completed' end,
         20 + (n * 7 + extract(minute from cycle.at)) % 40, cycle.at, 'observed'`,
      cadenceMinutes,
    );
    await each(
      `insert into landings (company, endpoint_id, landed_at, origin)
       select $1, 'e' || n, cycle.at + n % 60 * interval '1 s' + interval '40 s', 'observed'`,
      cadenceMinutes,
    );
    await each(
      `insert into call_samples (company, endpoint_id, sampled_at, value, origin)
       select $1, 'e' || n, cycle.at, 90 + (n + extract(hour from cycle.at)) % 10, 'observed'`,
      cadenceMinutes,
    );
    await each(
      `insert into verdict_changes (company, endpoint_id, changed_at, verdict, previous)
       select $1, 'e' || n, cycle.at,
         case extract(minute from cycle.at)::int when 0 then 'due' else 'fresh' end, 'fresh'`,
      30,
    );
  }
  await pool.query(
    `insert into gaps (company, from_at, until_at, reason)
     select $1, at, at + interval '10 min', 'unreachable'
     from generate_series($2::timestamptz, $3, interval '1 day') as at`,
    [company, iso(firstMs + DAY_MS / 2), iso(nowMs - 60_000)],
  );
}

function iso(ms: number): string {
  return new Date(ms).toISOString();
}
