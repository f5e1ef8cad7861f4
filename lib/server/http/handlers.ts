import type { MaybePromise } from "@/lib/server/maybe-promise";
import type { HandlerResponse } from "./handler-response";
import type { HttpRequest } from "./http-request";

/** Answers a request; `params` are the path parameters, decoded, a catch-all's joined by `/`. */
export type RouteHandler = (
  request: HttpRequest,
  params: Readonly<Record<string, string>>,
) => MaybePromise<HandlerResponse>;

/** Methods that a handler may get. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof METHODS)[number];

/** A handler for every method. */
export type Handlers = Readonly<Record<Method, RouteHandler>>;

/** An address whose handler answers every method. */
export function everyMethod(handler: RouteHandler): Handlers {
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Handlers;
}
