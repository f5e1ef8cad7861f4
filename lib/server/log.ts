import { format } from "node:util";
import pino, { type DestinationStream, type Logger } from "pino";
import { terminalJson } from "@/lib/domain/text/terminal-text.mjs";
import { plainMessage } from "./file-problem.mjs";
import { withoutQuotes } from "./quiet-errors";

export type Log = Logger;

/** Members that may contain a secret in logged objects. */
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

/** Members of errors that are logged besides message and stack; others may contain user input. */
const LOGGED_ERROR_MEMBERS = [
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
const MAX_CAUSES = 3;

/**
 * Creates a log of JSON lines that are safe to print on a terminal. Secrets are redacted by name, up to two levels deep;
 * errors are serialized by `errorForLog`.
 * @param level minimum level
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
    // Pino doesn't escape C1, bidirectional and invisible characters.
    hooks: { streamWrite: terminalJson },
    serializers: { err: (error: unknown) => errorForLog(error) },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

/** Logged form of an error. */
type LoggedError = {
  type: string;
  message: string;
  stack?: string;
  cause?: unknown;
  errors?: unknown[];
};

/**
 * Serializes an error for the log: type, message (`plainMessage`), code, stack and causes, each of bounded length. For
 * database errors: statement, code and object names, without bound values or values of rows.
 * @param error anything; values other than errors are returned unchanged
 * @param causes number of errors that this one is the cause of
 */
export function errorForLog(error: unknown, causes = 0): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack, cause } = error;
  const logged: LoggedError & Record<string, unknown> = {
    type: name,
    message: messageForLog(error).slice(0, LONGEST_MESSAGE),
  };
  for (const member of LOGGED_ERROR_MEMBERS) {
    const value: unknown = Reflect.get(error, member);
    if (typeof value === "string" || typeof value === "number") logged[member] = value;
  }
  // The stack starts with the unredacted message: only the frames after it are logged.
  const at = stack?.indexOf(message) ?? -1;
  // Only of the outermost error and the root cause: where we called, and where it failed.
  const isEnd = causes === 0 || cause === undefined;
  if (isEnd && stack !== undefined && at !== -1) {
    logged.stack = stack
      .slice(at + message.length)
      .trim()
      .slice(0, LONGEST_STACK);
  }
  if (causes >= MAX_CAUSES) return logged;
  if (cause !== undefined) logged.cause = errorForLog(cause, causes + 1);
  // For a host with several addresses, the aggregate error has no details.
  if (error instanceof AggregateError) {
    logged.errors = error.errors
      .slice(0, MAX_CAUSES)
      .map((one: unknown) => errorForLog(one, MAX_CAUSES));
  }
  return logged;
}

/** The same without stacks, for failures of others: where we called is no news. */
export function briefErrorForLog(error: unknown): unknown {
  return JSON.parse(
    JSON.stringify(errorForLog(error), (name, value: unknown) =>
      name === "stack" ? undefined : value,
    ),
  );
}

/** The message without values. `quiet-errors.ts` removes them at the source, but not from errors of other origins. */
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
 * Redirects `console` output to the log, one line per call.
 * @param tellError receives output with an error instead, and must limit its rate: each failing page request prints one
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
