import { sql, type SQL } from "drizzle-orm";
import { LANDING_DAYS_KEPT } from "@/lib/domain/deadlines/deadline";
import { batches } from "@/lib/server/store/batches";
import type { Database, Writer } from "@/lib/server/store/database";

/** The tables that grow with time, and the column that dates their rows (on the API clock). */
const AGEING = [
  { table: "runs", at: "started_at" },
  { table: "landings", at: "landed_at" },
  { table: "verdict_changes", at: "changed_at" },
  { table: "call_samples", at: "sampled_at" },
] as const;

/**
 * Whether an endpoint `e` has a deadline, by which its landings are kept longer; not if it was removed before the
 * cutoff, since its row goes then.
 */
const hasDeadline = (
  cutoff: string,
) => `(e.removed_at is null or e.removed_at >= ${cutoff}) and exists (
  select from deadlines d where d.company = e.company and d.ended_at is null and (
    d.endpoint_id = e.endpoint_id
    or (d.endpoint_id is null and (d.partner_name is null or d.partner_name = e.partner_name))
  )
)`;
/** On PostgreSQL's clock, which agrees with ours when anything is deleted. */
const KEPT_SINCE = `now() - interval '${LANDING_DAYS_KEPT} days'`;

/** Size of a record: all rows, and those before a cutoff. */
export type RecordSize = {
  rows: number;
  expired: number;
  oldestMs: number | null;
  /** It was counted for some endpoints, which stand for all: either number may be too low or too high. */
  isEstimate: boolean;
};

/** At an hourly cadence, 90 days of them are 21,600 rows of the largest table. */
const ENDPOINTS_PER_COUNT = 5;

/**
 * Counts the rows of a company's record in tables that grow with time, some endpoints at a time.
 * @param cutoffMs epoch milliseconds
 * @param mostEndpoints of a company with more, so many or fewer are counted, distributed evenly, and stand for all
 */
export async function measureRecord(
  database: Database,
  company: string,
  cutoffMs: number,
  mostEndpoints = Number.POSITIVE_INFINITY,
): Promise<RecordSize> {
  const { rows: all } = await database.pool.query<{ id: string }>(
    "select endpoint_id as id from endpoints where company = $1 order by endpoint_id",
    [company],
  );
  const step = Math.max(1, Math.ceil(all.length / mostEndpoints));
  const ids = all.flatMap(({ id }, at) => (at % step === 0 ? id : []));
  const isEstimate = ids.length < all.length;
  const size: RecordSize = { rows: 0, expired: 0, oldestMs: null, isEstimate };
  for (const slice of batches(ids, ENDPOINTS_PER_COUNT))
    for (const ageing of AGEING) {
      const of = await countRows(database, company, slice, cutoffMs, ageing);
      size.rows += of.rows;
      size.expired += of.expired;
      if (of.oldestMs !== null) size.oldestMs = Math.min(size.oldestMs ?? of.oldestMs, of.oldestMs);
    }
  const standsFor = ids.length === 0 ? 1 : all.length / ids.length;
  return {
    ...size,
    rows: Math.round(size.rows * standsFor),
    expired: Math.round(size.expired * standsFor),
  };
}

async function countRows(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  cutoffMs: number,
  { table, at }: (typeof AGEING)[number],
): Promise<Omit<RecordSize, "isEstimate">> {
  const isKept =
    table === "landings"
      ? `and (landed_at < ${KEPT_SINCE} or not exists (
           select from endpoints e
           where e.company = $1 and e.endpoint_id = t.endpoint_id and ${hasDeadline("$2")}
         ))`
      : "";
  const { rows } = await database.pool.query<{
    rows: string;
    expired: string;
    oldest: Date | null;
  }>(
    `select count(*) as rows, count(*) filter (where ${at} < $2 ${isKept}) as expired, min(${at}) as oldest
     from ${table} t where company = $1 and endpoint_id = any ($3)`,
    [company, new Date(cutoffMs).toISOString(), endpointIds],
  );
  const [of] = rows;
  return {
    rows: Number(of?.rows ?? 0),
    expired: Number(of?.expired ?? 0),
    oldestMs: of?.oldest?.getTime() ?? null,
  };
}

/** All companies with a record, whether configured or not. */
export async function readRecordedCompanies(database: Database): Promise<string[]> {
  const { rows } = await database.pool.query<{ company: string }>(
    "select distinct company from endpoints order by company",
  );
  return rows.map(({ company }) => company);
}

/** @returns PostgreSQL's clock, epoch milliseconds */
export async function readDatabaseClock(database: Database): Promise<number> {
  const { rows } = await database.pool.query<{ ms: string }>(
    "select extract(epoch from clock_timestamp()) * 1000 as ms",
  );
  return Number(rows[0]?.ms);
}

/** Endpoints whose keys one statement scans. */
const ENDPOINTS_PER_DELETE = 200;

/** Where the next batch of a run continues. */
export type RetentionPlace = {
  /** Nothing is left to delete by the statements before. */
  statement: number;
  /** The company's endpoints when the run began; younger ones have nothing that expired. Read by the first batch. */
  endpointIds?: readonly string[];
};

/** Whether anything of a company's record is deleted at this cutoff. @param cutoffMs epoch milliseconds */
export async function hasExpired(
  { orm }: Pick<Database, "orm">,
  company: string,
  cutoffMs: number,
): Promise<boolean> {
  const any = expiredRows(company, cutoffMs, 1, [sql`true`]).map(
    ({ rows }) => sql`exists (${rows})`,
  );
  const { rows } = await orm.execute<{ found: boolean }>(
    sql`select ${sql.join(any, sql` or `)} as found`,
  );
  return rows[0]?.found === true;
}

/**
 * Deletes one batch of a company's record from before `cutoffMs`. Small batches keep locks short and the
 * write-ahead log and load small; repeat with the same `place` until it returns 0.
 *
 * Scans primary keys endpoint by endpoint, so no index on time alone is needed. An endpoint's history is
 * deleted before its row, which is needed to find it.
 * @param cutoffMs epoch milliseconds
 * @param batchRows most rows deleted in one statement
 * @param place where the previous batch of the same run ended; is moved on
 * @returns number of deleted rows
 */
export async function deleteExpired(
  writer: Writer,
  company: string,
  cutoffMs: number,
  batchRows: number,
  place: RetentionPlace = { statement: 0 },
): Promise<number> {
  return writer.orm.transaction(async (tx) => {
    place.endpointIds ??= await readEndpointIds(tx, company);
    const among = Array.from(
      batches(place.endpointIds, ENDPOINTS_PER_DELETE),
      (ids) => sql`e.endpoint_id = any (${sql.param(ids)}::text[])`,
    );
    const expired = expiredRows(company, cutoffMs, batchRows, among);
    for (const { table, key, rows } of expired.slice(place.statement)) {
      const isSame = key.map(
        (column) => sql`t.${sql.identifier(column)} = expired.${sql.identifier(column)}`,
      );
      const { rowCount } = await tx.execute(sql`
        delete from ${sql.identifier(table)} t using (${rows}) expired
        where t.company = ${company} and ${sql.join(isSame, sql` and `)}`);
      if (rowCount !== null && rowCount > 0) return rowCount;
      place.statement += 1;
    }
    return 0;
  });
}

async function readEndpointIds(tx: Pick<Database["orm"], "execute">, company: string) {
  const { rows } = await tx.execute<{ id: string }>(
    sql`select endpoint_id as id from endpoints where company = ${company} order by endpoint_id`,
  );
  return rows.map(({ id }) => id);
}

/** Rows of a table that have expired, as a query for the columns that tell them apart within their company. */
type ExpiredRows = { table: string; key: readonly string[]; rows: SQL };

/**
 * What has expired, in the order in which it is deleted.
 * @param most rows of each at most
 * @param among conditions on an endpoint `e` that together hold for all of them: one entry each per table that grows
 */
function expiredRows(
  company: string,
  cutoffMs: number,
  most: number,
  among: readonly SQL[],
): ExpiredRows[] {
  const instant = `timestamptz '${new Date(cutoffMs).toISOString()}'`;
  const cutoff = sql.raw(instant);
  const keptSince = sql.raw(KEPT_SINCE);
  return [
    ...AGEING.flatMap((ageing) => {
      const [table, at] = [sql.identifier(ageing.table), sql.identifier(ageing.at)];
      const ends =
        ageing.table === "landings"
          ? sql`case when ${sql.raw(hasDeadline(instant))} then least(${cutoff}, ${keptSince}) else ${cutoff} end`
          : cutoff;
      return among.map((isAmong) => ({
        table: ageing.table,
        key: ["endpoint_id", ageing.at],
        rows: sql`select old.endpoint_id, old.${at}
          from endpoints e
          cross join lateral (
            select endpoint_id, ${at} from ${table}
            where company = e.company and endpoint_id = e.endpoint_id and ${at} < ${ends}
            order by ${at} limit ${most}
          ) old
          where e.company = ${company} and ${isAmong}
          limit ${most}`,
      }));
    }),
    {
      table: "gaps",
      key: ["from_at"],
      rows: sql`select from_at from gaps
        where company = ${company} and until_at < ${cutoff}
          and (until_at < ${keptSince} or not exists (
            select from deadline_folds f where f.company = ${company}
          ))
        order by from_at limit ${most}`,
    },
    {
      table: "rolled_up_calls",
      key: ["from_at"],
      rows: sql`select from_at from rolled_up_calls
        where company = ${company} and from_at < ${cutoff} order by from_at limit ${most}`,
    },
    {
      // The last of each endpoint before the cutoff still holds after it.
      table: "endpoint_facts",
      key: ["endpoint_id", "seen_at"],
      rows: sql`select f.endpoint_id, f.seen_at from endpoint_facts f
        where f.company = ${company} and f.seen_at < least(${cutoff}, ${keptSince})
          and exists (
            select from endpoint_facts later
            where later.company = f.company and later.endpoint_id = f.endpoint_id
              and later.seen_at > f.seen_at
              and later.seen_at < least(${cutoff}, ${keptSince})
          )
        limit ${most}`,
    },
    {
      table: "learned_weeks",
      key: ["endpoint_id", "from_at"],
      rows: sql`select endpoint_id, from_at from learned_weeks
        where company = ${company} and until_at < ${cutoff} limit ${most}`,
    },
    {
      table: "learned_week_feeds",
      key: ["endpoint_id"],
      rows: sql`select endpoint_id from endpoints
        join learned_week_feeds f using (company, endpoint_id)
        where company = ${company} and removed_at < ${cutoff} limit ${most}`,
    },
    {
      table: "deadline_risks",
      key: ["seq"],
      rows: sql`select seq from deadline_risks
        where company = ${company} and due_at < ${cutoff} limit ${most}`,
    },
    {
      table: "schedule_files",
      key: ["id"],
      rows: sql`select id from schedule_files
        where company = ${company} and gone_at < ${cutoff} limit ${most}`,
    },
    {
      table: "endpoint_facts",
      key: ["endpoint_id", "seen_at"],
      rows: sql`select f.endpoint_id, f.seen_at from endpoints e
        join endpoint_facts f on f.company = e.company and f.endpoint_id = e.endpoint_id
        where e.company = ${company} and e.removed_at < ${cutoff} limit ${most}`,
    },
    {
      table: "endpoints",
      key: ["endpoint_id"],
      rows: sql`select endpoint_id from endpoints
        where company = ${company} and removed_at < ${cutoff} limit ${most}`,
    },
  ];
}
