import type { MaybePromise } from "@/lib/server/maybe-promise";
import type { Answer } from "./answer";
import type { HttpRequest } from "./http-request";

/** Answers a request; `params` are the address's variable parts, decoded, a catch-all's joined by `/`. */
export type RouteHandler = (
  request: HttpRequest,
  params: Readonly<Record<string, string>>,
) => MaybePromise<Answer>;

/** Methods that a handler may be asked for. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof METHODS)[number];

/** A handler for every method. */
export type Handlers = Readonly<Record<Method, RouteHandler>>;

/** An address that one handler answers whatever the method. */
export function everyMethod(handler: RouteHandler): Handlers {
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Handlers;
}
