import type { Period } from "@/lib/domain/history";
import { iso } from "@/lib/domain/time/instant";
import type { Database } from "@/lib/server/store/database";

/**
 * Number of incidents opened within a period, by partner. Each counts once, on the day it was opened, so that
 * none can be added to a closed day, however long ago the trouble started.
 * @returns by partner; null where incidents weren't recorded then, or aren't derived from the record yet
 */
export async function countIncidents(
  { pool }: Pick<Database, "pool">,
  company: string,
  { fromMs, untilMs }: Period,
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
 * Whether incidents of a connected company, or of one of several, are still to be derived from its record: a day closed
 * before that would permanently lack them.
 */
export async function isPastUnreplayed(
  { pool }: Pick<Database, "pool">,
  ...companies: string[]
): Promise<boolean> {
  const { rows } = await pool.query(
    `select from companies c left join incident_states s on s.company = c.slug
     where c.slug = any($1::text[]) and c.left_at is null and s.recorded_since is null limit 1`,
    [companies],
  );
  return rows.length > 0;
}
