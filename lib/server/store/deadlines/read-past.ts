import type { EndpointPast } from "@/lib/domain/deadlines/closing";
import type { FeedFacts } from "@/lib/domain/deadlines/holding";
import type { EnteredQuiet, SeenLanding } from "@/lib/domain/deadlines/outcome";
import type { Period } from "@/lib/domain/history";
import { iso, isoOrNull } from "@/lib/domain/time/instant";
import { MINUTE_MS } from "@/lib/domain/time/units";
import type { Database } from "@/lib/server/store/database";
import { plannedQuietOf, readExpectationsWithin } from "@/lib/server/store/quiet/planned-quiet";

/** What the record says about deadlines. Only snapshots and gaps are read, never closed days. */

const ENDPOINTS_PER_QUERY = 1_000;

/** The facts of endpoints over a period. @returns an entry for each; at an instant before the first, the first holds */
export async function readFacts(
  { pool }: Pick<Database, "pool">,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs }: Period,
): Promise<Map<string, EndpointPast["factsAt"]>> {
  type Row = {
    id: string;
    seen_at: Date;
    partner_name: string;
    status: string | null;
    reported: boolean;
    cadence_minutes: number | null;
  };
  const known = new Map<string, { seenMs: number; facts: FeedFacts }[]>();
  for (let from = 0; from < endpointIds.length; from += ENDPOINTS_PER_QUERY) {
    const { rows } = await pool.query<Row>(
      `select wanted.id, f.*
       from unnest($2::text[]) as wanted(id)
       cross join lateral (
         (select seen_at, partner_name, status, reported, cadence_minutes from endpoint_facts
          where company = $1 and endpoint_id = wanted.id and seen_at <= $3 order by seen_at desc limit 1)
         union all
         (select seen_at, partner_name, status, reported, cadence_minutes from endpoint_facts
          where company = $1 and endpoint_id = wanted.id and seen_at > $3
            and seen_at <= coalesce((
              select min(seen_at) from endpoint_facts
              where company = $1 and endpoint_id = wanted.id and seen_at > $4
            ), 'infinity'))
       ) f
       order by wanted.id, f.seen_at`,
      [company, endpointIds.slice(from, from + ENDPOINTS_PER_QUERY), iso(fromMs), iso(untilMs)],
    );
    for (const row of rows) {
      const seen = known.get(row.id) ?? [];
      known.set(row.id, seen);
      seen.push({
        seenMs: row.seen_at.getTime(),
        facts: {
          partner: row.partner_name,
          status: row.status,
          reported: row.reported,
          cadenceMs: row.cadence_minutes === null ? null : row.cadence_minutes * MINUTE_MS,
        },
      });
    }
  }
  return new Map(
    endpointIds.map((id) => {
      const seen = known.get(id) ?? [];
      return [
        id,
        (ms: number) => (seen.findLast(({ seenMs }) => seenMs <= ms) ?? seen[0])?.facts ?? null,
      ];
    }),
  );
}

/**
 * Landings of endpoints since an instant of each, and the last one before; ascending.
 * @param limits.untilMs of those after it, epoch milliseconds, only the first is read; null: all are
 * @param limits.mostRows read by one statement; null: all
 */
export async function readSeenLandings(
  { pool }: Pick<Database, "pool">,
  company: string,
  wanted: readonly { id: string; fromMs: number }[],
  { untilMs, mostRows }: { untilMs: number | null; mostRows: number | null },
): Promise<Map<string, SeenLanding[]>> {
  type Row = { id: string; landed_at: Date; seen_at: Date | null; seen_after: Date | null };
  const landings = new Map<string, SeenLanding[]>(wanted.map(({ id }) => [id, []]));
  for (let from = 0; from < wanted.length; from += ENDPOINTS_PER_QUERY) {
    const some = wanted.slice(from, from + ENDPOINTS_PER_QUERY);
    const { rows } = await pool.query<Row>(
      `select wanted.id, l.*
       from unnest($2::text[], $3::timestamptz[]) as wanted(id, from_at)
       cross join lateral (
         (select landed_at, seen_at, seen_after from landings
          where company = $1 and endpoint_id = wanted.id and landed_at < wanted.from_at
          order by landed_at desc limit 1)
         union all
         (select landed_at, seen_at, seen_after from landings
          where company = $1 and endpoint_id = wanted.id and landed_at >= wanted.from_at
            and landed_at <= coalesce($5::timestamptz, 'infinity'))
         union all
         (select landed_at, seen_at, seen_after from landings
          where company = $1 and endpoint_id = wanted.id and landed_at >= wanted.from_at and landed_at > $5::timestamptz
          order by landed_at limit 1)
       ) l
       order by wanted.id, l.landed_at limit $4`,
      [
        company,
        some.map(({ id }) => id),
        some.map(({ fromMs }) => iso(fromMs)),
        mostRows,
        isoOrNull(untilMs),
      ],
    );
    for (const row of rows)
      landings.get(row.id)?.push({
        landedMs: row.landed_at.getTime(),
        seenMs: row.seen_at?.getTime() ?? null,
        seenAfterMs: row.seen_after?.getTime() ?? null,
      });
  }
  return landings;
}

/** The number of landings of endpoints in a period, counted up to `most`. */
export async function countLandings(
  { pool }: Pick<Database, "pool">,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs }: Period,
  most: number,
): Promise<number> {
  const { rows } = await pool.query<{ amount: number }>(
    `select count(*)::int as amount from (
       select from landings
       where company = $1 and endpoint_id = any ($2) and landed_at >= $3 and landed_at < $4
       limit $5
     ) counted`,
    [company, endpointIds, iso(fromMs), iso(untilMs), most],
  );
  return rows[0]?.amount ?? 0;
}

/** Planned quiet times that overlap a period, with when they were entered. */
export async function readEnteredQuiet(
  database: Pick<Database, "orm">,
  company: string,
  within: Period,
): Promise<EnteredQuiet[]> {
  const rows = await readExpectationsWithin(database, company, within);
  return rows.map((row) => ({ ...plannedQuietOf(row), enteredMs: row.madeAt.getTime() }));
}
