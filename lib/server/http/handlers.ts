import type { Soon } from "@/lib/server/soon";
import type { Answer } from "./answer";
import type { Asked } from "./asked";

/** Answers a request; `params` are the address's variable parts, decoded, a catch-all's joined by `/`. */
export type RouteHandler = (
  request: Asked,
  params: Readonly<Record<string, string>>,
) => Soon<Answer>;

/** Methods that a handler may be asked for. */
export const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
export type Method = (typeof METHODS)[number];

/** A handler for every method. */
export type Handlers = Readonly<Record<Method, RouteHandler>>;

/** An address that one handler answers whatever the method. */
export function everyMethod(handler: RouteHandler): Handlers {
  return Object.fromEntries(METHODS.map((method) => [method, handler])) as Handlers;
}
