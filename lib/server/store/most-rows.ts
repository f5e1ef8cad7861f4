import { drizzle } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import { Failure } from "@/lib/contracts/failure";
import { count } from "@/lib/domain/words/format";
import type { Database } from "./database";

/** Maximum rows that one request reads from the database; also the batch size of exports. */
export const MAX_ROWS = 50_000;

/** The rows that one request may still read. */
export type RowBudget = {
  readonly left: number;
  /**
   * Runs a statement, after those before it, and counts its rows.
   * @param query reads at most `limit` rows, one more than are left, so that more are noticed and not read
   * @throws Failure `invalid_request` when there are more rows than are left
   */
  read<Row>(query: (limit: number) => Promise<Row[]>): Promise<Row[]>;
  /** Counts rows read without `read`. @throws as `read` */
  take(rows: number): void;
};

/** A budget for one request. @param most rows */
export function rowBudget(most = MAX_ROWS): RowBudget {
  let left = most;
  let last: Promise<unknown> = Promise.resolve();

  function take(rows: number): void {
    left -= rows;
    if (left < 0) throw tooManyRows(most);
  }

  return {
    get left() {
      return Math.max(0, left);
    },
    take,
    read<Row>(query: (limit: number) => Promise<Row[]>): Promise<Row[]> {
      const reading = last.then(async () => {
        take(0);
        const rows = await query(left + 1);
        take(rows.length);
        return rows;
      });
      last = reading.catch(() => undefined);
      return reading;
    },
  };
}

/** For background jobs, which no request waits for: unlimited. */
export const NO_BUDGET: Pick<RowBudget, "read"> = { read: (query) => query(2 ** 31 - 1) };

/**
 * The runtime, with the rows of each statement of its pool and of Drizzle over it counted; transactions aren't.
 * Statements should aggregate, so that a single one can't exceed the budget by much.
 * @throws Failure `invalid_request`, from a statement, once more rows were read than are left; from Drizzle as the cause
 * of its error (`failureIn`)
 */
export function boundRows<T extends { database: Database }>(runtime: T, budget: RowBudget): T {
  const { pool, orm } = runtime.database;
  async function query(statement: string, values?: unknown[]) {
    budget.take(0);
    const result = await pool.query(statement, values);
    budget.take(result.rows.length);
    return result;
  }
  const transaction: typeof orm.transaction = (work, config) => orm.transaction(work, config);
  const counted = Object.create(pool, { query: { value: query } }) as Pool;
  const database = Object.create(runtime.database, {
    pool: { value: counted },
    orm: { value: Object.assign(drizzle({ client: counted }), { transaction }) },
  }) as Database;
  return Object.create(runtime, { database: { value: database } }) as T;
}

function tooManyRows(most: number): Failure {
  return new Failure(
    "invalid_request",
    `This needs more than ${count(most)} records. Choose a shorter time range or narrow the selection.`,
  );
}
