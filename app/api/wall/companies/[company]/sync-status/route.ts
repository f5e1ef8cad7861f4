import { getSyncStatus } from "@/lib/server/operations/get-sync-status";
import { otherWallMethods, wallRoute } from "@/lib/server/route";

export const GET = wallRoute(({ runtime, company, request }) =>
  getSyncStatus(runtime, { company, ifNoneMatch: request.headers.get("if-none-match") }),
);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherWallMethods("GET");
