import {
  checkedNothing,
  checkedOtherMethods,
  checkedPersonRoute,
  checkedRoute,
  type Method,
  type RouteContext,
  type RouteHandler,
  type RouteSpec,
} from "./auth/checked-route";
import { getRuntime, type Runtime } from "./runtime";

/**
 * A handler under `/api/companies/[company]`, with rights and failures around it.
 * `export const GET = route({ right: "view" }, ({ runtime, company }) => ...)`
 */
export function route(
  spec: RouteSpec,
  handler: (context: RouteContext<Runtime>) => Response | Promise<Response>,
): RouteHandler {
  return checkedRoute(getRuntime, spec, handler);
}

/** The handler of `/api/companies` itself: for everybody who is signed in. */
export function personRoute(
  handler: (
    context: Pick<RouteContext<Runtime>, "runtime" | "person" | "request">,
  ) => Response | Promise<Response>,
): RouteHandler {
  return checkedPersonRoute(getRuntime, handler);
}

/**
 * Handlers for the methods that an address does not take; stands in every `route.ts` beside its own:
 * `export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET")`
 */
export function otherMethods(...allowed: readonly Method[]): Record<Method, RouteHandler> {
  return checkedOtherMethods(getRuntime, allowed);
}

/** The handler of addresses under `/api/companies` that do not exist. */
export const nothing: RouteHandler = checkedNothing(getRuntime);
