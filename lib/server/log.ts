import { format } from "node:util";
import pino, { type Logger } from "pino";

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

/**
 * JSON lines on stdout with secrets redacted by name, two levels deep.
 * @param level least level that is written
 */
export function createLog(level: string): Log {
  return pino({
    level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    redact: {
      paths: SECRET_NAMES.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*["set-cookie"]`]),
      censor: "[redacted]",
    },
    serializers: { err: pino.stdSerializers.errWithCause },
  });
}

/** Sends what is printed through `console` to the log, one line each. */
export function takeConsole(log: Log): void {
  const levels = {
    debug: "debug",
    log: "info",
    info: "info",
    warn: "warn",
    error: "error",
  } as const;
  for (const [name, level] of Object.entries(levels)) {
    Reflect.set(console, name, (...printed: unknown[]) => {
      const [first] = printed;
      if (first instanceof Error) log[level]({ err: first, source: "console" }, "printed");
      else log[level]({ source: "console" }, format(...printed));
    });
  }
}
