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
