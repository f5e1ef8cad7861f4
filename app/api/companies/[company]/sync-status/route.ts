import { getSyncStatus } from "@/lib/server/operations/get-sync-status";
import { otherMethods, route } from "@/lib/server/route";

export const GET = route({ right: "view" }, ({ runtime, company, request }) =>
  getSyncStatus(runtime, { company, ifNoneMatch: request.headers.get("if-none-match") }),
);
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherMethods("GET");
