import { DrizzleQueryError } from "drizzle-orm";
import type { Client, DatabaseError } from "pg";

/**
 * Errors of the database without the values that were bound: Next and Node print errors that never pass
 * our log, so the values must not be in them.
 */

/** What PostgreSQL says with values of a row, or of a parameter. */
const TELLING = ["detail", "hint", "where", "internalQuery"] as const;
/** Class of SQLSTATE whose messages quote the value that was refused. */
const DATA_EXCEPTION = "22";

/** Drizzle's errors name the statement only; with `params` they would quote its values in the message too. */
export function quietDrizzle(): void {
  Object.defineProperty(DrizzleQueryError.prototype, "params", {
    configurable: true,
    get: () => undefined,
    // The constructor sets it after `query`, and before it captures the stack, which repeats the message.
    set(this: DrizzleQueryError) {
      this.message = `Failed query: ${this.query}`;
    },
  });
}

/** The errors that a connection receives keep what names things, and lose what quotes values. */
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
 * What PostgreSQL says of a value, without the value.
 * @param message such as `invalid input syntax for type uuid: "x"`
 */
export function withoutQuotes(message: string): string {
  // From the first quote to the last: the value may hold some itself.
  return message.replace(/:? ?"[^]*"/, "").replace(/: 0x[^]*$/, "");
}
