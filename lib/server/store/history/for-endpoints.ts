import type { Stretch } from "@/lib/domain/history";
import type { Database } from "@/lib/server/store/database";

/**
 * The record, read for charts and tables. Everything is grouped in SQL to what can be shown: what is read costs
 * by the range that is asked for, not by what the record holds. Every statement goes endpoint by endpoint
 * through a primary key: (company, endpoint, time).
 *
 * Instants are epoch milliseconds on the API's clock but where it is said.
 */

/** At a cadence of 15 minutes 90 days of them are half a million runs: far from the statement timeout. */
const ENDPOINTS_PER_QUERY = 50;
/** Of those that ask for a moment of each endpoint: a few rows. */
export const MOMENTS_PER_QUERY = 1_000;

export type Slots = Stretch & { slotMs: number };

/** Runs a statement for `perQuery` endpoints at a time; `$1` is the company, `$2` their ids. */
export async function forEndpoints<Row extends Record<string, unknown>>(
  database: Database,
  statement: string,
  [company, endpointIds, ...more]: [string, readonly string[], ...unknown[]],
  perQuery = ENDPOINTS_PER_QUERY,
): Promise<Row[]> {
  const all: Row[] = [];
  for (let from = 0; from < endpointIds.length; from += perQuery) {
    const ids = endpointIds.slice(from, from + perQuery);
    const { rows } = await database.pool.query<Row>(statement, [company, ids, ...more]);
    all.push(...rows);
  }
  return all;
}
