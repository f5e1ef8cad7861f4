import { DrizzleQueryError } from "drizzle-orm";
import type { Client, DatabaseError } from "pg";

/**
 * Removes bound values from database errors at the source, because Next and Node print errors without going through
 * our log.
 */

/** Members of PostgreSQL's errors that may contain values of rows or parameters. */
const TELLING = ["detail", "hint", "where", "internalQuery"] as const;
/** SQLSTATE class whose messages quote the rejected value. */
const DATA_EXCEPTION = "22";

/** Removes `params` from Drizzle's errors, and the values in their message; the statement remains. */
export function quietDrizzle(): void {
  Object.defineProperty(DrizzleQueryError.prototype, "params", {
    configurable: true,
    get: () => undefined,
    // The constructor sets `params` after `query`, and before capturing the stack, which contains the message.
    set(this: DrizzleQueryError) {
      this.message = `Failed query: ${this.query}`;
    },
  });
}

/** Removes values from the errors that a connection receives; names of tables, columns and constraints remain. */
export function quietConnection({ connection }: Pick<Client, "connection">): void {
  connection.prependListener("errorMessage", quiet);
}

function quiet(error: DatabaseError): void {
  for (const name of TELLING) delete error[name];
  if (error.code?.startsWith(DATA_EXCEPTION) !== true) return;
  const { message, stack } = error;
  error.message = withoutQuotes(message);
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
}

/**
 * Removes the quoted value from a message of PostgreSQL.
 * @param message such as `invalid input syntax for type uuid: "x"`
 */
export function withoutQuotes(message: string): string {
  // From the first quote to the last, because the value may contain quotes.
  return message.replace(/:? ?"[^]*"/, "").replace(/: 0x[^]*$/, "");
}
