import { route } from "@/lib/server/gate/route";
import { getWall } from "@/lib/server/operations/displays/get-wall";

export const GET = route({ principal: "display" }, ({ runtime, principal }) =>
  getWall(runtime, principal),
);
