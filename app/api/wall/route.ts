import { getWall } from "@/lib/server/operations/get-wall";
import { otherWallMethods, wallRoute } from "@/lib/server/route";

export const GET = wallRoute(({ runtime, looker }) => getWall(runtime, looker));
export const { POST, PUT, PATCH, DELETE, OPTIONS } = otherWallMethods("GET");
