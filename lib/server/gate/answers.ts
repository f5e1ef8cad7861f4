import { Failure, FAILURE_STATUS, isFailure, type ErrorBody } from "@/lib/contracts/failure";
import { CLEAR_SITE_DATA, sessionCookie } from "@/lib/server/auth/cookies";
import type { SecurityLog } from "@/lib/server/security-log";
import { isDatabaseOutage } from "@/lib/server/outage";
import { UNAVAILABLE, INTERNAL } from "./words";

/** On every JSON answer of ours, unless the handler said otherwise. */
export const PERSONAL_HEADERS = {
  "cache-control": "private, no-store",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
} as const;

/**
 * An answer to anyone who has just ended the very session that they asked with.
 * @param isOwn false: it was another one, and the answer stays as it is
 */
export function signedOut(answer: Response, isOwn: boolean, appUrl: string): Response {
  if (!isOwn) return answer;
  for (const [name, value] of Object.entries(CLEAR_SITE_DATA)) answer.headers.set(name, value);
  answer.headers.append("set-cookie", sessionCookie(appUrl).clear());
  return answer;
}

/**
 * The answer to anything thrown: a `Failure` in its own words; a database that is away as 503; the rest
 * as a 500 that tells nothing but the id under which the log has it. Where many fail for one cause they have one
 * id: that of the line which tells the cause, and of those which count.
 */
export function failureResponse(
  error: unknown,
  request: Pick<Request, "url" | "method">,
  securityLog: SecurityLog,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const failure = asFailure(error);
  const answerHeaders = new Headers({ ...PERSONAL_HEADERS, ...headers });
  if (failure.retryAfterSeconds !== null) {
    answerHeaders.set("Retry-After", String(failure.retryAfterSeconds));
  }
  if (failure.cause !== undefined) {
    const event = failure.code === "internal" ? "request_failed" : "request_unanswered";
    answerHeaders.set("X-Request-Id", securityLog.failed(event, failure.cause, request));
  }
  const body: ErrorBody = { error: failure.code, error_description: failure.message };
  return Response.json(body, { status: FAILURE_STATUS[failure.code], headers: answerHeaders });
}

/** While the database is away. @param cause what the log is to tell of; undefined: it's told already */
export function databaseAway(cause?: unknown): Failure {
  return new Failure("unavailable", UNAVAILABLE, { cause, retryAfterSeconds: 5 });
}

function asFailure(error: unknown): Failure {
  if (isFailure(error)) return error;
  if (isDatabaseOutage(error)) return databaseAway(error);
  return new Failure("internal", INTERNAL, { cause: error });
}
