import { randomUUID } from "node:crypto";
import { Failure, FAILURE_STATUS, type ErrorBody } from "@/lib/contracts/failure";
import type { Log } from "@/lib/server/log";
import { isDatabaseOutage } from "@/lib/server/store/outage";

/** On every JSON answer of ours, unless the handler said otherwise. */
export const PERSONAL_HEADERS = {
  "cache-control": "private, no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * The answer to anything thrown: a `Failure` in its own words; a database that is away as 503; the rest
 * as a 500 that tells nothing but the id under which the log has it.
 */
export function failureResponse(
  error: unknown,
  request: Pick<Request, "url" | "method">,
  log: Log,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const failure = asFailure(error);
  const answerHeaders = new Headers({ ...PERSONAL_HEADERS, ...headers });
  if (failure.retryAfterSeconds !== null) {
    answerHeaders.set("Retry-After", String(failure.retryAfterSeconds));
  }
  if (failure.cause !== undefined) {
    const requestId = randomUUID();
    answerHeaders.set("X-Request-Id", requestId);
    // Without the query: it may hold what a person searched for.
    const { pathname } = new URL(request.url);
    const line = { err: failure.cause, requestId, method: request.method, pathname };
    if (failure.code === "internal") log.error(line, "a request failed unexpectedly");
    else log.warn({ ...line, code: failure.code }, "a request failed");
  }
  const body: ErrorBody = { error: failure.code, error_description: failure.message };
  return Response.json(body, { status: FAILURE_STATUS[failure.code], headers: answerHeaders });
}

function asFailure(error: unknown): Failure {
  if (isFailure(error)) return error;
  if (isDatabaseOutage(error)) {
    return new Failure("unavailable", "This is not available right now.", {
      cause: error,
      retryAfterSeconds: 5,
    });
  }
  return new Failure("internal", "Something went wrong on our side.", { cause: error });
}

/** Told by its shape: each of Next's bundles has a class of its own, and the runtime spans them. */
function isFailure(error: unknown): error is Failure {
  return (
    error instanceof Error &&
    error.name === "Failure" &&
    "code" in error &&
    typeof error.code === "string" &&
    Object.hasOwn(FAILURE_STATUS, error.code)
  );
}
