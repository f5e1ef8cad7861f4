import { eq, sql } from "drizzle-orm";
import type { Stretch } from "@/lib/domain/history";
import { HOUR_MS } from "@/lib/domain/time/units";
import type { Database, Writer } from "@/lib/server/store/database";
import { companies } from "@/lib/server/store/schema/record";

/**
 * A company's endpoints, and where thinning their call samples continues.
 * @returns `fromMs`: start of an hour, epoch milliseconds on the API clock; null: there are no samples
 */
export async function readThinning(
  { pool }: Pick<Database, "pool">,
  company: string,
): Promise<{ endpointIds: string[]; fromMs: number | null }> {
  const { rows } = await pool.query<{ id: string; oldest: Date | null; until: Date | null }>(
    `select e.endpoint_id as id, c.calls_thinned_until as until, oldest.at as oldest
     from endpoints e
     left join companies c on c.slug = e.company
     left join lateral (
       select sampled_at as at from call_samples
       where c.calls_thinned_until is null and company = e.company and endpoint_id = e.endpoint_id
       order by sampled_at limit 1
     ) oldest on true
     where e.company = $1
     order by e.endpoint_id`,
    [company],
  );
  const knownMs = rows[0]?.until?.getTime();
  const oldestMs = Math.min(...rows.flatMap(({ oldest }) => oldest?.getTime() ?? []));
  const fromMs = knownMs ?? (Number.isFinite(oldestMs) ? oldestMs : null);
  return {
    endpointIds: rows.map(({ id }) => id),
    fromMs: fromMs === null ? null : fromMs - (fromMs % HOUR_MS),
  };
}

/**
 * Reduces the call samples of some endpoints to each hour's first, highest and last, so that what a chart reads at full
 * hours, and the highest value, stay the same.
 * @param within whole hours
 * @returns number of deleted samples
 */
export async function thinCalls(
  writer: Writer,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs }: Stretch,
): Promise<number> {
  const [from, until] = [fromMs, untilMs].map((ms) => new Date(ms).toISOString());
  const { rowCount } = await writer.orm.transaction((tx) =>
    tx.execute(sql`
      with sample as (
        select endpoint_id, sampled_at, value, date_trunc('hour', sampled_at, 'UTC') as hour
        from call_samples
        where company = ${company} and endpoint_id = any (${sql.param([...endpointIds])}::text[])
          and sampled_at >= ${from}::timestamptz and sampled_at < ${until}::timestamptz
      ),
      edged as (
        select *, sampled_at in (min(sampled_at) over own, max(sampled_at) over own) as is_edge
        from sample window own as (partition by endpoint_id, hour)
      ),
      ranked as (
        select *, row_number() over (
          partition by endpoint_id, hour order by value desc, is_edge desc, sampled_at
        ) as rank
        from edged
      )
      delete from call_samples t using ranked
      where not ranked.is_edge and ranked.rank > 1 and t.company = ${company}
        and t.endpoint_id = ranked.endpoint_id and t.sampled_at = ranked.sampled_at`),
  );
  return rowCount ?? 0;
}

/** Records that all call samples of a company from before `untilMs` are thinned. */
export async function writeThinned(
  writer: Writer,
  company: string,
  untilMs: number,
): Promise<void> {
  await writer.orm.transaction((tx) =>
    tx
      .update(companies)
      .set({ callsThinnedUntil: new Date(untilMs) })
      .where(eq(companies.slug, company)),
  );
}
