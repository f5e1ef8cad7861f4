import type { AddressName } from "./addresses";
import type { Handlers, Method } from "./auth/checked-route";
import { asResponse } from "./http/answer";

/** What Next calls: the request, and the address's variable parts, if it has any. */
type NextHandler = (
  request: Request,
  context: { params: Promise<Readonly<Record<string, string | string[] | undefined>> | undefined> },
) => Promise<Response>;

const KEY = Symbol.for("plumbline.addresses");
type Addresses = Readonly<Record<string, Handlers>>;
/** Next bundles every `route.ts` by itself: what they lead to is in memory once, where the runtime is. */
const shared = globalThis as { [KEY]?: Addresses };

/** Makes the handlers of all addresses known to the `route.ts` files. */
export function setAddresses(addresses: Addresses): void {
  shared[KEY] = addresses;
}

/**
 * The handlers of one address, as a `route.ts` exports them:
 * `export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = at("/api/wall");`
 */
export function at(address: AddressName): Record<Method, NextHandler> {
  const method =
    (name: Method): NextHandler =>
    async (request, context) => {
      const handler = shared[KEY]?.[address]?.[name];
      if (handler === undefined) throw new Error("Plumbline is not running yet");
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
