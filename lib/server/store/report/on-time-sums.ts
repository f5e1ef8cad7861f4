import type { Times } from "@/lib/domain/report/day-times";
import type { Database } from "@/lib/server/store/database";

/** How the checked time of some days was spent, milliseconds. */
export type OnTimeSums = Pick<Times, "onTimeMs" | "overdueMs" | "plannedQuietMs">;

/** Days of a company's report, inclusive: "2026-11-01". */
export type CompanyDays = { company: string; firstDay: string; lastDay: string };

/**
 * Sums over rolled-up days by company and partner, in one statement. A company with a day whose sums aren't computed
 * has none.
 */
export async function readOnTimeSums(
  { pool }: Pick<Database, "pool">,
  wanted: readonly CompanyDays[],
): Promise<Map<string, Map<string, OnTimeSums>>> {
  const { rows } = await pool.query<OnTimeSums & { company: string; partner: string }>(
    `select wanted.company, partner.*
     from unnest($1::text[], $2::date[], $3::date[]) as wanted(company, first_day, last_day)
     cross join lateral (
       select sum->>0 as partner, sum((sum->>1)::float8) as "onTimeMs", sum((sum->>2)::float8) as "overdueMs",
         sum((sum->>3)::float8) as "plannedQuietMs"
       from report_days cross join lateral jsonb_array_elements(sums) as sum
       where report_days.company = wanted.company and day between wanted.first_day and wanted.last_day
       group by sum->>0
     ) partner
     where not exists (
       select from report_days
       where report_days.company = wanted.company and day between wanted.first_day and wanted.last_day
         and sums is null
     )`,
    [
      wanted.map(({ company }) => company),
      wanted.map(({ firstDay }) => firstDay),
      wanted.map(({ lastDay }) => lastDay),
    ],
  );
  const sums = new Map<string, Map<string, OnTimeSums>>();
  for (const { company, partner, ...sum } of rows) {
    const own = sums.get(company) ?? new Map<string, OnTimeSums>();
    own.set(partner, sum);
    sums.set(company, own);
  }
  return sums;
}
