/**
 * The service's log; a pino logger fits. Never receives a secret or a token: the errors of a `Database` contain no
 * bound values.
 */
export type Log = {
  info(detail: object, message: string): void;
  error(detail: object, message: string): void;
};

/**
 * For events that clients can cause at any rate: the implementation counts them, so that the log remains small. Never
 * receives a secret, a token or an unverified client id.
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
