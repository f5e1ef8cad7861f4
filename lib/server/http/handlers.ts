import type { MaybePromise } from "@/lib/server/maybe-promise";
import type { HandlerResponse } from "./handler-response";
import type { HttpRequest } from "./http-request";
import { METHODS } from "./routes/methods.mjs";

/** Answers a request; `params` are the path parameters, decoded, a catch-all's joined by `/`. */
export type RouteHandler = (
  request: HttpRequest,
  params: Readonly<Record<string, string>>,
) => MaybePromise<HandlerResponse>;

/** A method that a handler may get. */
export type Method = (typeof METHODS)[number];

/** A handler for every method. */
export type Handlers = Readonly<Record<Method, RouteHandler>>;

/** An address whose handler answers every method. */
export function everyMethod(handler: RouteHandler): Handlers {
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Handlers;
}
