import type { Database } from "@/lib/server/store/database";

/** The tables that grow with time, and the column that dates their rows (on the API's clock). */
const AGEING = [
  { table: "runs", at: "started_at" },
  { table: "landings", at: "landed_at" },
  { table: "verdict_changes", at: "changed_at" },
  { table: "call_samples", at: "sampled_at" },
] as const;

/**
 * Deletes one batch of what a company's record holds from before `cutoffMs`. Small batches keep locks,
 * write-ahead log and the load short; call again until it answers 0.
 *
 * Walks the primary keys endpoint by endpoint, so that no index on time alone is needed. The record of
 * an endpoint goes before the endpoint itself, by whose row it is found.
 * @param cutoffMs epoch milliseconds
 * @param batchRows most rows deleted in one statement
 * @returns how many rows were deleted
 */
export async function deleteExpired(
  database: Database,
  company: string,
  cutoffMs: number,
  batchRows: number,
): Promise<number> {
  const parameters = [company, new Date(cutoffMs).toISOString(), batchRows];
  for (const { table, at } of AGEING) {
    const deleted = await rowCount(
      database,
      `delete from ${table} t
       using (
         select old.endpoint_id, old.${at}
         from endpoints e
         cross join lateral (
           select endpoint_id, ${at} from ${table}
           where company = e.company and endpoint_id = e.endpoint_id and ${at} < $2
           order by ${at} limit $3
         ) old
         where e.company = $1
         limit $3
       ) expired
       where t.company = $1 and t.endpoint_id = expired.endpoint_id and t.${at} = expired.${at}`,
      parameters,
    );
    if (deleted > 0) return deleted;
  }
  const gaps = await rowCount(
    database,
    `delete from gaps where company = $1 and from_at in (
       select from_at from gaps where company = $1 and until_at < $2 order by from_at limit $3
     )`,
    parameters,
  );
  if (gaps > 0) return gaps;
  const files = await rowCount(
    database,
    `delete from schedule_files where company = $1 and id in (
       select id from schedule_files where company = $1 and gone_at < $2 limit $3
     )`,
    parameters,
  );
  if (files > 0) return files;
  return rowCount(
    database,
    `delete from endpoints where company = $1 and endpoint_id in (
       select endpoint_id from endpoints where company = $1 and removed_at < $2 limit $3
     )`,
    parameters,
  );
}

async function rowCount(
  database: Database,
  statement: string,
  parameters: unknown[],
): Promise<number> {
  const { rowCount: count } = await database.pool.query(statement, parameters);
  return count ?? 0;
}
