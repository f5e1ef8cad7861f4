/** All our failure codes and their HTTP status. */
export const FAILURE_STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  cross_site: 403,
  /** Requires a recent sign-in. */
  reauthentication_required: 403,
  /** Of a person who is already signed in. */
  wrong_password: 403,
  /** The API token is valid but refused for now. */
  token_resting: 403,
  /** The password was correct, and the account also requires a code. */
  code_required: 403,
  /** Of a second factor. */
  wrong_code: 403,
  /** A chosen password that is too easy to guess, or unchanged; the message says why. */
  weak_password: 400,
  not_found: 404,
  /** Of a past moment that isn't recorded. */
  no_history: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  /** The company's API wasn't usable with the given address and credentials; the body has the steps. */
  check_failed: 422,
  /** More items than may exist. */
  too_many: 422,
  too_many_requests: 429,
  internal: 500,
  upstream_unreachable: 502,
  unavailable: 503,
  paused: 503,
} as const;

export type FailureCode = keyof typeof FAILURE_STATUS;

/** An expected failure: `code` determines the HTTP status, `message` is shown to people, `cause` is only logged. */
export class Failure extends Error {
  readonly code: FailureCode;
  /** Seconds until a retry makes sense; null if waiting doesn't help. */
  readonly retryAfterSeconds: number | null;

  constructor(
    code: FailureCode,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "Failure";
    this.code = code;
    this.retryAfterSeconds = options.retryAfterSeconds ?? null;
  }

  get status(): number {
    return FAILURE_STATUS[this.code];
  }
}

/** Recognised by its shape, because each of Next's bundles has its own class and the runtime spans them. */
export function isFailure(error: unknown): error is Failure {
  return (
    error instanceof Error &&
    error.name === "Failure" &&
    "code" in error &&
    typeof error.code === "string" &&
    Object.hasOwn(FAILURE_STATUS, error.code)
  );
}

/** A failure, also one that a statement of Drizzle was refused with; null: any other error. */
export function failureIn(error: unknown): Failure | null {
  if (isFailure(error)) return error;
  return error instanceof Error && isFailure(error.cause) ? error.cause : null;
}

/** The body of every error response, both of our API and the v3 API. */
export type ErrorBody = { error: string; error_description: string };
