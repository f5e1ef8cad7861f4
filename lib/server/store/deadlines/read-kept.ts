import { DAY_OUTCOMES, type DayOutcome, type Excuse } from "@/lib/domain/deadlines/deadline";
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
