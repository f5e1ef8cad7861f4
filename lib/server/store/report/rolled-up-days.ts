import type { OverdueVerdict } from "@/lib/domain/report/day-times";
import { OVERDUE_VERDICTS } from "@/lib/domain/report/day-times";
import type { EndpointDay, EndpointMonth } from "@/lib/domain/report/month-report";
import { mapSteps } from "@/lib/domain/steps";
import { presentZoneName } from "@/lib/domain/time/present-zone";
import { compareText } from "@/lib/domain/text/compare-text";
import { inSlices } from "@/lib/server/slices";
import { batches } from "@/lib/server/store/batches";
import type { Database, Writer } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";
import {
  reportDays,
  reportEndpointDays,
  type PartnerDaySums,
} from "@/lib/server/store/schema/report";
import { readRecordBegin, type ReportRow } from "./report-day";

/** A completed day. Timestamps are epoch milliseconds on the API clock. */
export type RolledUpDay = {
  /** "2026-10-14" */
  day: string;
  timeZone: string;
  fromMs: number;
  untilMs: number;
  /** Number of incidents opened, by partner; null: not recorded. */
  incidents: Record<string, number> | null;
};

/** A stored day; `rolledUpMs`: when it was rolled up, epoch milliseconds on our clock. */
export type ClosedDay = RolledUpDay & { rolledUpMs: number };

/** First and last rolled-up day of a company; null: none. */
export async function readRolledUpEnds(
  { pool }: Pick<Database, "pool">,
  company: string,
): Promise<{ first: RolledUpDay; last: RolledUpDay } | null> {
  const { rows } = await pool.query<DayRow>(
    `(select ${DAY} from report_days where company = $1 order by day limit 1)
     union all
     (select ${DAY} from report_days where company = $1 order by day desc limit 1)`,
    [company],
  );
  const [first, last] = rows;
  return first === undefined || last === undefined
    ? null
    : { first: rolledUpDay(first), last: rolledUpDay(last) };
}

/**
 * A company's record before this time is no longer needed, because its days are rolled up.
 * @returns epoch milliseconds; 0 before the first rolled-up day, infinite when there is nothing to report
 */
export async function readRolledUpUntil(
  database: Pick<Database, "pool">,
  company: string,
): Promise<number> {
  const ends = await readRolledUpEnds(database, company);
  if (ends !== null) return ends.last.untilMs;
  return (await readRecordBegin(database, company)) === null ? Number.POSITIVE_INFINITY : 0;
}

/**
 * Writes a day with all its endpoints, in one transaction.
 * @returns false when the day was already written
 */
export async function writeRolledUpDay(
  writer: Writer,
  company: string,
  { day, fromMs, untilMs, timeZone, incidents }: RolledUpDay,
  rows: readonly ReportRow[],
  nowMs: number,
): Promise<boolean> {
  return writer.orm.transaction(async (tx) => {
    const written = await tx
      .insert(reportDays)
      .values({
        company,
        day,
        timeZone,
        fromAt: new Date(fromMs),
        untilAt: new Date(untilMs),
        rolledUpAt: new Date(nowMs),
        incidents,
        sums: sumsOf(rows),
      })
      .onConflictDoNothing()
      .returning({ day: reportDays.day });
    if (written.length === 0) return false;
    for (const batch of batches(rows)) {
      await tx.insert(reportEndpointDays).values(
        batch.map(({ id, overdue, ...row }) => ({
          ...row,
          company,
          day,
          endpointId: id,
          overdueLeadMs: overdue.leadMs,
          overdueLongestMs: overdue.longestMs,
          overdueTailMs: overdue.tailMs,
        })),
      );
    }
    return true;
  });
}

/** Sums of a day's rows, by partner. */
function sumsOf(rows: readonly ReportRow[]): PartnerDaySums[] {
  const sums = new Map<string, PartnerDaySums>();
  for (const row of rows) {
    const { partnerName, onTimeMs, overdueMs, plannedQuietMs, notObservedMs } = row;
    if (onTimeMs + overdueMs + plannedQuietMs === 0 && row.webhookMs + row.pausedMs > 0) continue;
    const before = sums.get(partnerName) ?? [partnerName, 0, 0, 0, 0, 0];
    const worst = row.worst === null ? 0 : OVERDUE_VERDICTS.indexOf(row.worst) + 1;
    sums.set(partnerName, [
      partnerName,
      before[1] + onTimeMs,
      before[2] + overdueMs,
      before[3] + plannedQuietMs,
      before[4] + notObservedMs,
      worseOf(before[5], worst),
    ]);
  }
  return [...sums.values()];
}

/** @param a 1-based, worst first; 0: never overdue */
function worseOf(a: number, b: number): number {
  return a === 0 || b === 0 ? a + b : Math.min(a, b);
}

type DayRow = {
  day: string;
  time_zone: string;
  from_ms: number;
  until_ms: number;
  rolled_up_ms: number;
  incidents: Record<string, number> | null;
};

const DAY = `day::text as day, time_zone, incidents,
  ${epochMs("rolled_up_at")} as rolled_up_ms,
  ${epochMs("from_at")} as from_ms,
  ${epochMs("until_at")} as until_ms`;

function rolledUpDay(row: DayRow): ClosedDay {
  return {
    day: row.day,
    timeZone: presentZoneName(row.time_zone),
    fromMs: row.from_ms,
    untilMs: row.until_ms,
    incidents: row.incidents,
    rolledUpMs: row.rolled_up_ms,
  };
}

/** Rolled-up days in a range, inclusive; ascending. */
export async function readRolledUpDays(
  { pool }: Pick<Database, "pool">,
  company: string,
  [firstDay, lastDay]: readonly [string, string],
): Promise<ClosedDay[]> {
  const { rows } = await pool.query<DayRow>(
    `select ${DAY} from report_days where company = $1 and day between $2 and $3 order by day`,
    [company, firstDay, lastDay],
  );
  return rows.map(rolledUpDay);
}

/** An endpoint's day as text: "3,86400000,24", or all its numbers. Most days are entirely on time. */
const CELL = `(day - $2::date) || ',' || on_time_ms || ',' || completed ||
  case when overdue_ms + planned_quiet_ms + not_observed_ms + webhook_ms + paused_ms
    + failed + timed_out + rate_limited = 0 then ''
  else ',' || overdue_ms || ',' || planned_quiet_ms || ',' || not_observed_ms || ',' || webhook_ms
    || ',' || paused_ms || ',' || coalesce(array_position($4::text[], worst), 0)
    || ',' || overdue_lead_ms || ',' || overdue_longest_ms || ',' || overdue_tail_ms
    || ',' || failed || ',' || timed_out || ',' || rate_limited
  end`;

/**
 * Rolled-up days per endpoint and partner; an endpoint that changed partner has several entries.
 *
 * One row per endpoint, its days encoded as text: a year has hundreds of thousands, which as rows would
 * dominate the cost.
 * @param days first and last day, inclusive
 * @param length of each returned `days`, which starts with the first day
 */
export async function readRolledUpMonths(
  { pool }: Pick<Database, "pool">,
  company: string,
  [firstDay, lastDay]: readonly [string, string],
  length: number,
): Promise<EndpointMonth[]> {
  const { rows } = await pool.query<{
    id: string;
    partner_name: string;
    endpoint_key: string;
    last_day: string;
    cells: string;
  }>(
    `select endpoint_id as id, partner_name, endpoint_key, max(day)::text as last_day,
       string_agg(${CELL}, ';') as cells
     from report_endpoint_days
     where company = $1 and day between $2 and $3
     group by endpoint_id, partner_name, endpoint_key`,
    [company, firstDay, lastDay, OVERDUE_VERDICTS],
  );
  const months = new Map<string, EndpointMonth & { days: (EndpointDay | null)[] }>();
  // An endpoint whose key changed is still the same endpoint, listed under its latest key.
  const ascending = rows.toSorted((a, b) => compareText(a.last_day, b.last_day));
  const take = (row: (typeof rows)[number]) => {
    const { id, partner_name: partnerName, endpoint_key: endpointKey } = row;
    const key = JSON.stringify([id, partnerName]);
    const days = months.get(key)?.days ?? Array.from({ length }, () => null);
    takeDays(days, row.cells);
    months.set(key, { id, partnerName, endpointKey, days });
  };
  await inSlices(mapSteps(ascending, take));
  return [...months.values()];
}

function takeDays(days: (EndpointDay | null)[], cells: string): void {
  for (const cell of cells.split(";")) {
    const n = cell.split(",").map(Number);
    const of = (at: number) => n[at] ?? 0;
    const worst: OverdueVerdict | null = OVERDUE_VERDICTS[of(8) - 1] ?? null;
    days[of(0)] = {
      onTimeMs: of(1),
      completed: of(2),
      overdueMs: of(3),
      plannedQuietMs: of(4),
      notObservedMs: of(5),
      webhookMs: of(6),
      pausedMs: of(7),
      worst,
      overdue: { leadMs: of(9), longestMs: of(10), tailMs: of(11) },
      failed: of(12),
      timedOut: of(13),
      rateLimited: of(14),
    };
  }
}

/** Sums over endpoints for one day, milliseconds. */
export type DaySums = Pick<
  EndpointDay,
  "onTimeMs" | "overdueMs" | "plannedQuietMs" | "notObservedMs" | "worst"
> & { day: string };

/**
 * Rolled-up days of a company, a partner or an endpoint; ascending.
 *
 * Companies and partners use the sums stored per day: a year of 500 endpoints would otherwise add up 182,500
 * rows.
 * @param days first and last day, inclusive
 */
export async function readDaySums(
  database: Pick<Database, "pool">,
  company: string,
  wanted: { partnerName: string | null; endpointId: string | null },
  [firstDay, lastDay]: readonly [string, string],
): Promise<DaySums[]> {
  const { rows } = await database.pool.query<{ day: string; sums: PartnerDaySums[] | null }>(
    `select day::text as day, sums from report_days
     where company = $1 and day between $2 and $3 order by day`,
    [company, firstDay, lastDay],
  );
  const isAdded = wanted.endpointId === null;
  const toAdd = rows.flatMap(({ day, sums }) => (isAdded && sums !== null ? [] : [day]));
  const added = new Map(
    toAdd.length === 0
      ? []
      : (await addUpDays(database, company, wanted, toAdd)).map((sum) => [sum.day, sum]),
  );
  return rows.flatMap(({ day, sums }) => {
    const sum = isAdded && sums !== null ? sumOf(day, sums, wanted.partnerName) : added.get(day);
    return sum ?? [];
  });
}

/** Same, for a day that isn't rolled up yet. @returns null: nothing counts */
export function daySumOf(
  day: string,
  rows: readonly ReportRow[],
  { partnerName, endpointId }: { partnerName: string | null; endpointId: string | null },
): DaySums | null {
  const own = endpointId === null ? rows : rows.filter(({ id }) => id === endpointId);
  return sumOf(day, sumsOf(own), partnerName);
}

/** @param partnerName null: all of them. @returns null: nothing counts */
export function sumOf(
  day: string,
  sums: readonly PartnerDaySums[],
  partnerName: string | null,
): DaySums | null {
  const own = partnerName === null ? sums : sums.filter(([name]) => name === partnerName);
  if (own.length === 0) return null;
  const total = { onTimeMs: 0, overdueMs: 0, plannedQuietMs: 0, notObservedMs: 0 };
  let worst = 0;
  for (const [, onTimeMs, overdueMs, plannedQuietMs, notObservedMs, worstOfPartner] of own) {
    total.onTimeMs += onTimeMs;
    total.overdueMs += overdueMs;
    total.plannedQuietMs += plannedQuietMs;
    total.notObservedMs += notObservedMs;
    worst = worseOf(worst, worstOfPartner);
  }
  return { day, ...total, worst: OVERDUE_VERDICTS[worst - 1] ?? null };
}

async function addUpDays(
  { pool }: Pick<Database, "pool">,
  company: string,
  wanted: { partnerName: string | null; endpointId: string | null },
  days: readonly string[],
): Promise<DaySums[]> {
  const { rows } = await pool.query<Omit<DaySums, "worst"> & { worst: number | null }>(
    `select day::text as day, sum(on_time_ms)::float8 as "onTimeMs", sum(overdue_ms)::float8 as "overdueMs",
       sum(planned_quiet_ms)::float8 as "plannedQuietMs", sum(not_observed_ms)::float8 as "notObservedMs",
       min(array_position($3::text[], worst)) as worst
     from report_endpoint_days
     where company = $1 and day = any ($2::date[])
       and ($4::text is null or partner_name = $4) and ($5::text is null or endpoint_id = $5)
       and (on_time_ms + overdue_ms + planned_quiet_ms > 0 or webhook_ms + paused_ms = 0)
     group by report_endpoint_days.day`,
    [company, days, OVERDUE_VERDICTS, wanted.partnerName, wanted.endpointId],
  );
  return rows.map((row) => ({ ...row, worst: OVERDUE_VERDICTS[(row.worst ?? 0) - 1] ?? null }));
}
