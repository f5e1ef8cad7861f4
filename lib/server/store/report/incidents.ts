import type { Stretch } from "@/lib/domain/history";
import { iso } from "@/lib/domain/time/instant";
import type { Database } from "@/lib/server/store/database";

/**
 * How many incidents of each partner were opened within a stretch of time. Each counts once, on the day that we said
 * so: when that day closes, none can be added to it any more, however long ago the trouble began.
 * @returns by partner; null where incidents were not recorded then, or the record has not become incidents yet
 */
export async function countIncidents(
  { pool }: Pick<Database, "pool">,
  company: string,
  { fromMs, untilMs }: Stretch,
): Promise<Record<string, number> | null> {
  const { rows } = await pool.query<{ counts: [string, number][] | null }>(
    `select (
       select json_agg(json_build_array(partner_name, count)) from (
         select partner_name, count(*)::int as count from incidents
         where company = $1 and opened_at >= $2 and opened_at < $3
         group by partner_name
       ) counted
     ) as counts
     from incident_states where company = $1 and recorded_since < $3`,
    [company, iso(fromMs), iso(untilMs)],
  );
  const [found] = rows;
  return found === undefined ? null : Object.fromEntries(found.counts ?? []);
}

/**
 * Whether the record of a company that is connected has yet to become incidents: a day that closes before would be
 * without them for good.
 */
export async function isPastUntold(
  { pool }: Pick<Database, "pool">,
  company: string,
): Promise<boolean> {
  const { rows } = await pool.query(
    `select from companies c left join incident_states s on s.company = c.slug
     where c.slug = $1 and c.left_at is null and s.recorded_since is null`,
    [company],
  );
  return rows.length > 0;
}
