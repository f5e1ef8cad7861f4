import { Failure } from "@/lib/contracts/failure";
import type { Period } from "@/lib/domain/history";
import { DAY_MS } from "@/lib/domain/time/units";
import { counted } from "@/lib/domain/words/format";
import type { Database } from "@/lib/server/store/database";

/**
 * Reads the record for charts and tables. Everything is aggregated in SQL to what can be displayed, so the cost
 * depends on the requested range, not on the size of the record. Every statement accesses endpoints through a
 * primary key: (company, endpoint, time).
 *
 * Timestamps are epoch milliseconds on the API clock unless stated otherwise.
 */

const ENDPOINTS_PER_QUERY = 50;
/** For queries of the rows of a day per endpoint. */
export const DAYS_PER_QUERY = 200;
/** For queries of a few rows per endpoint. */
export const MOMENTS_PER_QUERY = 1_000;

/**
 * For queries of all rows of a period per endpoint. Those of one are scattered over the table: at a cadence of 15 minutes
 * it's some 20,000 pages, far from the statement timeout also where each is read from the disk.
 */
export function perQueryOf({ fromMs, untilMs }: Period): number {
  const days = (untilMs - fromMs) / DAY_MS;
  return Math.max(1, Math.min(ENDPOINTS_PER_QUERY, Math.floor(DAYS_PER_QUERY / days)));
}

/** Days of endpoints that one request may read row by row: some ten seconds, after which browsers stop waiting. */
const MAX_DAYS_READ = 50_000;

const daysIn = ({ fromMs, untilMs }: Period) => Math.ceil((untilMs - fromMs) / DAY_MS);

/** Whether one request may read all rows of a period of so many endpoints. */
export function mayReadAll(endpoints: number, period: Period): boolean {
  return endpoints * daysIn(period) <= MAX_DAYS_READ;
}

/**
 * Refuses to read all rows of a period of too many endpoints, before anything is read.
 * @throws Failure `invalid_request`
 */
export function refuseMoreDays(endpoints: number, period: Period): void {
  if (mayReadAll(endpoints, period)) return;
  throw new Failure(
    "invalid_request",
    `${counted(endpoints, "feed")} over ${counted(daysIn(period), "day")} is too much to load at once. Choose a shorter time range or a single feed.`,
  );
}

export type Slots = Period & { slotMs: number };

/** Runs a statement in batches of `perQuery` endpoints; `$1` is the company, `$2` the endpoint ids. */
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

/** The same as one row of JSON a query. The columns must be numbers, texts or JSON: a date would become text. */
export async function forEndpointsAsJson<Row extends Record<string, unknown>>(
  database: Database,
  statement: string,
  given: Parameters<typeof forEndpoints>[2],
  perQuery = ENDPOINTS_PER_QUERY,
): Promise<Row[]> {
  const all = await forEndpoints<{ found: Row[] | null }>(
    database,
    `select json_agg(row) as found from (${statement}) row`,
    given,
    perQuery,
  );
  return all.flatMap(({ found }) => found ?? []);
}
