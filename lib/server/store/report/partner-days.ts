import { groupBy } from "@/lib/domain/collections/group-by";
import type { Database } from "@/lib/server/store/database";
import type { PartnerDaySums } from "@/lib/server/store/schema/report";
import type { CompanyDays } from "./on-time-sums";
import { sumOf, type DaySums } from "./rolled-up-days";

/**
 * A partner's rolled-up days at some companies, in one statement.
 * @param partner see `partnerKey`
 * @returns by company and day ("2026-11-01"); without days whose sums aren't computed, or without the partner
 */
export async function readPartnerDays(
  { pool }: Pick<Database, "pool">,
  wanted: readonly CompanyDays[],
  partner: string,
): Promise<Map<string, Map<string, DaySums>>> {
  const { rows } = await pool.query<{
    company: string;
    days: [day: string, sums: PartnerDaySums][] | null;
  }>(
    `select wanted.company, (
       select json_agg(json_build_array(day, sum))
       from report_days cross join lateral jsonb_array_elements(sums) as sum
       where report_days.company = wanted.company and day between wanted.first_day and wanted.last_day
         and normalize(sum->>0, nfc) = $4
     ) as days
     from unnest($1::text[], $2::date[], $3::date[]) as wanted(company, first_day, last_day)`,
    [
      wanted.map(({ company }) => company),
      wanted.map(({ firstDay }) => firstDay),
      wanted.map(({ lastDay }) => lastDay),
      partner,
    ],
  );
  return new Map(rows.map(({ company, days }) => [company, byDay(days ?? [])] as const));
}

/** A name that is composed in two ways has two entries a day. */
function byDay(entries: readonly (readonly [string, PartnerDaySums])[]): Map<string, DaySums> {
  return new Map(
    Array.from(groupBy(entries, ([day]) => day)).flatMap(([day, own]) => {
      const sums = own.map(([, one]) => one);
      const sum = sumOf(day, sums, null);
      return sum === null ? [] : [[day, sum] as const];
    }),
  );
}
