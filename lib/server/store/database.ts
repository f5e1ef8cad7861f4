import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";
import type { AuditKeys } from "./audit/keys";

/** The one connection to PostgreSQL: a pool, and Drizzle over it. */
export type Database = {
  pool: Pool;
  orm: Omit<NodePgDatabase, "transaction"> & {
    transaction<T>(
      work: (tx: Transaction) => Promise<T>,
      config?: Parameters<NodePgDatabase["transaction"]>[1],
    ): Promise<T>;
  };
  /** What `pg` connects with; secret when it holds a password. */
  connectionString: string;
  /** The same for those who together take at most so many connections at a time; the others never wait behind them. */
  share(most: number): Database;
  /** The same over connections of its own, so many at most, which nothing else can take; closed with this one. */
  apart(most: number): Database;
  close(): Promise<void>;
};

/** Drizzle over the pool, or over one transaction. */
export type Orm = Pick<
  Database["orm"],
  "select" | "insert" | "update" | "delete" | "execute" | "$count"
>;

/** What writes only in transactions: a database or, where one process leads, its leader's (`fenced`). */
export type Writer = { orm: Pick<Database["orm"], "transaction"> };

/** Drizzle over one transaction, which may add to the audit log. */
export type Transaction = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0] & {
  audit: AuditPen;
};

/** With which a transaction writes into the audit log. */
export type AuditPen = {
  /** @throws Error where the database was opened without a key */
  keys(): AuditKeys;
  /** To be called once something was added: it is told on when the transaction is committed. */
  added(): void;
};
