import type { Database } from "@/lib/server/store/database";

/** The tables that grow with time, and the column that dates their rows (on the API's clock). */
const AGEING = [
  { table: "runs", at: "started_at" },
  { table: "landings", at: "landed_at" },
  { table: "verdict_changes", at: "changed_at" },
  { table: "call_samples", at: "sampled_at" },
] as const;

/** What a company's record holds: rows in all, and those from before a moment. */
export type RecordSize = { rows: number; expired: number; oldestMs: number | null };

/**
 * Counts a company's record, as far as it grows with time.
 * @param cutoffMs epoch milliseconds
 */
export async function measureRecord(
  database: Database,
  company: string,
  cutoffMs: number,
): Promise<RecordSize> {
  const size: RecordSize = { rows: 0, expired: 0, oldestMs: null };
  for (const { table, at } of AGEING) {
    const { rows } = await database.pool.query<{
      rows: string;
      expired: string;
      oldest: Date | null;
    }>(
      `select count(*) as rows, count(*) filter (where ${at} < $2) as expired, min(${at}) as oldest
       from ${table} where company = $1`,
      [company, new Date(cutoffMs).toISOString()],
    );
    const [of] = rows;
    size.rows += Number(of?.rows ?? 0);
    size.expired += Number(of?.expired ?? 0);
    const oldestMs = of?.oldest?.getTime() ?? null;
    if (oldestMs !== null) size.oldestMs = Math.min(size.oldestMs ?? oldestMs, oldestMs);
  }
  return size;
}

/** Every company that has a record, be it configured still or not. */
export async function readRecordedCompanies(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ company: string }>(
    "select distinct company from endpoints order by company",
  );
  return rows.map(({ company }) => company);
}

/** @returns PostgreSQL's own clock, epoch milliseconds */
export async function readDatabaseClock(database: Database): Promise<number> {
  const { rows } = await database.pool.query<{ ms: string }>(
    "select extract(epoch from clock_timestamp()) * 1000 as ms",
  );
  return Number(rows[0]?.ms);
}

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
