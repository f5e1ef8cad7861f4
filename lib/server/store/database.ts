import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { Pool } from "pg";

/** The one connection to PostgreSQL: a pool, and Drizzle over it. */
export type Database = {
  pool: Pool;
  orm: NodePgDatabase;
  /** What `pg` connects with; secret when it holds a password. */
  connectionString: string;
  close(): Promise<void>;
};

/** Drizzle over the pool, or over one transaction. */
export type Orm = Pick<Database["orm"], "select" | "insert" | "update" | "delete" | "execute">;
