import type { IncomingMessage, ServerResponse } from "node:http";
import { andThen, type MaybePromise } from "@/lib/server/maybe-promise";
import type { HandlerResponse } from "@/lib/server/http/handler-response";
import { createAddressTree, type Found } from "./address-tree";
import type { Method, RouteHandler } from "@/lib/server/http/handlers";
import { httpRequestOf, type HttpRequest } from "@/lib/server/http/http-request";
import type { RouteManifest } from "./route-manifest.mjs";
import { sendResponse } from "@/lib/server/http/send-response";

type Route = {
  methods: readonly Method[];
  /** By method; other methods are handled through Next. */
  hot: Readonly<Partial<Record<Method, RouteHandler>>>;
};

/** How the gate handles other requests, before Next gets them. */
type Admission = {
  /** Responds to a client without access to the address; null: the route's file responds. */
  refuseUnauthorized: (
    request: HttpRequest,
    params: Readonly<Record<string, string>>,
  ) => MaybePromise<HandlerResponse | null>;
  respondToUnrouted: (request: HttpRequest, unrouted: Unrouted) => MaybePromise<HandlerResponse>;
};

/** A request without a route: an unsupported method, or a missing address. */
export type Unrouted = {
  /** Path parameters; empty for a missing address. */
  params: Readonly<Record<string, string>>;
  methods: readonly Method[];
  /** An address, or below a folder with addresses, such as `/api/companies/x`. */
  isNearRoutes: boolean;
};

/** By address; a `GET` answers `HEAD` too. */
export type HotRoutes = Readonly<Record<string, Readonly<Partial<Record<Method, RouteHandler>>>>>;

/** The addresses that have `route.ts` files. */
export type Routes = {
  /** The route at a path without a query; null: none. */
  find(path: string): Found<Route> | null;
  /**
   * Handles an admitted request with trusted headers. Next is bypassed for hot addresses, where a response through it
   * would cost ten times as much; for unsupported methods; and for clients without access.
   * @param headers of every response: alternating lower-case names and values
   * @param callRoute lets Next call the route's file
   */
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    found: Found<Route>,
    headers: readonly string[],
    callRoute: () => void,
  ): void;
  /** Responds to a request below `/api` that has no route. */
  refuse(request: IncomingMessage, response: ServerResponse, headers: readonly string[]): void;
};

/**
 * @param manifest every address, with its methods
 * @param hot handlers of frequently requested addresses
 */
export function createRoutes(
  manifest: RouteManifest,
  hot: HotRoutes,
  { refuseUnauthorized, respondToUnrouted }: Admission,
): Routes {
  const routes = Object.entries(manifest).map(([address, methods]): [string, Route] => {
    const handlers = hot[address] ?? {};
    return [address, { methods, hot: { ...handlers, ...headOf(handlers) } }];
  });
  const find = createAddressTree(Object.fromEntries(routes));
  const folders = new Set(Object.keys(manifest).map((address) => address.split("/")[2]));

  function send(
    request: IncomingMessage,
    response: ServerResponse,
    headers: readonly string[],
    work: (httpRequest: HttpRequest) => MaybePromise<HandlerResponse | null>,
    callRoute?: () => void,
  ): void {
    // Handlers respond to all their errors: this is a closed socket, or headers were already sent.
    const giveUp = () => void response.destroy();
    try {
      const answer = work(httpRequestOf(request, response));
      const sent = andThen(answer, (made) =>
        made === null ? callRoute?.() : sendResponse(request, response, made, headers),
      );
      if (sent instanceof Promise) sent.catch(giveUp);
    } catch {
      giveUp();
    }
  }

  return {
    find,
    answer(request, response, { value: { methods, hot: handlers }, params }, headers, callRoute) {
      const method = request.method as Method;
      const handler = handlers[method];
      if (handler !== undefined) {
        send(request, response, headers, (httpRequest) => handler(httpRequest, params));
      } else if (!methods.includes(method)) {
        send(request, response, headers, (httpRequest) =>
          respondToUnrouted(httpRequest, { params, methods, isNearRoutes: true }),
        );
      } else {
        send(
          request,
          response,
          headers,
          (httpRequest) => refuseUnauthorized(httpRequest, params),
          callRoute,
        );
      }
    },
    refuse(request, response, headers) {
      const [, , folder = "", rest] = (request.url ?? "").split(/[/?]/);
      const isNearRoutes = rest !== undefined && folders.has(folder);
      send(request, response, headers, (httpRequest) =>
        respondToUnrouted(httpRequest, { params: {}, methods: [], isNearRoutes }),
      );
    },
  };
}

function headOf(handlers: HotRoutes[string]): HotRoutes[string] {
  return handlers.GET === undefined || handlers.HEAD !== undefined ? {} : { HEAD: handlers.GET };
}
