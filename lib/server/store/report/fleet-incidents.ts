import { MIN_VISIBLE } from "@/lib/domain/fleet-incidents/visible";
import type { Period } from "@/lib/domain/history";
import { iso } from "@/lib/domain/time/instant";
import type { Database } from "@/lib/server/store/database";
import { epochMs } from "@/lib/server/store/epoch-ms";

/** A fleet incident that incidents of a company were part of. */
export type FleetOfReport = {
  id: string;
  /** As the company's API writes it. */
  partnerName: string;
  /** When the first of them opened, epoch milliseconds on the company's API clock. */
  openedMs: number;
  /** Number of the company's incidents in it. */
  incidents: number;
  /** Number of visible companies in it. */
  companies: number;
};

/**
 * Fleet incidents that incidents of a company which opened within a period were part of, by time; those with several
 * visible companies.
 * @param visible slugs; nothing of others is counted
 */
export async function readFleetsOfReport(
  { pool }: Pick<Database, "pool">,
  company: string,
  { fromMs, untilMs }: Period,
  visible: readonly string[],
): Promise<FleetOfReport[]> {
  const { rows } = await pool.query<FleetOfReport>(
    `select own.*, others.companies
     from (
       select m.fleet_id as id, i.partner_name as "partnerName", ${epochMs("min(i.opened_at)")} as "openedMs",
         count(*)::int as incidents
       from incidents i join fleet_members m on m.company = i.company and m.incident_id = i.id
       where i.company = $1 and i.opened_at >= $2 and i.opened_at < $3
       group by 1, 2
     ) own cross join lateral (
       select count(distinct m.company)::int as companies from fleet_members m
       where m.fleet_id = own.id and m.company = any ($4)
     ) others
     where others.companies >= $5
     order by own."openedMs", own.id`,
    [company, iso(fromMs), iso(untilMs), [...visible], MIN_VISIBLE],
  );
  return rows;
}
