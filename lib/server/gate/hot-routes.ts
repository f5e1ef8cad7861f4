import { getPairing } from "@/lib/server/operations/displays/get-pairing";
import { getWall } from "@/lib/server/operations/displays/get-wall";
import { getWallIncidents } from "@/lib/server/operations/displays/get-wall-incidents";
import { getLiveness, getReadiness } from "@/lib/server/operations/health/get-health";
import { getMetrics } from "@/lib/server/operations/health/get-metrics";
import { getSharedPage } from "@/lib/server/operations/links/get-shared-page";
import { getBoard } from "@/lib/server/operations/sync/get-board";
import { getSyncStatus } from "@/lib/server/operations/sync/get-sync-status";
import { getRuntime } from "@/lib/server/running";
import type { HotRoutes } from "@/lib/server/http/routes/routes";
import { createHandler } from "./route";

/**
 * Frequently requested addresses: polled by browsers, displays, readers of share links and monitoring. The front
 * handles them without Next, through the same operations as their `route.ts` files.
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
  "/s/[token]": {
    GET: createHandler(getRuntime, { principal: "link" }, ({ runtime, identity, request }) =>
      getSharedPage(runtime, identity, request),
    ),
  },
  "/api/pair": {
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
