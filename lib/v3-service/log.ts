/** Where the service says what went wrong; a pino logger fits. Never given a secret or a token. */
export type Log = {
  info(detail: object, message: string): void;
  error(detail: object, message: string): void;
};

export const silentLog: Log = { info: () => {}, error: () => {} };
