import { sql } from "drizzle-orm";
import { iso } from "@/lib/domain/time/instant";
import { HOUR_MS, SECOND_MS } from "@/lib/domain/time/units";
import { mapSteps } from "@/lib/domain/steps";
import { inSlices } from "@/lib/server/slices";
import type { Database, Writer } from "@/lib/server/store/database";
import { rolledUpCalls } from "@/lib/server/store/schema/record";

/** What one row covers, from a multiple of it on. */
export const ROLLED_UP_MS = 6 * HOUR_MS;
/** Between two readings. */
const STEP_MS = HOUR_MS / 2;

/** The instants of a row's readings. @param fromMs a multiple of `ROLLED_UP_MS` */
export function instantsFrom(fromMs: number): number[] {
  return Array.from({ length: ROLLED_UP_MS / STEP_MS }, (_, step) => fromMs + step * STEP_MS);
}

/** Where the rolled-up readings of a company end, epoch milliseconds on the API clock; null: there are none. */
export async function readRolledUpCallsEnd(
  { pool }: Pick<Database, "pool">,
  company: string,
): Promise<number | null> {
  const { rows } = await pool.query<{ at: Date }>(
    "select from_at as at from rolled_up_calls where company = $1 order by from_at desc limit 1",
    [company],
  );
  const [last] = rows;
  return last === undefined ? null : last.at.getTime() + ROLLED_UP_MS;
}

/**
 * Writes the readings of `instantsFrom(fromMs)`, unless they are written already.
 * @param read by endpoint, one reading for each instant; null: no sample was recent enough
 */
export async function writeRolledUpCalls(
  writer: Writer,
  company: string,
  fromMs: number,
  read: ReadonlyMap<string, readonly (number | null)[]>,
): Promise<void> {
  const known = [...read].filter(([, values]) => values.some((value) => value !== null));
  const ids = known.map(([id]) => id);
  const readings = instantsFrom(fromMs).flatMap((_, step) =>
    known.map(([, values]) => values[step] ?? null),
  );
  // As text, because Drizzle turns arrays into lists of parameters.
  const listed = `{${readings.map((value) => value ?? "null").join(",")}}`;
  await writer.orm.transaction((tx) =>
    tx.execute(sql`
      insert into ${rolledUpCalls} (company, from_at, endpoint_ids, readings)
      values (
        ${company},
        ${iso(fromMs)},
        array(select json_array_elements_text(${JSON.stringify(ids)}::json)),
        ${listed}::float8[]
      )
      on conflict do nothing`),
  );
}

/** The readings of one instant. */
export type RolledUpReading = {
  /** Place of each endpoint in `values`; the same object for all instants with the same endpoints. */
  places: ReadonlyMap<string, number>;
  /** Null: no sample was recent enough. */
  values: readonly (number | null)[];
};

/**
 * The rolled-up readings at some instants, by instant: epoch milliseconds on the API clock. Without instants that aren't
 * half hours or aren't rolled up.
 */
export async function readRolledUpCalls(
  { pool }: Pick<Database, "pool">,
  company: string,
  instantsMs: readonly number[],
): Promise<Map<number, RolledUpReading>> {
  const wantedMs = instantsMs.filter((atMs) => atMs % STEP_MS === 0);
  const rowsMs = new Set(wantedMs.map((atMs) => atMs - (atMs % ROLLED_UP_MS)));
  if (rowsMs.size === 0) return new Map();
  type Row = { from: Date; ids: string[] | null; steps: number[]; read: string };
  const { rows } = await pool.query<Row>(
    // Concatenating reads a stored array once, not once for each instant. Offset 0: before the instants are joined.
    `select part.from_at as from, part.ids, wanted.steps, wanted.read
     from (
       select from_at, cardinality(endpoint_ids) as n, readings || '{}'::float8[] as readings,
         case when endpoint_ids is distinct from lag(endpoint_ids) over (order by from_at)
           then array_to_json(endpoint_ids) end as ids
       from rolled_up_calls where company = $1 and from_at = any ($2)
       offset 0
     ) part
     cross join lateral (
       select json_agg(step order by step) as steps,
         string_agg(array_to_string(part.readings[step * part.n + 1:(step + 1) * part.n], ',', ''), ';'
           order by step) as read
       from unnest($3::timestamptz[]) as instant (at)
       cross join lateral (
         select extract(epoch from instant.at - part.from_at)::int / $4::int as step
       ) of_row
       where step >= 0 and step < $5
     ) wanted
     order by part.from_at`,
    [company, [...rowsMs].map(iso), wantedMs.map(iso), STEP_MS / SECOND_MS, ROLLED_UP_MS / STEP_MS],
  );
  const found = new Map<number, RolledUpReading>();
  let places: ReadonlyMap<string, number> = new Map();
  const take = ({ from, ids, steps, read }: Row) => {
    if (ids !== null) places = new Map(ids.map((id, place) => [id, place]));
    for (const [at, text] of read.split(";").entries())
      found.set(from.getTime() + (steps[at] ?? 0) * STEP_MS, { places, values: valuesOf(text) });
  };
  await inSlices(mapSteps(rows, take));
  return found;
}

function valuesOf(text: string): (number | null)[] {
  return text.split(",").map((value) => (value === "" ? null : Number(value)));
}
