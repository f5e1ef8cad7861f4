import { fillPlaceholders, type SQL } from "drizzle-orm";
import { PgDialect } from "drizzle-orm/pg-core";

/** A statement for `pg`, by name: each connection parses and plans it once. */
export type PreparedQuery = { name: string; text: string; values: unknown[] };
/** A prepared statement, with a value for each of its placeholders. */
export type Prepared<Values> = (values: Values) => PreparedQuery;

/**
 * Prepares a statement that runs at each check: built once, and planned once per connection.
 * @param name unique; another statement has another one
 * @param statement with a placeholder for each value, already in the form that PostgreSQL takes
 */
export function prepared(name: string, statement: SQL): Prepared<Record<string, unknown>> {
  const { sql: text, params } = new PgDialect().sqlToQuery(statement);
  return (values) => ({ name, text, values: fillPlaceholders(params, values) });
}
