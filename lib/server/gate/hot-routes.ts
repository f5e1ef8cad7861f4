import { everyMethod } from "@/lib/server/http/handlers";
import { startPairing } from "@/lib/server/operations/displays/start-pairing";
import { stepPairing } from "@/lib/server/operations/displays/step-pairing";
import { getPreviewPicture } from "@/lib/server/operations/links/get-preview-picture";
import { choosePassword } from "@/lib/server/operations/people/choose-password";
import { answerBackchannelLogout } from "./backchannel-logout";
import { answerAuth } from "./next-auth-handler";
import { getPairing } from "@/lib/server/operations/displays/get-pairing";
import { getWall } from "@/lib/server/operations/displays/get-wall";
import { getWallIncidents } from "@/lib/server/operations/displays/get-wall-incidents";
import { getLiveness, getReadiness } from "@/lib/server/operations/health/get-health";
import { getMetrics } from "@/lib/server/operations/health/get-metrics";
import { countSharedPage, getSharedPage } from "@/lib/server/operations/links/get-shared-page";
import { getBoard } from "@/lib/server/operations/sync/get-board";
import { getSyncStatus } from "@/lib/server/operations/sync/get-sync-status";
import { getRuntime } from "@/lib/server/running";
import type { HotRoutes } from "@/lib/server/http/routes/routes";
import { createHandler } from "./route";

/**
 * The addresses that browsers, displays and monitoring request most often, and every address that is open to clients
 * without a session: Next would take longer for a refusal than a stranger's request may cost. The front answers them
 * without Next, by the same operations as their `route.ts` files.
 */
export const HOT_ROUTES: HotRoutes = {
  "/api/companies/[company]/sync-status": {
    GET: createHandler(getRuntime, { right: "view" }, (asked) => getBoard(asked.runtime, asked)),
  },
  "/api/wall": {
    GET: createHandler(getRuntime, { principal: "display" }, ({ runtime, principal }) =>
      getWall(runtime, principal),
    ),
  },
  "/api/wall/companies/[company]/sync-status": {
    GET: createHandler(getRuntime, { principal: "display" }, (asked) =>
      getSyncStatus(asked.runtime, asked),
    ),
  },
  "/api/wall/companies/[company]/incidents": {
    GET: createHandler(getRuntime, { principal: "display" }, ({ runtime, principal, company }) =>
      getWallIncidents(runtime, principal, company),
    ),
  },
  "/api/auth/[...nextauth]": everyMethod(
    createHandler(
      getRuntime,
      { principal: "anyone" },
      ({ runtime, request, params: { nextauth = "" } }) =>
        answerAuth(runtime, request, nextauth.split("/")),
    ),
  ),
  "/api/auth/backchannel-logout": {
    POST: createHandler(getRuntime, { principal: "anyone" }, ({ runtime, request }) =>
      answerBackchannelLogout(runtime, request),
    ),
  },
  "/signin/password": {
    POST: createHandler(getRuntime, { principal: "anyone", form: true }, (sent) =>
      choosePassword(sent.runtime, sent),
    ),
  },
  "/api/previews/[preview]/[name]": {
    GET: createHandler(
      getRuntime,
      { principal: "link" },
      ({ runtime, identity, params: { name = "" } }) => getPreviewPicture(runtime, identity, name),
    ),
  },
  "/s/[token]": {
    POST: createHandler(
      getRuntime,
      { principal: "link", mutation: true },
      ({ runtime, link, address, request }) => countSharedPage(runtime, link, { address, request }),
    ),
    GET: createHandler(getRuntime, { principal: "link" }, ({ runtime, identity, request }) =>
      getSharedPage(runtime, identity, request),
    ),
  },
  "/pair/step": {
    GET: createHandler(getRuntime, { principal: "anyone" }, ({ runtime, request }) =>
      stepPairing(runtime, request),
    ),
  },
  "/api/pair": {
    POST: createHandler(
      getRuntime,
      { principal: "anyone", mutation: true },
      ({ runtime, address }) => startPairing(runtime, { address }),
    ),
    GET: createHandler(getRuntime, { principal: "anyone" }, ({ runtime, request }) =>
      getPairing(runtime, request),
    ),
  },
  "/api/health/live": {
    GET: createHandler(getRuntime, { principal: "anyone" }, () => getLiveness()),
  },
  "/api/health/ready": {
    GET: createHandler(getRuntime, { principal: "anyone" }, ({ runtime }) => getReadiness(runtime)),
  },
  "/metrics": {
    GET: createHandler(getRuntime, { principal: "anyone" }, (asked) =>
      getMetrics(asked.runtime, asked),
    ),
  },
};
