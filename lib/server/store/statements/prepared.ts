import { fillPlaceholders, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

/** A statement for `pg`, by name: each connection parses and plans it once. */
export type PreparedQuery = { name: string; text: string; values: unknown[] };

/**
 * Prepares a statement that runs at each check: built once, and planned once per connection.
 * @param name unique; another statement has another one
 * @param statement with a placeholder for each value, already in the form that PostgreSQL takes
 */
export function prepared<Values extends Record<string, unknown>>(
  name: string,
  statement: SQL,
): (values: Values) => PreparedQuery {
  const { sql: text, params } = new PgDialect().sqlToQuery(statement);
  return (values) => ({ name, text, values: fillPlaceholders(params, values) });
}
