import { renderSharedPage } from "@/lib/server/rendering/render-shared-page";
import { everyMethod } from "@/lib/server/http/handlers";
import { getCalendar } from "@/lib/server/operations/calendars/get-calendar";
import { startPairing } from "@/lib/server/operations/displays/start-pairing";
import { stepPairing } from "@/lib/server/operations/displays/step-pairing";
import { getPreviewPicture } from "@/lib/server/operations/links/get-preview-picture";
import { choosePassword } from "@/lib/server/operations/people/choose-password";
import { handleBackchannelLogout } from "./backchannel-logout";
import { handleAuthRequest } from "./next-auth-handler";
import { getPairing } from "@/lib/server/operations/displays/get-pairing";
import { getWall } from "@/lib/server/operations/displays/get-wall";
import { getWallIncidents } from "@/lib/server/operations/displays/get-wall-incidents";
import { getLiveness, getReadiness } from "@/lib/server/operations/health/get-health";
import { getMetrics } from "@/lib/server/operations/health/get-metrics";
import {
  answerAllIncidents,
  answerIncidents,
} from "@/lib/server/operations/incidents/list-incidents";
import { countSharedPage, getSharedPage } from "@/lib/server/operations/links/get-shared-page";
import { listExpectations } from "@/lib/server/operations/quiet/expectations";
import { getBoard } from "@/lib/server/operations/sync/get-board";
import { getSyncStatus } from "@/lib/server/operations/sync/get-sync-status";
import { getToday } from "@/lib/server/operations/today/get-today";
import { getRuntime, type Runtime } from "@/lib/server/running";
import type { HotRoutes } from "@/lib/server/http/routes/routes";
import { createHandler, type Operation, type RouteSpec } from "./route";

/** A handler of the front, with its spec, which must be that of the route's file. */
const hot = <const S extends RouteSpec>(spec: S, operation: Operation<S, Runtime>) =>
  Object.assign(createHandler(getRuntime, spec, operation), { spec });

/**
 * The addresses that browsers, displays and monitoring request most often, and every address that is open to clients
 * without a session: Next would take longer for a refusal than a stranger's request may cost. The front answers them
 * without Next, by the same operations as their `route.ts` files.
 */
export const HOT_ROUTES: HotRoutes = {
  "/api/companies/[company]/sync-status": {
    GET: hot({ right: "view", tokens: "read" }, (context) => getBoard(context.runtime, context)),
  },
  "/api/companies/[company]/expectations": {
    GET: hot({ right: "view", tokens: "read" }, (asked) => listExpectations(asked.runtime, asked)),
  },
  "/api/companies/[company]/incidents": {
    GET: hot({ right: "view", tokens: "read" }, (asked) => answerIncidents(asked.runtime, asked)),
  },
  "/api/incidents": {
    GET: hot({ right: null, tokens: "read" }, (asked) => answerAllIncidents(asked.runtime, asked)),
  },
  "/api/today": {
    GET: hot({ right: null, tokens: "read" }, (asked) => getToday(asked.runtime, asked)),
  },
  "/api/wall": {
    GET: hot({ principal: "display" }, ({ runtime, principal }) => getWall(runtime, principal)),
  },
  "/api/wall/companies/[company]/sync-status": {
    GET: hot({ principal: "display" }, (context) => getSyncStatus(context.runtime, context)),
  },
  "/api/wall/companies/[company]/incidents": {
    GET: hot({ principal: "display" }, ({ runtime, principal, company }) =>
      getWallIncidents(runtime, principal, company),
    ),
  },
  "/api/auth/[...nextauth]": everyMethod(
    hot({ principal: "anyone" }, ({ runtime, request, params: { nextauth = "" } }) =>
      handleAuthRequest(runtime, request, nextauth.split("/")),
    ),
  ),
  "/api/auth/backchannel-logout": {
    POST: hot({ principal: "anyone" }, ({ runtime, request }) =>
      handleBackchannelLogout(runtime, request),
    ),
  },
  "/signin/password": {
    POST: hot({ principal: "anyone", form: true }, (sent) => choosePassword(sent.runtime, sent)),
  },
  "/api/previews/[preview]/[name]": {
    GET: hot({ principal: "link" }, ({ runtime, identity, params: { name = "" } }) =>
      getPreviewPicture(runtime, identity, name),
    ),
  },
  "/s/[token]": {
    POST: hot({ principal: "link", mutation: true }, ({ runtime, link, address, request }) =>
      countSharedPage(runtime, link, { address, request }),
    ),
    GET: hot({ principal: "link" }, async ({ runtime, identity, request }) =>
      renderSharedPage(await getSharedPage(runtime, identity, request)),
    ),
  },
  "/pair/step": {
    GET: hot({ principal: "anyone" }, ({ runtime, request }) => stepPairing(runtime, request)),
  },
  "/api/pair": {
    POST: hot({ principal: "anyone", mutation: true }, ({ runtime, address }) =>
      startPairing(runtime, { address }),
    ),
    GET: hot({ principal: "anyone" }, ({ runtime, request }) => getPairing(runtime, request)),
  },
  "/api/health/live": {
    GET: hot({ principal: "anyone" }, () => getLiveness()),
  },
  "/api/health/ready": {
    GET: hot({ principal: "anyone" }, ({ runtime }) => getReadiness(runtime)),
  },
  "/calendar/[name]": {
    GET: hot({ principal: "anyone" }, ({ runtime, request, address, params: { name = "" } }) =>
      getCalendar(runtime, { name, address, request }),
    ),
  },
  "/metrics": {
    GET: hot({ principal: "anyone" }, (context) => getMetrics(context.runtime, context)),
  },
};
