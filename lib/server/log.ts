import { format } from "node:util";
import pino, { type DestinationStream, type Logger } from "pino";

export type Log = Logger;

/** Names under which a secret could stand in something that is logged. */
const SECRET_NAMES = [
  "access_token",
  "authorization",
  "cookie",
  "client_secret",
  "clientSecret",
  "password",
  "secret",
  "token",
  "connectionString",
];

/** What an error may carry besides its message; anything else may hold what somebody typed. */
const TOLD_OF_ERRORS = [
  "code",
  "syscall",
  "address",
  "port",
  "severity",
  "constraint",
  "table",
  "reason",
  "httpStatus",
] as const;
const LONGEST_MESSAGE = 500;
const LONGEST_STACK = 1_500;
const MOST_CAUSES = 3;

/**
 * JSON lines on stdout with secrets redacted by name, two levels deep; errors as `errorForLog` tells them.
 * @param level least level that is written
 * @param destination for tests; stdout unless given
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: {
      paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*["set-cookie"]`]),
      censor: "[redacted]",
    },
    serializers: { err: (error: unknown) => errorForLog(error) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** An error as the log has it. */
export type LoggedError = { type: string; message: string; stack?: string; cause?: unknown };

/**
 * An error for the log: kind, message, stack and causes, cut to a few hundred bytes each. A failed query is told
 * without its values, and what PostgreSQL says of a row is left out: both quote e-mail addresses and hashes.
 * @param error anything; what is no Error is given back as it is
 */
export function errorForLog(error: unknown, causes = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const told = withoutValues(error).slice(0, LONGEST_MESSAGE);
  const logged: LoggedError & Record<string, unknown> = { type: name, message: told };
  for (const key of TOLD_OF_ERRORS) {
    const value: unknown = Reflect.get(error, key);
    if (typeof value === "string" || typeof value === "number") logged[key] = value;
  }
  // The message stands at the head of the stack; only the frames behind it are of use.
  const frames = stack?.includes(message)
    ? stack.slice(stack.indexOf(message) + message.length)
    : "";
  // What stands between says no more than these two: where we asked, and where it broke.
  if (causes === 0 || cause === undefined) logged.stack = frames.trim().slice(0, LONGEST_STACK);
  if (cause !== undefined && causes < MOST_CAUSES) logged.cause = errorForLog(cause, causes + 1);
  return logged;
}

/** Drizzle puts a query's values behind its text. */
function withoutValues(error: Error): string {
  const query: unknown = Reflect.get(error, "query");
  return typeof query === "string" && "params" in error ? `Failed query: ${query}` : error.message;
}

/**
 * Sends what is printed through `console` to the log, one line each.
 * @param tellError takes what holds an error: every page that fails prints one, and who asks decides how often
 */
export function takeConsole(log: Log, tellError: (error: Error) => void): void {
  const levels = {
    debug: "debug",
    log: "info",
    info: "info",
    warn: "warn",
    error: "error",
  } as const;
  for (const [name, level] of Object.entries(levels)) {
    Reflect.set(console, name, (...printed: unknown[]) => {
      const error = printed.find((one) => one instanceof Error);
      if (error !== undefined) tellError(error);
      else log[level]({ source: "console" }, format(...printed));
    });
  }
}
