import { Failure } from "@/lib/contracts/failure";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import { withHeaders, type HandlerResponse } from "@/lib/server/http/handler-response";
import { METHODS } from "@/lib/server/http/routes/methods.mjs";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { NOT_FOUND_PAGE } from "@/lib/server/http/pages.mjs";
import type { Unrouted } from "@/lib/server/http/routes/routes";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { failureResponse } from "./failure-response";
import { admitPerson, admitToWall, notFoundFailure, principalAt } from "./principal";
import { METHOD_NOT_ALLOWED } from "./words";

/**
 * Responds to requests without a route: 401 or a company's 404, as its routes would, so that only authorized clients
 * learn whether an address exists; then 405 with `Allow`, or 404.
 */
export function respondToUnrouted(
  runtime: AuthRuntime,
  request: HttpRequest,
  { params, methods, isNearRoutes }: Unrouted,
): MaybePromise<HandlerResponse> {
  const principal = isNearRoutes ? principalOf(request) : "anyone";
  // For unsupported methods, a link's address looks like a missing one.
  if (principal === "link") return NOT_FOUND_PAGE;
  const fail = (error: unknown) => failureResponse(error, request, runtime.securityLog);
  const refuse = (): HandlerResponse => {
    if (methods.length === 0) return fail(notFoundFailure());
    const allow = METHODS.filter((method) => methods.includes(method)).join(", ");
    const refusal = fail(new Failure("method_not_allowed", METHOD_NOT_ALLOWED));
    return withHeaders(refusal, { allow });
  };
  if (principal === "anyone") return refuse();
  return andThen(refuseUnauthorized(runtime, request, params), (refusal) => refusal ?? refuse());
}

/**
 * Response to a client without access to addresses of people or displays, at the cost of a session lookup.
 * @returns null: the client has access, or the address is public
 */
export function refuseUnauthorized(
  runtime: AuthRuntime,
  request: HttpRequest,
  params: Readonly<Record<string, string>>,
): MaybePromise<HandlerResponse | null> {
  const principal = principalOf(request);
  if (principal !== "person" && principal !== "display") return null;
  const fail = (error: unknown) => failureResponse(error, request, runtime.securityLog);
  try {
    const admitted: MaybePromise<object> =
      principal === "display"
        ? admitToWall(runtime, request, params)
        : admitPerson(runtime, request, params);
    return admitted instanceof Promise ? admitted.then(() => null, fail) : null;
  } catch (error) {
    return fail(error);
  }
}

const principalOf = ({ url }: HttpRequest) => principalAt(new URL(url).pathname);
