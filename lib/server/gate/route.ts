import {
  checkedFormRoute,
  checkedNothing,
  checkedOpenRoute,
  checkedOtherMethods,
  checkedPersonRoute,
  checkedRoute,
  otherMethodsOf,
  type RouteContext,
  type RouteSpec,
} from "./checked-route";
import type { Handlers, Method, RouteHandler } from "@/lib/server/http/handlers";
import {
  checkedNothingOnWalls,
  checkedScreenRoute,
  checkedWallOtherMethods,
  checkedWallRoute,
  type ScreenContext,
  type WallContext,
} from "./checked-wall-route";
import {
  checkedPreviewRoute,
  checkedSharePage,
  checkedShareRoute,
  type LinkContext,
  type PreviewContext,
  type ShareContext,
} from "./checked-share-route";
import type { Answer } from "@/lib/server/http/answer";
import type { MaybePromise } from "@/lib/server/maybe-promise";
import { getRuntime, type Runtime } from "@/lib/server/running";

/**
 * A handler under `/api/companies/[company]`, with permissions and failures.
 * `export const GET = route({ right: "view" }, ({ runtime, company }) => ...)`
 */
export function route(
  spec: RouteSpec,
  handler: (context: RouteContext<Runtime>) => MaybePromise<Answer>,
): RouteHandler {
  return checkedRoute(getRuntime, spec, handler);
}

/** A handler of an address without a company, for people with a permission. */
export function personRoute(
  spec: RouteSpec,
  handler: (context: Omit<RouteContext<Runtime>, "company">) => MaybePromise<Answer>,
): RouteHandler {
  return checkedPersonRoute(getRuntime, spec, handler);
}

/** A handler without a session. */
export function openRoute(
  spec: Pick<RouteSpec, "mutation">,
  handler: (context: Pick<RouteContext<Runtime>, "runtime" | "request">) => MaybePromise<Answer>,
): RouteHandler {
  return checkedOpenRoute(getRuntime, spec, handler);
}

/** A handler of a form of ours; see `checkedFormRoute`. */
export function formRoute(
  handler: (
    context: Pick<RouteContext<Runtime>, "runtime" | "request" | "address"> & {
      fields: URLSearchParams;
    },
  ) => MaybePromise<Answer>,
): RouteHandler {
  return checkedFormRoute(getRuntime, handler);
}

/** A read-only handler under `/api/wall`: for a paired screen, or a signed-in person. */
export function wallRoute(
  handler: (context: WallContext<Runtime>) => MaybePromise<Answer>,
): RouteHandler {
  return checkedWallRoute(getRuntime, handler);
}

/** A handler with which a paired screen writes about itself. */
export function screenRoute(
  handler: (context: ScreenContext<Runtime>) => MaybePromise<Answer>,
): RouteHandler {
  return checkedScreenRoute(getRuntime, handler);
}

/** The page of a share link; see `checkedSharePage`. */
export function sharePage(
  handler: (context: ShareContext<Runtime>) => MaybePromise<Answer>,
): RouteHandler {
  return checkedSharePage(getRuntime, handler);
}

/** A handler for reports of a share link's page. */
export function shareRoute(
  handler: (context: LinkContext<Runtime>) => MaybePromise<Answer>,
): RouteHandler {
  return checkedShareRoute(getRuntime, handler);
}

/** A handler of a share link's preview. */
export function previewRoute(
  handler: (context: PreviewContext<Runtime>) => MaybePromise<Answer>,
): RouteHandler {
  return checkedPreviewRoute(getRuntime, handler);
}

/** `otherMethods` under `/api/wall`. */
export function otherWallMethods(...allowed: readonly Method[]): Handlers {
  return checkedWallOtherMethods(getRuntime, allowed);
}

/** `otherMethods` of an address without a session. */
export function otherOpenMethods(...allowed: readonly Method[]): Handlers {
  return otherMethodsOf(getRuntime, allowed, async () => undefined);
}

/**
 * Handlers for the methods that an address does not take; in every `route.ts` beside its own:
 * `export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET")`
 */
export function otherMethods(...allowed: readonly Method[]): Handlers {
  return checkedOtherMethods(getRuntime, allowed);
}

/** The handler of missing addresses under `/api/companies` and `/api/displays`. */
export const nothing: RouteHandler = checkedNothing(getRuntime);

/** The handler of missing addresses under `/api/wall`. */
export const nothingOnWalls: RouteHandler = checkedNothingOnWalls(getRuntime);
