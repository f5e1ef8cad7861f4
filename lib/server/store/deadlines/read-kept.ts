import {
  DAY_OUTCOMES,
  type DayOutcome,
  type DeadlineRule,
  type Excuse,
} from "@/lib/domain/deadlines/deadline";
import { groupBy } from "@/lib/domain/collections/group-by";
import type { LastClosedDay } from "@/lib/domain/deadlines/current";
import type { KeptCounts } from "@/lib/domain/deadlines/kept";
import { iso } from "@/lib/domain/time/instant";
import type { Database } from "@/lib/server/store/database";

/** A closed day. Epoch milliseconds on the API's clock. */
export type KeptDayRow = {
  date: string;
  dueMs: number;
  outcome: DayOutcome;
  receivedMs: number | null;
  isAtMost: boolean;
  excuse: Excuse | null;
};

/** Closed days of one endpoint under one deadline, ascending. */
export type KeptRow = {
  deadlineId: string;
  endpointId: string;
  partnerName: string;
  endpointKey: string;
  days: KeptDayRow[];
};

const MS = (column: string) => `(extract(epoch from ${column}) * 1000)::float8`;

/** Closed days: their first and last date, inclusive, and whose; null: of all. */
export type KeptFilter = {
  dates: readonly [string, string];
  deadlineId: string | null;
  endpointId: string | null;
};

/** Numbers of days by outcome: `KeptCounts`. */
const COUNTS = `json_build_object(${DAY_OUTCOMES.map(
  (outcome) => `'${outcome}', count(*) filter (where outcome = '${outcome}')`,
).join(", ")})`;

const CHOSEN = `company = $1 and date between $2 and $3
  and ($4::uuid is null or deadline_id = $4) and ($5::text is null or endpoint_id = $5)`;

const chosenBy = (company: string, { dates, deadlineId, endpointId }: KeptFilter) => [
  company,
  ...dates,
  deadlineId,
  endpointId,
];

/**
 * The number of closed days, and a text that changes whenever they do: days are added and deleted, and of a missed one
 * the time of its data is added once.
 */
export async function readKeptMark(
  { pool }: Pick<Database, "pool">,
  company: string,
  filter: KeptFilter,
): Promise<{ days: number; mark: string }> {
  const { rows } = await pool.query<{ days: number; received: number; closedMs: number | null }>(
    `select count(*)::int as days, count(received_at)::int as received, ${MS("max(closed_at)")} as "closedMs"
     from deadline_days where ${CHOSEN}`,
    chosenBy(company, filter),
  );
  const { days = 0, received = 0, closedMs = null } = rows[0] ?? {};
  return { days, mark: `${days}-${received}-${closedMs ?? ""}` };
}

/** Closed days of a company by date, also of deleted deadlines. */
export async function readKeptDays(
  { pool }: Pick<Database, "pool">,
  company: string,
  filter: KeptFilter,
): Promise<KeptRow[]> {
  const { rows } = await pool.query<
    Omit<KeptRow, "days"> & {
      days: [string, number, DayOutcome, number | null, boolean, Excuse | null][];
    }
  >(
    `select deadline_id as "deadlineId", endpoint_id as "endpointId",
       (array_agg(partner_name order by due_at desc))[1] as "partnerName",
       (array_agg(endpoint_key order by due_at desc))[1] as "endpointKey",
       json_agg(json_build_array(
         date, ${MS("due_at")}, outcome, ${MS("received_at")}, is_at_most, excuse
       ) order by due_at) as days
     from deadline_days
     where ${CHOSEN}
     group by deadline_id, endpoint_id
     order by 3, 4, endpoint_id, deadline_id`,
    chosenBy(company, filter),
  );
  return rows.map(({ days, ...row }) => ({
    ...row,
    days: days.map(([date, dueMs, outcome, receivedMs, isAtMost, excuse]) => ({
      date,
      dueMs,
      outcome,
      receivedMs,
      isAtMost,
      excuse,
    })),
  }));
}

/** Days of a deadline over all its feeds, ascending: how many of feeds ended how, and each day as the worst of them. */
export type KeptByDeadline = {
  deadlineId: string;
  counts: KeptCounts;
  days: { date: string; outcome: DayOutcome; lateSeconds: number | null; isAtMost: boolean }[];
};

/** Closed days of a company by deadline and date: `worstDays`, worked out where the rows are. */
export async function readKeptByDeadline(
  { pool }: Pick<Database, "pool">,
  company: string,
  filter: KeptFilter,
): Promise<KeptByDeadline[]> {
  const sums = DAY_OUTCOMES.map((outcome) => `'${outcome}', sum((counts->>'${outcome}')::int)`);
  const { rows } = await pool.query<
    Omit<KeptByDeadline, "days"> & { days: [string, DayOutcome, number | null, boolean][] }
  >(
    `select deadline_id as "deadlineId", json_build_object(${sums.join(", ")}) as counts,
       json_agg(json_build_array(date, worst->0, worst->1, worst->2) order by date) as days
     from (
       select deadline_id, date, ${COUNTS} as counts,
         (array_agg(json_build_array(outcome, late_seconds, is_at_most)
           order by array_position($6::text[], outcome), late_seconds desc nulls first))[1] as worst
       from deadline_days
       cross join lateral (
         select case when outcome = 'missed' then round(extract(epoch from received_at - due_at))::float8 end
       ) late(late_seconds)
       where ${CHOSEN}
       group by deadline_id, date
     ) day
     group by deadline_id order by deadline_id`,
    [...chosenBy(company, filter), DAY_OUTCOMES],
  );
  return rows.map(({ days, ...row }) => ({
    ...row,
    days: days.map(([date, outcome, lateSeconds, isAtMost]) => ({
      date,
      outcome,
      lateSeconds,
      isAtMost,
    })),
  }));
}

/** The last day of each endpoint that was closed at an instant, as it was known then. @param atMs epoch milliseconds */
export async function readLastClosedAt(
  { pool }: Pick<Database, "pool">,
  company: string,
  endpointIds: readonly string[],
  atMs: number,
): Promise<Map<string, LastClosedDay>> {
  type Row = Omit<LastClosedDay, "lateMs"> & { id: string; receivedMs: number | null };
  const { rows } = await pool.query<Row>(
    `select wanted.id, d.*
     from unnest($2::text[]) as wanted(id)
     cross join lateral (
       select deadline_id as "deadlineId", date, ${MS("due_at")} as "dueMs", outcome,
         case when outcome = 'missed' and received_at <= $3 then ${MS("received_at")} end as "receivedMs",
         is_at_most and received_at <= $3 as "isAtMost"
       from deadline_days
       where company = $1 and endpoint_id = wanted.id and due_at <= $3 and closed_at <= $3
       order by due_at desc limit 1
     ) d`,
    [company, endpointIds, iso(atMs)],
  );
  return new Map(
    rows.map(({ id, receivedMs, ...day }) => [
      id,
      { ...day, lateMs: receivedMs === null ? null : receivedMs - day.dueMs },
    ]),
  );
}

/** A day that was known to be due, whatever its deadline's rule is now. */
export type RecordedDay = {
  deadlineId: string;
  date: string;
  /** Epoch milliseconds on the API's clock. */
  dueMs: number;
  limitMs: number;
  /** As it was when the day was closed; null: it was at risk, so that its window had begun. */
  rule: Omit<DeadlineRule, "holidays"> | null;
};

/**
 * Days of deadlines that were due soon after an instant, as the record has them: those that were at risk then, and those
 * that were closed before their rule was changed.
 * @param changed when rules were changed, by id, epoch milliseconds
 * @returns by endpoint
 */
export async function readRecordedDays(
  { pool }: Pick<Database, "pool">,
  company: string,
  endpointIds: readonly string[],
  { atMs, changed }: { atMs: number; changed: ReadonlyMap<string, number> },
): Promise<Map<string, RecordedDay[]>> {
  const { rows } = await pool.query<RecordedDay & { id: string }>(
    `select day.endpoint_id as id, day.deadline_id as "deadlineId", day.date,
       ${MS("day.due_at")} as "dueMs", ${MS("day.limit_at")} as "limitMs", day.rule
     from deadline_days day
     join unnest($4::uuid[], $5::float8[]) as changed(id, ms) on changed.id = day.deadline_id
     where day.company = $1 and day.endpoint_id = any ($2) and day.closed_at > $3
       and day.due_at < $3::timestamptz + interval '2 days' and ${MS("day.closed_at")} <= changed.ms
     union all
     select endpoint_id, deadline_id, date, ${MS("due_at")}, ${MS("limit_at")}, null from deadline_risks
     where company = $1 and endpoint_id = any ($2) and deadline_id = any ($4)
       and from_at <= $3 and (until_at is null or until_at > $3) and due_at > $3
     order by 4`,
    [company, endpointIds, iso(atMs), [...changed.keys()], [...changed.values()]],
  );
  return groupBy(rows, ({ id }) => id);
}

/**
 * Deadlines among changed ones whose rule at an instant is known: a day was closed by it since, before it was changed.
 * @param changed as of `readRecordedDays`
 */
export async function readRuled(
  { pool }: Pick<Database, "pool">,
  company: string,
  endpointIds: readonly string[],
  { atMs, changed }: { atMs: number; changed: ReadonlyMap<string, number> },
): Promise<Set<string>> {
  if (changed.size === 0) return new Set();
  const { rows } = await pool.query<{ id: string }>(
    `select changed.id from unnest($4::uuid[], $5::float8[]) as changed(id, ms)
     where exists (
       select from deadline_days day
       where day.company = $1 and day.endpoint_id = any ($2) and day.deadline_id = changed.id
         and day.closed_at > $3 and ${MS("day.closed_at")} <= changed.ms
     )`,
    [company, endpointIds, iso(atMs), [...changed.keys()], [...changed.values()]],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Numbers of closed days by partner and endpoint. @param dates first and last, inclusive */
export async function countKeptDays(
  { pool }: Pick<Database, "pool">,
  company: string,
  [first, last]: readonly [string, string],
): Promise<{ partnerName: string; endpointId: string; counts: KeptCounts }[]> {
  type Row = { partnerName: string; endpointId: string; counts: KeptCounts };
  const { rows } = await pool.query<Row>(
    `select partner_name as "partnerName", endpoint_id as "endpointId", ${COUNTS} as counts
     from deadline_days
     where company = $1 and date between $2 and $3
     group by partner_name, endpoint_id`,
    [company, first, last],
  );
  return rows;
}
