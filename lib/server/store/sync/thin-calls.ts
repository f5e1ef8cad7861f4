import { eq, sql } from "drizzle-orm";
import type { Period } from "@/lib/domain/history";
import { HOUR_MS } from "@/lib/domain/time/units";
import { batches } from "@/lib/server/store/batches";
import type { Database, Writer } from "@/lib/server/store/database";
import { companies } from "@/lib/server/store/schema/record";

/** Endpoints whose first sample is looked up at once. */
const LOOKED_UP = 500;

/**
 * A company's endpoints, and where thinning their call samples continues.
 * @returns `fromMs`: start of an hour, epoch milliseconds on the API clock; null: there are no samples
 */
export async function readThinning(
  { pool }: Pick<Database, "pool">,
  company: string,
): Promise<{ endpointIds: string[]; fromMs: number | null }> {
  const { rows } = await pool.query<{ id: string; until: Date | null }>(
    `select e.endpoint_id as id, c.calls_thinned_until as until
     from endpoints e left join companies c on c.slug = e.company
     where e.company = $1 order by e.endpoint_id`,
    [company],
  );
  const endpointIds = rows.map(({ id }) => id);
  let fromMs = rows[0]?.until?.getTime() ?? null;
  fromMs ??= await readOldestSample({ pool }, company, endpointIds);
  return { endpointIds, fromMs: fromMs === null ? null : fromMs - (fromMs % HOUR_MS) };
}

/** When the first call sample of a company was taken, epoch milliseconds on the API clock; null: there is none. */
export async function readOldestSample(
  { pool }: Pick<Database, "pool">,
  company: string,
  endpointIds: readonly string[],
): Promise<number | null> {
  let firstMs: number | null = null;
  for (const ids of batches(endpointIds, LOOKED_UP)) {
    const oldestMs = await readOldest(pool, company, ids);
    if (oldestMs !== null) firstMs = Math.min(firstMs ?? oldestMs, oldestMs);
  }
  return firstMs;
}

async function readOldest(
  pool: Database["pool"],
  company: string,
  endpointIds: readonly string[],
): Promise<number | null> {
  const { rows } = await pool.query<{ at: Date | null }>(
    `select min(oldest.at) as at
     from unnest($2::text[]) as wanted(id)
     cross join lateral (
       select sampled_at as at from call_samples
       where company = $1 and endpoint_id = wanted.id
       order by sampled_at limit 1
     ) oldest`,
    [company, endpointIds],
  );
  return rows[0]?.at?.getTime() ?? null;
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
  { fromMs, untilMs }: Period,
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
