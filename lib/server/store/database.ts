import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Pool, QueryResultRow } from "pg";
import type { SignedRow } from "./audit/chain";
import type { AuditKeys } from "./audit/keys";
import type { Prepared } from "./statements/prepared";
import type { Lead } from "./schema/leads";

/** Connection to PostgreSQL: a pool, and Drizzle over it. */
export type Database = {
  pool: Pool;
  orm: Omit<NodePgDatabase, "transaction"> & {
    transaction<T>(
      work: (tx: Transaction) => Promise<T>,
      config?: Parameters<NodePgDatabase["transaction"]>[1],
    ): Promise<T>;
  };
  /** Connection string for `pg`; secret if it contains a password. */
  connectionString: string;
  /**
   * The same database for callers that together use at most `most` connections at once, so that others never
   * queue behind them.
   */
  share(most: number): Database;
  /** The same database over a separate pool of at most `most` connections; closed together with this one. */
  apart(most: number): Database;
  close(): Promise<void>;
};

/** Drizzle over the pool or over one transaction. */
export type Orm = Pick<
  Database["orm"],
  "select" | "insert" | "update" | "delete" | "execute" | "$count"
>;

/**
 * Access for code that writes only in transactions: a database or, for leader-only work, the leader's fenced
 * one (`fenced`).
 */
export type Writer = {
  orm: Pick<Database["orm"], "transaction">;
  /** Absent in a database, which isn't a leader's. */
  once?: Once;
};

/**
 * Runs a leader's write that is a single statement, without a transaction of several. The statement must begin with
 * `with term as (HELD_TERM)`, write only if `term` has a row, and return the number of its rows as `held`.
 * @param statement takes the term's values besides the given ones
 * @throws Deposed when another process leads, and nothing was written
 */
export type Once = <Row extends QueryResultRow, Values extends Record<string, unknown>>(
  statement: Prepared<Values & TermValues>,
  values: Values,
) => Promise<Row[]>;

/** Values of `HELD_TERM`. */
export type TermValues = { leadOf: Lead; leadTerm: string };

/** Drizzle over one transaction that may append to the audit log. */
export type Transaction = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0] & {
  audit: AuditPen;
};

/** Lets a transaction append to the audit log. */
export type AuditPen = {
  /** @throws Error if the database was opened without audit keys */
  keys(): AuditKeys;
  /** Call after appending, with the rows; triggers `onCommit` once the transaction is committed. */
  added(rows: readonly SignedRow[]): void;
};
