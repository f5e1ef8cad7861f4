import { format } from "node:util";
import pino, { type DestinationStream, type Logger } from "pino";
import { terminalJson } from "@/lib/domain/text/terminal-text.mjs";
import { plainMessage } from "./file-problem.mjs";
import { withoutQuotes } from "./quiet-errors";

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

/** What is told of an error besides its message and stack; anything else may hold what somebody typed. */
const TOLD_OF_ERRORS = [
  "code",
  "syscall",
  "address",
  "port",
  "severity",
  "schema",
  "table",
  "column",
  "constraint",
  "routine",
  "reason",
  "httpStatus",
] as const;
const LONGEST_MESSAGE = 500;
const LONGEST_STACK = 1_500;
const MOST_CAUSES = 3;

/**
 * JSON lines that are safe on a terminal, with secrets redacted by name, two levels deep; errors as `errorForLog` tells them.
 * @param level least level that is written
 * @param destination default: stdout
 */
export function createLog(level: string, destination?: DestinationStream): Log {
  const options: pino.LoggerOptions = {
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*["set-cookie"]`]),
      censor: "[redacted]",
    },
    // Pino leaves C1, bidirectional and invisible characters as they are.
    hooks: { streamWrite: terminalJson },
    serializers: { err: (error: unknown) => errorForLog(error) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** An error as the log has it. */
type LoggedError = {
  type: string;
  message: string;
  stack?: string;
  cause?: unknown;
  errors?: unknown[];
};

/**
 * An error for the log: kind, message (in words; the system's own name is in `code`), stack and causes, cut to some hundred bytes each. Of the database's
 * errors, the statement, code and names, without the values that were bound or that a row holds.
 * @param error anything; what is no Error is given back as it is
 * @param causes how many errors it is the cause of
 */
export function errorForLog(error: unknown, causes = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const told: LoggedError & Record<string, unknown> = {
    type: name,
    message: messageForLog(error).slice(0, LONGEST_MESSAGE),
  };
  for (const member of TOLD_OF_ERRORS) {
    const value: unknown = Reflect.get(error, member);
    if (typeof value === "string" || typeof value === "number") told[member] = value;
  }
  // The message stands at the head of the stack, values and all: only the frames behind it are told.
  const at = stack?.indexOf(message) ?? -1;
  // What stands between says no more than these two: where we asked, and where it broke.
  const isEnd = causes === 0 || cause === undefined;
  if (isEnd && stack !== undefined && at !== -1) {
    told.stack = stack
      .slice(at + message.length)
      .trim()
      .slice(0, LONGEST_STACK);
  }
  if (causes >= MOST_CAUSES) return told;
  if (cause !== undefined) told.cause = errorForLog(cause, causes + 1);
  // A host with several addresses fails at each of them, and says nothing but that itself.
  if (error instanceof AggregateError) {
    told.errors = error.errors
      .slice(0, MOST_CAUSES)
      .map((one: unknown) => errorForLog(one, MOST_CAUSES));
  }
  return told;
}

/** `quiet-errors.ts` keeps values out of errors where they arise; these may have arisen elsewhere. */
function messageForLog(error: Error): string {
  if ("query" in error && "params" in error) return `Failed query: ${String(error.query)}`;
  const isRefusedValue =
    "severity" in error &&
    "code" in error &&
    typeof error.code === "string" &&
    error.code.startsWith("22");
  return isRefusedValue ? withoutQuotes(error.message) : plainMessage(error);
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
