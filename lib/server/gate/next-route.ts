import type { AddressName } from "./addresses";
import type { Method } from "@/lib/server/http/handlers";
import { getHandlers } from "@/lib/server/running";
import { asResponse } from "@/lib/server/http/answer";

/** Next's call: the request, and the path parameters if there are any. */
type NextHandler = (
  request: Request,
  context: { params: Promise<Readonly<Record<string, string | string[] | undefined>> | undefined> },
) => Promise<Response>;

/**
 * The handlers of one address, as a `route.ts` exports them:
 * `export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = at("/api/wall");`
 */
export function at(address: AddressName): Record<Method, NextHandler> {
  const method =
    (name: Method): NextHandler =>
    async (request, context) => {
      const handler = getHandlers(address)[name];
      return asResponse(await handler(request, flat((await context.params) ?? {})));
    };
  return {
    GET: method("GET"),
    HEAD: method("HEAD"),
    POST: method("POST"),
    PUT: method("PUT"),
    PATCH: method("PATCH"),
    DELETE: method("DELETE"),
    OPTIONS: method("OPTIONS"),
  };
}

function flat(
  params: Readonly<Record<string, string | string[] | undefined>>,
): Record<string, string> {
  const entries = Object.entries(params).map(([name, value]) => [
    name,
    [value ?? []].flat().join("/"),
  ]);
  return Object.fromEntries(entries) as Record<string, string>;
}
