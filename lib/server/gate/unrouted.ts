import { Failure } from "@/lib/contracts/failure";
import type { AuthRuntime } from "@/lib/server/auth/auth";
import { withHeaders, type Answer } from "@/lib/server/http/answer";
import { METHODS } from "@/lib/server/http/handlers";
import type { HttpRequest } from "@/lib/server/http/http-request";
import { NOT_FOUND_PAGE } from "@/lib/server/http/pages.mjs";
import type { Unrouted } from "@/lib/server/http/routes/routes";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import { failureResponse } from "./answers";
import { admitPerson, admitToWall, nothingHere, principalAt } from "./principal";
import { METHOD_NOT_ALLOWED } from "./words";

/**
 * Answers what no route takes: 401 and a company's 404 as its routes would, so that only those who may know of an
 * address learn whether it's there; then 405 with `Allow`, or 404.
 */
export function answerUnrouted(
  runtime: AuthRuntime,
  request: HttpRequest,
  { params, methods, isNearRoutes }: Unrouted,
): MaybePromise<Answer> {
  const principal = isNearRoutes ? principalAt(new URL(request.url).pathname) : "anyone";
  // To other methods than its own the address of a link is like any that isn't there.
  if (principal === "link") return NOT_FOUND_PAGE;
  const fail = (error: unknown) => failureResponse(error, request, runtime.securityLog);
  const refuse = (): Answer => {
    if (methods.length === 0) return fail(nothingHere());
    const allow = METHODS.filter((method) => methods.includes(method)).join(", ");
    const refusal = fail(new Failure("method_not_allowed", METHOD_NOT_ALLOWED));
    return withHeaders(refusal, { allow });
  };
  if (principal === "anyone") return refuse();
  try {
    const admitted =
      principal === "display"
        ? andThen<unknown, Answer>(admitToWall(runtime, request, params), refuse)
        : andThen<unknown, Answer>(admitPerson(runtime, request, params), refuse);
    return admitted instanceof Promise ? admitted.catch(fail) : admitted;
  } catch (error) {
    return fail(error);
  }
}
