/**
 * Where the service says what went wrong; a pino logger fits. Never given a secret or a token: the errors of
 * a `Database` hold no bound value.
 */
export type Log = {
  info(detail: object, message: string): void;
  error(detail: object, message: string): void;
};

/**
 * Where it says what any client can make happen, as often as it likes: whoever takes it counts, so that the log
 * stays small. Never given a secret, a token, nor what a client called itself unless that is known.
 */
export type SecurityLog = {
  record(
    event: "token_refused" | "limit_hit",
    client: { address: string },
    facts: Readonly<Record<string, string | boolean>>,
  ): void;
  failed(
    event: "v3_request_failed",
    error: unknown,
    request: { method: string; url: string },
  ): unknown;
};

export const silentSecurityLog: SecurityLog = { record: () => {}, failed: () => {} };

export const silentLog: Log = { info: () => {}, error: () => {} };
