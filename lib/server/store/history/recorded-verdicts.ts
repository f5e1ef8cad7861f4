import type { Period, VerdictSlot } from "@/lib/domain/history";
import { type Verdict, VERDICTS } from "@/lib/domain/sync";
import type { Database } from "@/lib/server/store/database";
import { iso } from "@/lib/domain/time/instant";
import { type Slots, forEndpoints, perQueryOf } from "./for-endpoints";

type VerdictHistory = {
  /** Verdict at the start of the axis; null: unknown, or removed. */
  before: Verdict | null;
  slots: VerdictSlot[];
  /** The last change up to the end of the axis; null: none on record. */
  last: VerdictChange | null;
};

/** `previous` is null where the endpoint was new or reappeared: its earlier verdict is unknown. */
type VerdictChange = { atMs: number; verdict: Verdict | null; previous: Verdict | null };

/**
 * The verdict in effect before a given time: that of the preceding change; if retention has removed it,
 * `previous` of the following change; without any recorded change, the current verdict.
 */
export const HELD_BEFORE = (instant: string, company = "$1") => `
  left join lateral (
    select changed_at, verdict, previous from verdict_changes
    where company = ${company} and endpoint_id = wanted.id and changed_at < ${instant}
    order by changed_at desc limit 1
  ) before on true
  left join lateral (
    select changed_at, previous from verdict_changes
    where company = ${company} and endpoint_id = wanted.id and changed_at >= ${instant}
    order by changed_at limit 1
  ) after on before.changed_at is null
  left join lateral (
    select verdict from endpoints
    where company = ${company} and endpoint_id = wanted.id and removed_at is null
  ) present on before.changed_at is null and after.changed_at is null`;

export const HELD = `case when before.changed_at is not null then before.verdict
  when after.changed_at is not null then after.previous else present.verdict end`;

/** Verdict changes per slot. Returns an entry for every endpoint. */
export async function readVerdictSlots(
  database: Database,
  company: string,
  endpointIds: readonly string[],
  { fromMs, untilMs, slotMs }: Slots,
): Promise<Map<string, VerdictHistory>> {
  type Row = {
    id: string;
    held: Verdict | null;
    last_at: Date | null;
    last: Verdict | null;
    last_previous: Verdict | null;
    slots: [number, number | null, number | null][] | null;
  };
  const rows = await forEndpoints<Row>(
    database,
    `select wanted.id, ${HELD} as held, last.changed_at as last_at, last.verdict as last,
       last.previous as last_previous, changed.slots
     from unnest($2::text[]) as wanted(id)
     ${HELD_BEFORE("$3")}
     left join lateral (
       select changed_at, verdict, previous from verdict_changes
       where company = $1 and endpoint_id = wanted.id and changed_at < $4
       order by changed_at desc limit 1
     ) last on true
     cross join lateral (
       select json_agg(json_build_array(first_ms, worst, last) order by first_ms) as slots
       from (
         select min(at_ms) as first_ms, min(rank) as worst,
           (array_agg(rank order by at_ms desc))[1] as last
         from (
           select round(date_part('epoch', changed_at) * 1000) as at_ms,
             array_position($6::text[], verdict) - 1 as rank,
             floor(date_part('epoch', changed_at - $3::timestamptz) / $5) as slot
           from verdict_changes
           where company = $1 and endpoint_id = wanted.id and changed_at >= $3 and changed_at < $4
         ) change
         group by slot
       ) slot
     ) changed`,
    [company, endpointIds, iso(fromMs), iso(untilMs), slotMs / 1000, VERDICTS],
    perQueryOf({ fromMs, untilMs }),
  );
  const wordAt = (rank: number | null) => (rank === null ? null : (VERDICTS[rank] ?? null));
  return new Map(
    rows.map((row) => {
      const slots = (row.slots ?? []).map(([firstMs, worst, last]) => ({
        firstMs,
        worst: wordAt(worst),
        last: wordAt(last),
      }));
      const last =
        row.last_at === null
          ? null
          : { atMs: row.last_at.getTime(), verdict: row.last, previous: row.last_previous };
      return [row.id, { before: row.held, slots, last }];
    }),
  );
}

/**
 * Since when each endpoint has had its current verdict, epoch milliseconds. Omits endpoints whose verdict
 * predates the record or dates from when they were new or reappeared: their earlier verdict is unknown.
 */
export async function readVerdictsSince(
  database: Database,
  company: string,
  endpointIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await forEndpoints<{ id: string; changed_at: Date }>(
    database,
    `select wanted.id, begun.changed_at
     from unnest($2::text[]) as wanted(id)
     join endpoints present on present.company = $1 and present.endpoint_id = wanted.id
     left join lateral (
       select changed_at from verdict_changes
       where company = $1 and endpoint_id = wanted.id and verdict is distinct from present.verdict
       order by changed_at desc limit 1
     ) other on true
     cross join lateral (
       select changed_at, previous from verdict_changes
       where company = $1 and endpoint_id = wanted.id
         and changed_at > coalesce(other.changed_at, '-infinity')
       order by changed_at limit 1
     ) begun
     where begun.previous is not null`,
    [company, endpointIds],
  );
  return new Map(rows.map(({ id, changed_at: at }) => [id, at.getTime()]));
}

/** The latest verdict changes of an endpoint within a period, newest first. */
export async function readVerdictChanges(
  database: Database,
  company: string,
  endpointId: string,
  { fromMs, untilMs }: Period,
  most: number,
): Promise<VerdictChange[]> {
  const { rows } = await database.pool.query<{
    changed_at: Date;
    verdict: Verdict | null;
    previous: Verdict | null;
  }>(
    `select changed_at, verdict, previous from verdict_changes
     where company = $1 and endpoint_id = $2 and changed_at >= $3 and changed_at < $4
     order by changed_at desc limit $5`,
    [company, endpointId, iso(fromMs), iso(untilMs), most],
  );
  return rows.map(({ changed_at, verdict, previous }) => ({
    atMs: changed_at.getTime(),
    verdict,
    previous,
  }));
}
