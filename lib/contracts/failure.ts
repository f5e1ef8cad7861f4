/** The closed list of our failure codes, with the HTTP status each one answers. */
export const FAILURE_STATUS = {
  invalid_request: 400,
  unauthenticated: 401,
  forbidden: 403,
  cross_site: 403,
  /** It needs somebody who has proven who they are lately. */
  reauthentication_required: 403,
  /** Of somebody who is signed in. */
  wrong_password: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  idempotency_mismatch: 422,
  too_many_requests: 429,
  internal: 500,
  upstream_unreachable: 502,
  unavailable: 503,
  paused: 503,
} as const;

export type FailureCode = keyof typeof FAILURE_STATUS;

/**
 * A failure we expect: `code` picks the HTTP status, `message` is the sentence a person reads;
 * `cause` goes to the log only.
 */
export class Failure extends Error {
  readonly code: FailureCode;
  /** Seconds after which the caller may try again; null when waiting does not help. */
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

/** Told by its shape: each of Next's bundles has a class of its own, and the runtime spans them. */
export function isFailure(error: unknown): error is Failure {
  return (
    error instanceof Error &&
    error.name === "Failure" &&
    "code" in error &&
    typeof error.code === "string" &&
    Object.hasOwn(FAILURE_STATUS, error.code)
  );
}

/** The body of every error answer, ours and the v3 API's alike. */
export type ErrorBody = { error: string; error_description: string };
