import { Failure, FAILURE_STATUS, failureIn, type ErrorBody } from "@/lib/contracts/failure";
import { CLEAR_SITE_DATA, sessionCookie } from "@/lib/server/auth/cookies";
import { NO_PAGE } from "@/lib/server/http/headers.mjs";
import type { SecurityLog } from "@/lib/server/security-log";
import { isDatabaseOutage } from "@/lib/server/outage";
import { UNAVAILABLE, INTERNAL } from "./words";

/** On every JSON response of ours, unless the handler sets its own. */
export const PERSONAL_HEADERS = {
  "cache-control": "private, no-store",
  "content-security-policy": NO_PAGE,
} as const;

/**
 * The response to a request that has ended the session it was sent with.
 * @param isOwn false: it ended another session, and the response is unchanged
 */
export function withSessionCleared(answer: Response, isOwn: boolean, appUrl: string): Response {
  if (!isOwn) return answer;
  for (const [name, value] of Object.entries(CLEAR_SITE_DATA)) answer.headers.set(name, value);
  answer.headers.append("set-cookie", sessionCookie(appUrl).clear());
  return answer;
}

/**
 * A JSON response that may renew the session's cookie.
 * @param setCookie null: it stays as it is
 */
export function withNewCookie(data: object, setCookie: string | null): Response {
  return Response.json(data, setCookie === null ? {} : { headers: { "set-cookie": setCookie } });
}

/**
 * The response to an error: a `Failure` with its own code and description; an unavailable database
 * as 503; others as a 500 that only has the id of the log entry. Failures with a common cause share
 * one id: that of the entry with the cause, and of those with the counts.
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
  // Programs send a token; browsers ask for no password because of it.
  if (failure.code === "unauthenticated") {
    answerHeaders.set("WWW-Authenticate", 'Bearer realm="Plumbline"');
  }
  if (failure.cause !== undefined) {
    const event = failure.code === "internal" ? "request_failed" : "request_unanswered";
    answerHeaders.set("X-Request-Id", securityLog.failed(event, failure.cause, request));
  }
  const body: ErrorBody = { error: failure.code, error_description: failure.message };
  return Response.json(body, { status: FAILURE_STATUS[failure.code], headers: answerHeaders });
}

/** While the database is unavailable. @param cause the error to log; undefined: logged already */
export function databaseUnavailable(cause?: unknown): Failure {
  return new Failure("unavailable", UNAVAILABLE, { cause, retryAfterSeconds: 5 });
}

function asFailure(error: unknown): Failure {
  const failure = failureIn(error);
  if (failure !== null) return failure;
  if (isDatabaseOutage(error)) return databaseUnavailable(error);
  return new Failure("internal", INTERNAL, { cause: error });
}
