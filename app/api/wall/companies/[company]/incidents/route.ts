import { route } from "@/lib/server/gate/route";
import { getWallIncidents } from "@/lib/server/operations/displays/get-wall-incidents";

export const GET = route({ principal: "display" }, ({ runtime, principal, company }) =>
  getWallIncidents(runtime, principal, company),
);
